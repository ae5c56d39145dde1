package runner

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func windowRow(from, n int) string {
	return fmt.Sprintf(`{"window_start":"1970-01-01T00:%02d:00Z","window_end":"1970-01-01T00:%02d:00Z","n":%d}`, from, from+1, n)
}

// TestLive follows a window over two partitions: the slower one holds it.
func TestLive(t *testing.T) {
	in, out := newTape("in", 2), newShelf("out")
	run := newTrial(t, oneMinute("{bounded: 0s, idle: off, max_ahead: off}"), nil).start(t, Options{})
	in.all[0].put(timed(1000, 2000, 61_000)...)
	out.nothing(t)
	in.all[1].put(timed(59_000)...)
	out.nothing(t)
	in.all[1].put(timed(59_500, 60_000)...)
	out.want(t, windowRow(0, 4))
	report := run.stop(t)
	if run.err != nil || !report.Stopped {
		t.Fatal(run.err, report)
	}
	if !strings.Contains(strings.Join(run.warned, "\n"), "2 records in 1 open window were given up") {
		t.Error(run.warned)
	}
	if c := run.counts("count"); c.In != 6 || c.Used != 6 || c.Out != 1 {
		t.Error(c)
	}
}

// TestStopIsNoEnd gives open windows up when a run is stopped, however the stop comes through.
func TestStopIsNoEnd(t *testing.T) {
	for range 30 {
		in, out := newTape("in", 3), newShelf("out")
		run := newTrial(t, oneMinute("{bounded: 0s, idle: off, max_ahead: off}"), nil).start(t, Options{Parallelism: 3})
		for _, r := range in.all {
			r.put(timed(1000)...)
		}
		run.stop(t)
		if len(out.records) > 0 {
			t.Fatal(out.records)
		}
		committed(t, in, "in/0", 0)
	}
}

// TestIdle lets a partition that gives nothing no longer hold the others back, and never pulls the watermark back when
// it wakes up.
func TestIdle(t *testing.T) {
	in, out, clock := newTape("in", 2), newShelf("out"), newClock()
	run := newTrial(t, oneMinute("{bounded: 0s, idle: 1m, max_ahead: off}"), nil).start(t, Options{Clock: clock.time})
	in.all[0].put(timed(1000, 61_000)...)
	clock.pass(30 * time.Second)
	out.nothing(t)
	clock.pass(40 * time.Second)
	out.want(t, windowRow(0, 1))
	in.all[1].put(timed(2000)...) // late: the window is gone
	in.all[1].put(timed(62_000)...)
	in.all[0].put(timed(130_000)...)
	out.nothing(t) // partition 1 holds again
	in.all[1].put(timed(125_000)...)
	out.want(t, windowRow(1, 2))
	run.stop(t)
	if c := run.counts("count"); c.Late != 1 || c.Used != 5 {
		t.Error(c)
	}
}

// TestAllIdle takes the greatest watermark when all partitions are idle.
func TestAllIdle(t *testing.T) {
	in, out, clock := newTape("in", 2), newShelf("out"), newClock()
	newTrial(t, oneMinute("{bounded: 0s, idle: 1m, max_ahead: off}"), nil).start(t, Options{Clock: clock.time})
	in.all[0].put(timed(61_000)...)
	in.all[1].put(timed(10_000)...)
	out.nothing(t)
	clock.pass(80 * time.Second)
	out.want(t, windowRow(0, 1))
}

// TestBackPressureIsNotIdle keeps a partition alive whose records wait behind others here.
func TestBackPressureIsNotIdle(t *testing.T) {
	in, out, clock := newTape("in", 2), newShelf("out"), newClock()
	text := oneMinute("{bounded: 0s, idle: 1m, max_ahead: off, align: 10s}")
	newTrial(t, text, nil).start(t, Options{Clock: clock.time})
	in.all[1].put(timed(1000)...)
	in.all[0].put(timed(2000)...)
	in.all[0].put(timed(30_000)...)
	in.all[0].chunks <- timed(90_000) // waits: partition 1 is too far behind
	for range 5 {
		clock.pass(30 * time.Second)
		in.all[1].put(timed(1000)...) // never idle
	}
	out.nothing(t)
	in.all[1].put(timed(70_000)...)
	out.want(t, windowRow(0, 8))
}

// TestMaxAhead lets a record from the far future into its window, but not move the watermark.
func TestMaxAhead(t *testing.T) {
	in, out := newTape("in", 1), newShelf("out")
	clock := func() time.Time { return time.UnixMilli(200_000) }
	run := newTrial(t, oneMinute("{bounded: 0s, max_ahead: 1h}"), nil).start(t, Options{Clock: clock})
	in.all[0].put(timed(1000, 4_070_908_800_000, 2000)...)
	in.all[0].put(timed(59_000)...)
	out.nothing(t)
	in.all[0].put(timed(60_000)...)
	out.want(t, windowRow(0, 3))
	run.stop(t)
	if text := strings.Join(run.warned, "\n"); !strings.Contains(text, "in: in/0 offset 1 is at 2099-01-01T00:00:00Z, more than 1h ahead of the clock") {
		t.Error(text)
	}
	if text := strings.Join(run.report.Warnings, "\n"); !strings.Contains(text, "in: 1 record was too far ahead") {
		t.Error(text)
	}
}

// TestNewPartition joins a partition that comes while the run goes on. It holds the watermark for no longer than idle.
func TestNewPartition(t *testing.T) {
	in, out, clock := newTape("in", 1), newShelf("out"), newClock()
	run := newTrial(t, oneMinute("{bounded: 0s, idle: 1m, max_ahead: off}"), nil).start(t, Options{Clock: clock.time})
	in.all[0].put(timed(1000, 30_000)...)
	added := in.grow("in/1")
	clock.pass(0)
	in.all[0].put(timed(61_000)...)
	out.nothing(t)
	clock.pass(80 * time.Second)
	out.want(t, windowRow(0, 2))
	added.put(timed(62_000)...)
	in.all[0].put(timed(150_000)...)
	out.nothing(t)
	added.put(timed(121_000)...)
	out.want(t, windowRow(1, 2))
	run.stop(t)
}

// TestIdleSource lets a union go on when one of its sources is idle as a whole, also behind windows.
func TestIdleSource(t *testing.T) {
	for name, text := range map[string]string{
		"sources": `
sources:
  a: {type: tape, name: a, watermark: {bounded: 0s, idle: 1m, max_ahead: off}}
  b: {type: tape, name: b, watermark: {bounded: 0s, idle: 1m, max_ahead: off}}
transforms:
  count: {from: [a, b], window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: shelf, name: out}
`,
		"windows": `
sources:
  a: {type: tape, name: a, watermark: {bounded: 0s, idle: 1m, max_ahead: off}}
  b: {type: tape, name: b, watermark: {bounded: 0s, idle: 1m, max_ahead: off}}
transforms:
  tens: {from: b, window: {tumbling: 10s}, aggregate: {m: count()}}
  all: {from: [a, tens], window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: all, type: shelf, name: out}
`} {
		t.Run(name, func(t *testing.T) {
			a, b, out, clock := newTape("a", 1), newTape("b", 1), newShelf("out"), newClock()
			newTrial(t, text, nil).start(t, Options{Clock: clock.time})
			b.all[0].put(timed(1000, 12_000)...)
			a.all[0].put(timed(1000)...)
			out.nothing(t)
			for range 4 {
				clock.pass(40 * time.Second)
				a.all[0].put(timed(2000)...)
			}
			a.all[0].put(timed(61_000)...)
			if name == "sources" {
				out.want(t, windowRow(0, 7))
			} else {
				out.want(t, windowRow(0, 6)) // one row of ten seconds, the other window is still open
			}
			b.all[0].put(timed(62_000)...)
			a.all[0].put(timed(130_000)...)
			out.nothing(t) // b is awake
		})
	}
}

// TestPeriodic gives watermarks at the interval only.
func TestPeriodic(t *testing.T) {
	in, out, clock := newTape("in", 1), newShelf("out"), newClock()
	run := newTrial(t, oneMinute("{bounded: 0s, max_ahead: off, interval: 5ms}"), nil).start(t, Options{Clock: clock.time})
	in.all[0].put(timed(1000, 61_000, 2000)...) // not late: the watermark came after the chunk
	out.want(t, windowRow(0, 2))
	run.stop(t)
}

// TestSilence says after a while what the next result waits for.
func TestSilence(t *testing.T) {
	in, clock := newTape("in", 2), newClock()
	newShelf("out")
	run := newTrial(t, oneMinute("{bounded: 0s, idle: off, max_ahead: off}"), nil).start(t, Options{Clock: clock.time})
	in.all[0].put(timed(1000, 31_000)...)
	in.all[1].put(timed(12_000)...)
	clock.pass(45 * time.Second)
	run.stop(t)
	want := "nothing has come out for"
	if len(run.said) == 0 || !strings.HasPrefix(run.said[0], want) ||
		!strings.HasSuffix(run.said[0], "the next window of count closes when the watermark reaches 1970-01-01T00:00:59.999Z; "+
			"it stands at 1970-01-01T00:00:11.999Z; in is held by in/1, which stands at 1970-01-01T00:00:11.999Z") {
		t.Errorf("%q", run.said)
	}
}

// TestProcessingTime closes windows by the clock: records belong where they arrive, whatever their event time.
func TestProcessingTime(t *testing.T) {
	in, out, clock := newTape("in", 2), newShelf("out"), newClock()
	clock.now = time.UnixMilli(600_000)
	text := `
sources:
  in: {type: tape, name: in, watermark: {bounded: 0s, max_ahead: off}}
transforms:
  count: {from: in, window: {tumbling: 1m, time: processing}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: shelf, name: out}
  late: {from: count.late, type: discard}
`
	run := newTrial(t, text, nil).start(t, Options{Clock: clock.time})
	in.all[0].put(timed(5, 1_000_000_000)...)
	in.all[1].put(timed(3)...)
	clock.pass(50 * time.Second)
	out.nothing(t)
	clock.pass(12 * time.Second)
	out.want(t, windowRow(10, 3))
	in.all[0].put(timed(1)...)
	clock.pass(60 * time.Second)
	out.want(t, windowRow(11, 1))
	in.all[0].put(timed(1, 2)...)
	run.stop(t)
	if c := run.counts("count"); c.In != 6 || c.Late != 0 || c.Used != 6 {
		t.Error(c)
	}
}

// TestProcessingTimeSetBack counts records in the window that is open when the clock is set back: the one that it shows
// has been written.
func TestProcessingTimeSetBack(t *testing.T) {
	in, out, clock := newTape("in", 1), newShelf("out"), newClock()
	clock.now = time.UnixMilli(600_000)
	text := `
sources:
  in: {type: tape, name: in, watermark: {bounded: 0s, max_ahead: off}}
transforms:
  count: {from: in, key: v, window: {tumbling: 1m, time: processing}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: shelf, name: out}
  late: {from: count.late, type: discard}
`
	run := newTrial(t, text, nil).start(t, Options{Clock: clock.time})
	in.all[0].put(timed(5)...)
	clock.pass(62 * time.Second)
	out.want(t, `{"v":5,`+windowRow(10, 1)[1:])
	clock.pass(0)
	clock.mu.Lock()
	clock.now = clock.now.Add(-90 * time.Second)
	clock.mu.Unlock()
	in.all[0].put(timed(6)...)
	clock.pass(150 * time.Second)
	out.want(t, `{"v":6,`+windowRow(11, 1)[1:])
	run.stop(t)
	if c := run.counts("count"); c.Late != 0 || c.Used != 2 {
		t.Error(c)
	}
}

// TestProcessingTimeAtTheEnd writes what is open when a bounded input ends.
func TestProcessingTimeAtTheEnd(t *testing.T) {
	in, out, clock := newTape("in", 1), newShelf("out"), newClock()
	clock.now = time.UnixMilli(600_000)
	in.all[0].put(timed(5, 6)...)
	in.all[0].stop()
	text := `
sources:
  in: {type: tape, name: in, ends: true}
transforms:
  count: {from: in, key: v, window: {session: 1m, time: processing}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: shelf, name: out}
`
	if _, _, err := newTrial(t, text, nil).run(t.Context(), Options{Clock: clock.time}); err != nil {
		t.Fatal(err)
	}
	out.want(t, `{"v":5,"window_start":"1970-01-01T00:10:00Z","window_end":"1970-01-01T00:11:00Z","n":1}`)
	out.want(t, `{"v":6,"window_start":"1970-01-01T00:10:00Z","window_end":"1970-01-01T00:11:00Z","n":1}`)
}

// TestArrival takes the time at which a record came as its event time.
func TestArrival(t *testing.T) {
	in, out, clock := newTape("in", 1), newShelf("out"), newClock()
	clock.now = time.UnixMilli(600_000)
	text := `
sources:
  in: {type: tape, name: in, timestamp: now(), watermark: 0s}
transforms:
  count: {from: in, window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: shelf, name: out}
`
	newTrial(t, text, nil).start(t, Options{Clock: clock.time})
	in.all[0].put(timed(5, 6)...)
	clock.pass(70 * time.Second)
	in.all[0].put(timed(7)...)
	out.want(t, windowRow(10, 2))
}

// TestPerSource lets the partition that is furthest speak for all, in a live run too.
func TestPerSource(t *testing.T) {
	in, out := newTape("in", 2), newShelf("out")
	run := newTrial(t, oneMinute("{bounded: 0s, per: source, max_ahead: off}"), nil).start(t, Options{})
	in.all[0].put(timed(1000, 70_000)...)
	out.want(t, windowRow(0, 1))
	in.all[1].put(timed(2000, 65_000)...)
	in.all[0].put(timed(125_000)...)
	out.want(t, windowRow(1, 2))
	run.stop(t)
	if c := run.counts("count"); c.Late != 1 {
		t.Error(c)
	}
}

// TestPerValueLive gives each value of an expression a watermark of its own.
func TestPerValueLive(t *testing.T) {
	in, out := newTape("in", 1), newShelf("out")
	newTrial(t, oneMinute("{bounded: 0s, per: v % 2, idle: 5m, max_ahead: 1h}"), nil).start(t, Options{Clock: func() time.Time { return time.UnixMilli(0) }})
	in.all[0].put(timed(1000, 1001, 70_000, 2001, 90_000_001)...) // 1 is the slower value, but for one that is too far ahead
	out.nothing(t)
	in.all[0].put(timed(70_001)...)
	out.want(t, windowRow(0, 3))
}

// TestMemory ends a run whose windows hold more than settings allow, and names the node.
func TestMemory(t *testing.T) {
	in := newTape("in", 1)
	newShelf("out")
	text := `
sources:
  in: {type: tape, name: in, watermark: {bounded: 0s, max_ahead: off}}
transforms:
  few: {from: in, window: {tumbling: 1m}, aggregate: {n: count()}}
  many: {from: in, key: v, window: {tumbling: 1m}, aggregate: {n: count(), all: max(string(v))}}
sinks:
  out: {from: [few, many], type: shelf, name: out}
settings: {memory: 2MiB}
`
	run := newTrial(t, text, nil).start(t, Options{})
	for n := range 20 {
		var times []int64
		for i := range 10_000 {
			times = append(times, int64(n*10_000+i)%59_000)
		}
		in.all[0].chunks <- timed(times...)
	}
	select {
	case <-run.done:
	case <-time.After(10 * time.Second):
		t.Fatal("the run goes on")
	}
	if run.err == nil || !strings.HasPrefix(run.err.Error(), "many holds ") || !strings.Contains(run.err.Error(), "settings.memory allows 2.0 MiB in all") {
		t.Error(run.err)
	}
}
