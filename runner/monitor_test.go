package runner

import (
	"context"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tidemark/io/connector"
	"tidemark/stream"
)

// node gives what a node is at.
func (s Status) node(name string) NodeStatus {
	for _, n := range s.Nodes {
		if n.Node == name {
			return n
		}
	}
	return NodeStatus{}
}

// partition gives what a partition is at.
func (s Status) partition(name string) PartitionStatus {
	for _, p := range s.Partitions {
		if p.Partition == name {
			return p
		}
	}
	return PartitionStatus{}
}

// await waits until a monitor shows something.
func await(t *testing.T, m *Monitor, what string, is func(Status) bool) Status {
	t.Helper()
	var st Status
	for range 5000 {
		if st = m.Status(); is(st) {
			return st
		}
		time.Sleep(2 * time.Millisecond)
	}
	t.Fatalf("it never comes to that: %s; it is at\n%+v", what, st)
	return st
}

// TestMonitor looks at a window over two partitions of which one falls silent, until the run is stopped.
func TestMonitor(t *testing.T) {
	in, clock, m := newTape("in", 2), newClock(), &Monitor{}
	newShelf("out")
	in.all[0].end, in.all[1].end = 10, 3
	if st := m.Status(); st.Nodes != nil || st.Partitions != nil {
		t.Error("before the run it is at", st)
	}
	run := newTrial(t, oneMinute("{bounded: 0s, idle: 1m, max_ahead: off}"), nil).start(t, Options{Clock: clock.time, Monitor: m})
	await(t, m, "no watermark", func(st Status) bool {
		n, p := st.node("in"), st.partition("in/0")
		return n.Watermark == stream.MinTime && n.EventTime && p.Watermark == stream.MinTime && !p.Idle && p.Lag == 10
	})
	in.all[0].put(timed(1000, 61_000)...)
	in.all[1].put(timed(2000)...)
	await(t, m, "held by in/1", func(st Status) bool {
		n, w := st.node("in"), st.node("count")
		return n.In == 3 && n.Out == 3 && n.Watermark == 1999 && st.partition("in/0").Watermark == 60_999 && st.partition("in/1").Watermark == 1999 &&
			st.partition("in/0").Lag == 8 && st.partition("in/1").Lag == 2 &&
			w.Stateful && w.Input == 1999 && w.Watermark == 1999 && w.Windows == 2 && w.StateBytes > 0 && w.Used == 3
	})
	for range 4 {
		clock.pass(30 * time.Second)
		in.all[0].put(timed(62_000)...)
	}
	await(t, m, "in/1 is idle", func(st Status) bool {
		return st.partition("in/1").Idle && !st.partition("in/0").Idle && st.node("count").Watermark == 61_999 && st.node("count").Windows == 1 &&
			st.node("out").In == 1 && st.node("out").Input == 61_999 && st.node("out").EventTime && !st.node("out").Stateful
	})
	in.all[0].stop()
	await(t, m, "in/0 has ended", func(st Status) bool { return st.partition("in/0").Watermark == stream.MaxTime })
	report := run.stop(t)
	compareCounts(t, m.Status(), report)
}

// compareCounts wants the same counts in a status as in the report.
func compareCounts(t *testing.T, st Status, r *Report) {
	t.Helper()
	for _, want := range r.Nodes {
		if got := st.node(want.Node).Counts; !reflect.DeepEqual(got, want) {
			t.Errorf("the status has %+v, the report %+v", got, want)
		}
	}
}

// TestMonitorOfBounded looks at a run that is over sooner than the clock is looked at: all is there, and at its end.
func TestMonitorOfBounded(t *testing.T) {
	text := `
sources:
  in: {type: file, path: "${dir}/*.jsonl", timestamp: {expr: t, unit: ms}, watermark: 1s}
transforms:
  count: {from: in, window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: stdout}
  dirty: {from: in.dirty, type: discard}
`
	for name, o := range settings {
		m := &Monitor{}
		o.Monitor = m
		p := newTrial(t, text, map[string]string{"a.jsonl": "{\"t\":1}\n{\"t\":1\n", "b.jsonl": "{\"t\":61000}\n"})
		_, report, err := p.run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		st := m.Status()
		compareCounts(t, st, report)
		if st.node("in").Dirty != 1 || len(st.Partitions) != 2 {
			t.Errorf("%s: %+v", name, st)
		}
		for _, p := range st.Partitions {
			if p.Watermark != stream.MaxTime || p.Idle || p.Lag != -1 {
				t.Errorf("%s: %+v", name, p)
			}
		}
		for node, timed := range map[string]bool{"in": true, "count": true, "out": true, "dirty": false} {
			if n := st.node(node); n.EventTime != timed || timed && n.Watermark != stream.MaxTime {
				t.Errorf("%s: %+v", name, n)
			}
		}
		if n := st.node("count"); n.Windows != 0 || n.Busy <= 0 {
			t.Errorf("%s: the end leaves %+v", name, n)
		}
	}
}

// TestMonitorOfUnion gives the watermark of a union, where an idle input does not count.
func TestMonitorOfUnion(t *testing.T) {
	a, _, clock, m := newTape("a", 1), newTape("b", 1), newClock(), &Monitor{}
	newShelf("out")
	newTrial(t, `
sources:
  a: {type: tape, name: a, watermark: {bounded: 0s, idle: 1m, max_ahead: off}}
  b: {type: tape, name: b, watermark: {bounded: 0s, idle: 1m, max_ahead: off}}
transforms:
  all: {from: [a, b], set: {w: v}}
sinks:
  out: {from: all, type: shelf, name: out}
`, nil).start(t, Options{Clock: clock.time, Monitor: m})
	a.all[0].put(timed(1000)...)
	await(t, m, "b holds", func(st Status) bool {
		return st.node("a").Watermark == 999 && st.node("all").Input == stream.MinTime && st.node("all").In == 1
	})
	for range 4 {
		clock.pass(30 * time.Second)
		a.all[0].put(timed(2000)...)
	}
	await(t, m, "b is idle", func(st Status) bool {
		return st.partition("b/0").Idle && st.node("all").Input == 1999 && st.node("out").Watermark == 1999
	})
}

func init() {
	connector.Register(connector.Kind{Name: "dam", Role: connector.SinkRole, Formats: []string{"json"}, Records: true, New: func() any { return &dam{} }})
}

// dam is a sink that takes nothing until it is opened.
type dam struct{}

var (
	damOpen   chan struct{}
	damSince  atomic.Int64 // nanoseconds; 0 while nobody waits
	damWaited atomic.Int64
)

func (dam) Validate() []connector.Problem     { return nil }
func (dam) Check(connector.Environment) error { return nil }
func (d dam) Open(context.Context, connector.Environment) (connector.Output, error) {
	return d, nil
}
func (dam) WriteRecord(*connector.Record) error {
	began := time.Now().UnixNano()
	damSince.Store(began)
	<-damOpen
	damWaited.Add(time.Now().UnixNano() - began)
	damSince.Store(0)
	return nil
}
func (dam) Waited() float64 {
	waited := damWaited.Load()
	if since := damSince.Load(); since > 0 {
		waited += time.Now().UnixNano() - since
	}
	return time.Duration(waited).Seconds()
}
func (dam) Flush() error  { return nil }
func (dam) Commit() error { return nil }
func (dam) Abort() error  { return nil }

// TestMonitorOfSlowSink looks while the run stands still: the time of the sink goes on, and what piles up is seen.
func TestMonitorOfSlowSink(t *testing.T) {
	in, m := newTape("in", 1), &Monitor{}
	damOpen = make(chan struct{})
	damWaited.Store(0)
	run := newTrial(t, `
sources:
  in: {type: tape, name: in, watermark: none}
sinks:
  out: {from: in, type: dam}
`, nil).start(t, Options{Monitor: m})
	await(t, m, "it runs", func(st Status) bool {
		return len(st.Nodes) == 2 && st.node("out").Pressured && !st.node("in").Pressured
	})
	in.all[0].chunks <- timed(1000)
	await(t, m, "it waits", func(st Status) bool { return st.node("out").Pressed > 0.02 })
	before := m.Status()
	atomic.AddInt64(&in.all[0].end, 5)
	time.Sleep(10 * time.Millisecond)
	st := m.Status()
	if st.node("out").Pressed < before.node("out").Pressed+0.01 {
		t.Errorf("it waited %v s, then %v s", before.node("out").Pressed, st.node("out").Pressed)
	}
	if got, want := st.partition("in/0").Lag, before.partition("in/0").Lag+5; got != want {
		t.Errorf("it lags %d, want %d", got, want)
	}
	close(damOpen)
	await(t, m, "it goes on", func(st Status) bool { return st.node("out").In == 1 })
	run.stop(t)
	if n := m.Status().node("out"); n.Busy < 0 || n.Busy >= n.Pressed {
		t.Errorf("waiting counts as work: %+v", n)
	}
}

// TestMonitorFails keeps the last status of a run that fails.
func TestMonitorFails(t *testing.T) {
	m := &Monitor{}
	p := newTrial(t, `
sources:
  in: {type: file, path: "${dir}/a.jsonl", timestamp: t, watermark: 1s}
sinks:
  out: {from: in, type: stdout}
`, map[string]string{"a.jsonl": "{\"t\":1}\n"})
	if _, _, err := p.run(context.Background(), Options{Monitor: m}); err == nil || !strings.Contains(err.Error(), "unit") {
		t.Fatal(err)
	}
	if st := m.Status(); len(st.Nodes) != 2 {
		t.Errorf("%+v", st)
	}
}
