package runner

import (
	"testing"
	"time"
)

// TestEndedAndIdle does not take the end of one input for that of another, which is idle.
func TestEndedAndIdle(t *testing.T) {
	text := `
sources:
  old: {type: tape, name: old, ends: true, watermark: 0s}
  in: {type: tape, name: in, watermark: {bounded: 0s, idle: 1m, max_ahead: off}}
transforms:
  count: {from: [old, in], window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: shelf, name: out}
`
	old, in, out, clock := newTape("old", 2), newTape("in", 1), newShelf("out"), newClock()
	run := newTrial(t, text, nil).start(t, Options{Clock: clock.time})
	old.all[0].put(timed(1000, 61_000)...)
	old.all[1].put(timed(2000)...)
	in.all[0].put(timed(3000)...)
	old.all[0].stop()
	old.all[1].stop()
	clock.pass(80 * time.Second)
	out.nothing(t) // the end of one input says nothing about the one that is silent
	in.all[0].put(timed(59_000, 60_000)...)
	out.want(t, windowRow(0, 4))
	run.stop(t)
	if c := run.counts("count"); c.Late != 0 {
		t.Error(c)
	}
}

// TestEndedAndIdleChained hands idleness on where the rest of the inputs have ended.
func TestEndedAndIdleChained(t *testing.T) {
	text := `
sources:
  old: {type: tape, name: old, ends: true, watermark: 0s}
  a: {type: tape, name: a, watermark: {bounded: 0s, idle: 1m, max_ahead: off}}
  b: {type: tape, name: b, watermark: {bounded: 0s, idle: 1m, max_ahead: off}}
transforms:
  both: {from: [old, a], set: {x: 1}}
  count: {from: [both, b], window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: shelf, name: out}
`
	old, a, b, out, clock := newTape("old", 1), newTape("a", 1), newTape("b", 1), newShelf("out"), newClock()
	newTrial(t, text, nil).start(t, Options{Clock: clock.time})
	old.all[0].put(timed(1000)...)
	old.all[0].stop()
	a.all[0].put(timed(2000)...)
	b.all[0].put(timed(2000)...)
	for range 3 {
		clock.pass(40 * time.Second)
		b.all[0].put(timed(3000)...)
	}
	b.all[0].put(timed(61_000)...)
	out.want(t, windowRow(0, 6))
}

// TestIdleUnionChained hands idleness on together with the watermark that it leads to.
func TestIdleUnionChained(t *testing.T) {
	text := `
sources:
  a: {type: tape, name: a, watermark: {bounded: 0s, idle: 1m, max_ahead: off}}
  b: {type: tape, name: b, watermark: {bounded: 0s, idle: 1m, max_ahead: off}}
  c: {type: tape, name: c, watermark: {bounded: 0s, idle: 1m, max_ahead: off}}
transforms:
  both: {from: [a, b], set: {x: 1}}
  count: {from: [both, c], window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: shelf, name: out}
`
	a, b, c, out, clock := newTape("a", 1), newTape("b", 1), newTape("c", 1), newShelf("out"), newClock()
	newTrial(t, text, nil).start(t, Options{Clock: clock.time})
	a.all[0].put(timed(1000)...)
	b.all[0].put(timed(2000)...)
	c.all[0].put(timed(3000)...)
	for range 3 {
		clock.pass(40 * time.Second)
		c.all[0].put(timed(3000)...)
	}
	c.all[0].put(timed(61_000)...)
	out.want(t, windowRow(0, 6))
}

// TestSourceWithoutPartitions holds the others for no longer than a silent partition does, and joins when one comes.
func TestSourceWithoutPartitions(t *testing.T) {
	text := `
sources:
  none: {type: tape, name: none, watermark: {bounded: 0s, idle: 1m, max_ahead: off}}
  in: {type: tape, name: in, watermark: {bounded: 0s, idle: 1m, max_ahead: off}}
transforms:
  count: {from: [none, in], window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: shelf, name: out}
`
	none, in, out, clock := newTape("none", 0), newTape("in", 1), newShelf("out"), newClock()
	newTrial(t, text, nil).start(t, Options{Clock: clock.time})
	in.all[0].put(timed(1000)...)
	for range 3 {
		clock.pass(40 * time.Second)
		in.all[0].put(timed(2000)...)
	}
	in.all[0].put(timed(61_000)...)
	out.want(t, windowRow(0, 4))
	first := none.grow("none/0")
	clock.pause()
	first.put(timed(62_000)...)
	in.all[0].put(timed(130_000)...)
	out.nothing(t)
	first.put(timed(121_000)...)
	out.want(t, windowRow(1, 2))
}

// TestPerSourceEnds never takes a shared watermark back when one of its partitions ends.
func TestPerSourceEnds(t *testing.T) {
	text := `
sources:
  old: {type: tape, name: old, ends: true, watermark: {bounded: 0s, per: source}}
  in: {type: tape, name: in, watermark: {bounded: 0s, idle: off, max_ahead: off}}
transforms:
  count: {from: old, window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: shelf, name: out}
  other: {from: in, type: discard}
`
	old, out := newTape("old", 3), newShelf("out")
	newTape("in", 1)
	monitor := &Monitor{}
	run := newTrial(t, text, nil).start(t, Options{Monitor: monitor})
	old.all[0].put(timed(1000)...)
	old.all[1].put(timed(2000)...)
	old.all[2].put(timed(190_000)...)
	out.want(t, windowRow(0, 2))
	old.all[0].stop()
	time.Sleep(30 * time.Millisecond)
	if at := monitor.Status().Nodes[0].Watermark; at != 189_999 {
		t.Errorf("the watermark went back to %s", at)
	}
	old.all[1].put(timed(150_000)...) // late: the watermark is beyond its window
	out.nothing(t)
	old.all[1].put(timed(185_000)...)
	old.all[1].stop()
	old.all[2].stop()
	out.want(t, windowRow(3, 2))
	run.stop(t)
	if c := run.counts("count"); c.Late != 1 {
		t.Error(c)
	}
}

// TestAlignLeavesRoom reads on where the slowest partition is, however many others pause with what they have read.
func TestAlignLeavesRoom(t *testing.T) {
	in, out, clock := newTape("in", 60), newShelf("out"), newClock()
	newTrial(t, oneMinute("{bounded: 0s, idle: 1m, max_ahead: off, align: 10s}"), nil).start(t, Options{Clock: clock.time, Parallelism: 1})
	for _, r := range in.all {
		r.put(timed(1000)...)
	}
	for _, r := range in.all[:59] { // far ahead of the last one: they pause
		r.chunks <- timed(30_000)
		r.chunks <- timed(70_000)
		r.chunks <- timed(71_000)
	}
	clock.pause()
	last := in.all[59]
	last.put(timed(30_000)...)
	last.put(timed(70_000)...)
	out.want(t, windowRow(0, 120))
}

// TestPunctuatedIdle leaves an idle partition out until a record of it has a marker, which may be an old one.
func TestPunctuatedIdle(t *testing.T) {
	text := `
sources:
  in:
    type: tape
    name: in
    watermark: {punctuated: "event_time.UnixMilli() % 1000 == 0 ? event_time : nil", idle: 1m, max_ahead: off}
transforms:
  count: {from: in, window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: shelf, name: out}
`
	in, out, clock := newTape("in", 2), newShelf("out"), newClock()
	run := newTrial(t, text, nil).start(t, Options{Clock: clock.time})
	first, second := in.all[0], in.all[1]
	second.put(timed(3000)...)
	for range 3 {
		first.put(timed(1000)...)
		clock.pass(40 * time.Second)
	}
	second.put(timed(4001)...) // without a marker
	first.put(timed(59_001, 60_000)...)
	out.want(t, windowRow(0, 6))
	second.put(timed(2000)...) // late, and its marker is an old one
	first.put(timed(119_001, 120_000)...)
	out.nothing(t)
	second.put(timed(119_001, 120_000)...)
	out.want(t, windowRow(1, 3))
	run.stop(t)
	if c := run.counts("count"); c.Late != 1 {
		t.Error(c)
	}
}
