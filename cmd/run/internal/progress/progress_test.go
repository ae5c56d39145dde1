package progress

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"tidemark/runner"
	"tidemark/stream"
)

// TestMain looks for goroutines that following has left behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func source(in, dirty int64, watermark stream.Time) runner.NodeStatus {
	return runner.NodeStatus{Counts: runner.Counts{Kind: "source", In: in, Dirty: dirty}, EventTime: true, Watermark: watermark}
}

// TestLine words statuses two seconds after the start, at 10:00:00.
func TestLine(t *testing.T) {
	now := time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)
	at := stream.Time(now.UnixMilli()) - 90_400
	uv := runner.NodeStatus{Counts: runner.Counts{Kind: "transform", In: 9, Late: 2, Dirty: 3}, EventTime: true, Watermark: 1}
	untimed := runner.NodeStatus{Counts: runner.Counts{Kind: "source", In: 1}, Watermark: stream.MinTime}
	for _, c := range []struct {
		live bool
		st   runner.Status
		want string
	}{
		{true, runner.Status{}, "0 records/s, late 0, dirty 0"},
		{true, runner.Status{Nodes: []runner.NodeStatus{source(200, 1, at), source(7, 0, at+5), uv},
			Partitions: []runner.PartitionStatus{{Lag: 5}, {Lag: -1}, {Lag: 6}}},
			"104 records/s, watermark 2024-05-01T09:58:29.6Z, 1m30s behind the clock, lag 11, late 2, dirty 4"},
		{false, runner.Status{Nodes: []runner.NodeStatus{source(200, 0, at), untimed}}, "100 records/s, watermark 2024-05-01T09:58:29.6Z, late 0, dirty 0"},
		{true, runner.Status{Nodes: []runner.NodeStatus{source(0, 0, at), source(0, 0, stream.MinTime)}}, "0 records/s, no watermark yet, late 0, dirty 0"},
		{true, runner.Status{Nodes: []runner.NodeStatus{source(0, 0, stream.MaxTime)}}, "0 records/s, watermark at the end, late 0, dirty 0"},
		{true, runner.Status{Nodes: []runner.NodeStatus{source(2, 0, at+100_000)}},
			"1 records/s, watermark 2024-05-01T10:00:09.6Z, 0s behind the clock, late 0, dirty 0"},
		{true, runner.Status{Nodes: []runner.NodeStatus{untimed}, Partitions: []runner.PartitionStatus{{Lag: 0}}}, "0 records/s, lag 0, late 0, dirty 0"},
	} {
		p := &pace{options: Options{Status: func() runner.Status { return c.st }, Live: c.live}, since: now.Add(-2 * time.Second)}
		if got := p.line(now); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestFollow gives the rate since the line before, and nothing more once it is stopped.
func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var read int64
		var lines []string
		stop := Follow(Options{
			Status: func() runner.Status {
				read += 1000
				return runner.Status{Nodes: []runner.NodeStatus{source(read, 0, stream.MinTime)}}
			},
			Every: Logged, Show: func(line string) { lines = append(lines, line) },
		})
		time.Sleep(2*Logged + time.Second)
		stop()
		time.Sleep(Logged)
		want := "100 records/s, no watermark yet, late 0, dirty 0"
		if !slices.Equal(lines, []string{want, want}) {
			t.Errorf("%q", lines)
		}
	})
}

// TestConsole takes the line of progress away before anything else is written, and does not tear other lines.
func TestConsole(t *testing.T) {
	var out bytes.Buffer
	c := NewConsole(&out)
	rows := c.Beside(&out)
	show := func(line string) string { return cutLines + back + line + erase + wrapLines }
	for _, step := range []struct {
		do   func()
		want string
	}{
		{func() { c.Clear() }, ""},
		{func() { c.Show("1") }, show("1")},
		{func() { c.Show("2") }, show("2")},
		{func() { io.WriteString(c, "warning\n") }, back + erase + "warning\n"},
		{func() { io.WriteString(c, "warning\n") }, "warning\n"},
		{func() { c.Show("3") }, show("3")},
		{func() { io.WriteString(rows, `{"half":`) }, back + erase + `{"half":`},
		{func() { c.Show("4") }, ""},
		{func() { io.WriteString(rows, "1}\n") }, "1}\n"},
		{func() { c.Show("5") }, show("5")},
		{func() { c.Clear() }, back + erase},
	} {
		if step.do(); out.String() != step.want {
			t.Errorf("got %q, want %q", out.String(), step.want)
		}
		out.Reset()
	}
}

// TestConsoleWhole writes from several goroutines: every line stays whole.
func TestConsoleWhole(t *testing.T) {
	var out bytes.Buffer
	c := NewConsole(&out)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 100 {
				io.WriteString(c, "one whole line\n")
				c.Show("progress")
			}
		})
	}
	all.Wait()
	c.Clear()
	text := strings.NewReplacer(cutLines+back+"progress"+erase+wrapLines, "", back+erase, "").Replace(out.String())
	if text != strings.Repeat("one whole line\n", 400) {
		t.Errorf("%q", text)
	}
}

// TestIsTerminal takes files and buffers for none.
func TestIsTerminal(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if IsTerminal(f) || IsTerminal(&bytes.Buffer{}) || IsTerminal(nil) {
		t.Error("a file is no terminal")
	}
}
