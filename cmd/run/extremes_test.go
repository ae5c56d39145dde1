package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// rowCounter counts lines, and keeps the first and the last.
type rowCounter struct {
	rows        int
	first, last string
}

func (c *rowCounter) Write(p []byte) (int, error) {
	c.rows += bytes.Count(p, []byte{'\n'})
	whole := bytes.TrimSuffix(p, []byte{'\n'})
	if c.first == "" {
		line, _, _ := bytes.Cut(whole, []byte{'\n'})
		c.first = string(line)
	}
	c.last = string(whole[bytes.LastIndexByte(whole, '\n')+1:])
	return len(p), nil
}

// TestSlideRatio has windows of a day that begin each second, or every few milliseconds: three records are in all of
// them. Rows are made as they are written, so however many there are takes no memory.
func TestSlideRatio(t *testing.T) {
	folder := t.TempDir()
	events := `{"ts":"2024-05-01T10:00:00Z","key":"a"}
{"ts":"2024-05-01T10:00:00.010Z","key":"a"}
{"ts":"2024-05-01T10:00:00.020Z","key":"a"}
`
	if err := os.WriteFile(filepath.Join(folder, "events.jsonl"), []byte(events), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(folder)
	for _, test := range []struct {
		every       string
		windows     int
		first, last string // window_end
	}{
		{"1s", 86_400, "2024-05-01T10:00:01Z", "2024-05-02T10:00:00Z"},
		{"20ms", 4_320_001, "2024-05-01T10:00:00.02Z", "2024-05-02T10:00:00.02Z"},
	} {
		file := pipeline(t, `
sources:
  events: {type: file, path: events.jsonl, timestamp: ts, watermark: 0s}
transforms:
  counts: {from: events, key: key, window: {sliding: 24h, every: `+test.every+`}, aggregate: {n: count()}}
sinks:
  out: {from: counts, type: stdout}
`)
		var out rowCounter
		var stderr bytes.Buffer
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		if code := run(context.Background(), []string{"run", file}, strings.NewReader(""), &out, &stderr); code != 0 {
			t.Fatalf("exit code %d\n%s", code, stderr.String())
		}
		took := time.Since(start)
		runtime.ReadMemStats(&after)
		if out.rows != test.windows || !strings.Contains(out.first, `"window_end":"`+test.first) || !strings.Contains(out.last, `"window_end":"`+test.last) {
			t.Errorf("every %s: %d rows, from %s to %s", test.every, out.rows, out.first, out.last)
		}
		if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > 128 {
			t.Errorf("every %s: %d MiB", test.every, allocated)
		} else {
			t.Logf("every %s: %d MiB in %v", test.every, allocated, took)
		}
		if took > 20*time.Second {
			t.Errorf("every %s: %v", test.every, took)
		}
		if !strings.Contains(stderr.String(), "TM309") {
			t.Errorf("every %s: no warning\n%s", test.every, stderr.String())
		}
	}
}

// TestIdleIsNotTheEnd feeds records into a run after it has been idle for longer than its partitions may be: nothing was
// seen, so nothing is late.
func TestIdleIsNotTheEnd(t *testing.T) {
	file := pipeline(t, `
sources:
  events: {type: file, path: "-", timestamp: ts, watermark: {bounded: 0s, idle: 20ms}}
transforms:
  sums: {from: events, key: key, window: {tumbling: 5m}, aggregate: {n: count(), sum: sum(v)}}
sinks:
  out: {from: [sums, sums.late], type: stdout}
`)
	in, feed := io.Pipe()
	go func() {
		time.Sleep(300 * time.Millisecond)
		io.WriteString(feed, `{"ts":"2024-05-01T10:00:00Z","key":"a","v":1}
{"ts":"2024-05-01T10:00:30Z","key":"a","v":2}
{"ts":"2024-05-01T10:05:01Z","key":"a","v":3}
`)
		feed.Close()
	}()
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"run", file}, in, &stdout, &stderr)
	want := `{"key":"a","window_start":"2024-05-01T10:00:00Z","window_end":"2024-05-01T10:05:00Z","n":2,"sum":3}
{"key":"a","window_start":"2024-05-01T10:05:00Z","window_end":"2024-05-01T10:10:00Z","n":1,"sum":3}
`
	if code != 0 || stdout.String() != want {
		t.Errorf("exit code %d\n%s\n%s", code, stdout.String(), stderr.String())
	}
}
