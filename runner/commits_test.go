package runner

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"tidemark/io/connector"
)

// committed waits until a position is committed.
func committed(t *testing.T, in *tape, partition string, want int64) {
	t.Helper()
	for range 500 {
		if got, _ := in.where(partition); got == want {
			return
		}
		time.Sleep(4 * time.Millisecond)
	}
	got, _ := in.where(partition)
	t.Fatalf("%s: committed %d, want %d", partition, got, want)
}

// pause lets several commits pass.
func (c *clock) pause() {
	c.seen()
	time.Sleep(10 * time.Millisecond)
	c.seen()
}

// TestCommits commits positions behind the sinks, and never beyond a record that an open window holds.
func TestCommits(t *testing.T) {
	for name, text := range map[string]string{
		"tumbling": oneMinute("{bounded: 0s, idle: off, max_ahead: off}"),
		"sliding": `
sources:
  in: {type: tape, name: in, watermark: {bounded: 0s, idle: off, max_ahead: off}}
transforms:
  count: {from: in, window: {sliding: 1m, every: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: shelf, name: out}
`,
		"sessions": `
sources:
  in: {type: tape, name: in, watermark: {bounded: 0s, idle: off, max_ahead: off}}
transforms:
  count: {from: in, window: {session: 21s}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: shelf, name: out}
`,
		"chained": `
sources:
  in: {type: tape, name: in, watermark: {bounded: 0s, idle: off, max_ahead: off}}
transforms:
  tens: {from: in, window: {tumbling: 10s}, aggregate: {n: count()}}
  count: {from: tens, window: {tumbling: 1m}, aggregate: {n: sum(n)}}
sinks:
  out: {from: count, type: shelf, name: out}
`} {
		t.Run(name, func(t *testing.T) {
			in, clock := newTape("in", 1), &clock{}
			newShelf("out")
			run := newTrial(t, text, nil).start(t, Options{CommitEvery: 5 * time.Millisecond, Parallelism: 1, Clock: clock.time})
			committed(t, in, "in/0", 0)
			in.all[0].put(timed(1000)...)
			clock.pause()
			in.all[0].put(timed(12_000, 25_000)...)
			clock.pause()
			in.all[0].put(timed(40_000)...)
			clock.pause()
			committed(t, in, "in/0", 0) // the window of the first record is open
			in.all[0].put(timed(70_000)...)
			committed(t, in, "in/0", 4)
			in.all[0].put(timed(72_000)...)
			clock.pause()
			committed(t, in, "in/0", 4)
			in.all[0].put(timed(190_000)...)
			committed(t, in, "in/0", 6)
			run.stop(t)
			committed(t, in, "in/0", 6) // the last record's window was given up, so it is read again
		})
	}
}

// TestCommitsWhileIdle holds on to what a window behind another one has taken, when its input falls silent.
func TestCommitsWhileIdle(t *testing.T) {
	in, clock := newTape("in", 1), newClock()
	newShelf("out")
	run := newTrial(t, `
sources:
  in: {type: tape, name: in, watermark: {bounded: 0s, idle: 1m, max_ahead: off}}
transforms:
  slides: {from: in, window: {sliding: 10s, every: 100ms}, aggregate: {n: count()}}
  count: {from: slides, window: {tumbling: 1m}, aggregate: {n: sum(n)}}
sinks:
  out: {from: count, type: shelf, name: out}
`, nil).start(t, Options{CommitEvery: 5 * time.Millisecond, Parallelism: 1, Clock: clock.time})
	for _, at := range []int64{30_000, 90_000, 105_000} {
		in.all[0].put(timed(at)...)
		clock.pass(2 * time.Second)
	}
	committed(t, in, "in/0", 1) // the minute of the second record is open
	clock.pass(5 * time.Minute)
	committed(t, in, "in/0", 1)
	run.stop(t)
	committed(t, in, "in/0", 1)
}

// TestCommitsBehindRefusals commits a record that a sink refuses while it settles only when the sink that gets it has
// settled too, through several of them.
func TestCommitsBehindRefusals(t *testing.T) {
	in, clock := newTape("in", 1), &clock{}
	var mu sync.Mutex
	safe := map[string]int{}
	at := map[string]*shelf{}
	for _, name := range []string{"first", "second", "third"} {
		s := newShelf(name)
		at[name] = s
		var pending []connector.RefusedRecord
		if name != "third" {
			s.refuse = func(r *connector.Record) string { // as a broker does, some time later
				pending = append(pending, connector.RefusedRecord{Reason: "no", Record: connector.Record{Value: bytes.Clone(r.Value), Time: r.Time}})
				return "later"
			}
		}
		s.settle = func() error {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.refusals, pending = append(s.refusals, pending...), nil
			mu.Lock()
			defer mu.Unlock()
			safe[name] = len(s.records)
			return nil
		}
	}
	in.onCommit = func(position int64) {
		mu.Lock()
		defer mu.Unlock()
		if position > int64(safe["third"]) {
			t.Errorf("committed %d, but %d are safe", position, safe["third"])
		}
	}
	newTrial(t, `
sources:
  in: {type: tape, name: in, watermark: {bounded: 0s, idle: off, max_ahead: off}}
sinks:
  a: {from: b.dirty, type: shelf, name: third}
  b: {from: c.dirty, type: shelf, name: second}
  c: {from: in, type: shelf, name: first}
`, nil).start(t, Options{CommitEvery: 5 * time.Millisecond, Clock: clock.time})
	for i := range int64(20) {
		in.all[0].put(timed(i)...)
	}
	committed(t, in, "in/0", 20)
	at["third"].mu.Lock()
	defer at["third"].mu.Unlock()
	if len(at["third"].records) != 20 {
		t.Error(at["third"].records)
	}
}

// TestSettleFails ends a run whose sink can't make safe what it was given, though nothing more comes.
func TestSettleFails(t *testing.T) {
	in, out, clock := newTape("in", 1), newShelf("out"), &clock{}
	out.settle = func() error { return errShelf }
	run := newTrial(t, "sources: {in: {type: tape, name: in}}\nsinks: {out: {from: in, type: shelf, name: out}}\n", nil).
		start(t, Options{CommitEvery: 5 * time.Millisecond, Clock: clock.time})
	in.all[0].put(timed(1000)...)
	select {
	case <-run.done:
	case <-time.After(10 * time.Second):
		t.Fatal("the run goes on")
	}
	if !errors.Is(run.err, errShelf) {
		t.Error(run.err)
	}
}

// TestCommitsPastMarks commits what is behind the last record too, where offsets have none: nothing is left to read.
func TestCommitsPastMarks(t *testing.T) {
	for _, bounded := range []bool{true, false} {
		in := newTape("in", 1)
		newShelf("out")
		for range 3 {
			in.all[0].chunks <- timed(make([]int64, 3000)...) // so that the mark comes while these are at work
			in.all[0].chunks <- nil
		}
		in.all[0].chunks <- nil
		in.all[0].stop()
		text := fmt.Sprintf("sources: {in: {type: tape, name: in, ends: %t}, other: {type: tape, name: other}}\nsinks: {out: {from: [in, other], type: shelf, name: out}}\n", bounded)
		newTape("other", 1)
		run := newTrial(t, text, nil).start(t, Options{CommitEvery: 5 * time.Millisecond})
		committed(t, in, "in/0", 9004)
		run.stop(t)
		committed(t, in, "in/0", 9004)
	}
}

// TestDrainCommits commits everything when open windows are written.
func TestDrainCommits(t *testing.T) {
	in, out := newTape("in", 2), newShelf("out")
	run := newTrial(t, oneMinute("{bounded: 0s, idle: off, max_ahead: off}"), nil).start(t, Options{Drain: true})
	in.all[0].put(timed(1000, 2000)...)
	in.all[1].put(timed(3000)...)
	run.stop(t)
	out.want(t, windowRow(0, 3))
	committed(t, in, "in/0", 2)
	committed(t, in, "in/1", 1)
}

// TestFilesWaitForTheEnd commits nothing before a sink that has no result before its end.
func TestFilesWaitForTheEnd(t *testing.T) {
	in, clock := newTape("in", 1), &clock{}
	run := newTrial(t, "sources: {in: {type: tape, name: in}}\nsinks: {out: {from: in, type: file, path: \"${dir}/out.jsonl\"}}\n", nil).
		start(t, Options{CommitEvery: 5 * time.Millisecond, Clock: clock.time})
	in.all[0].put(timed(1000, 2000)...)
	clock.pause()
	if _, commits := in.where("in/0"); commits != 0 {
		t.Error("committed before the file is complete")
	}
	run.stop(t)
	committed(t, in, "in/0", 2)
	if got := run.read("out.jsonl"); got != "{\"v\":1000}\n{\"v\":2000}\n" {
		t.Errorf("%q", got)
	}
}

// TestPrintedIsDone commits behind sinks that print or count, which have nothing that could be lost.
func TestPrintedIsDone(t *testing.T) {
	in, clock := newTape("in", 1), &clock{}
	text := "sources: {in: {type: tape, name: in}}\nsinks: {out: {from: in, type: stdout}, table: {from: in, type: stdout, format: table}, all: {from: in, type: discard}}\n"
	run := newTrial(t, text, nil).start(t, Options{CommitEvery: 5 * time.Millisecond, Clock: clock.time})
	in.all[0].put(timed(1000, 2000)...)
	committed(t, in, "in/0", 2)
	run.stop(t)
}

// TestCommitsOfAWholeDay follows windows that stay open for a day over many partitions: what is kept for it is bounded.
func TestCommitsOfAWholeDay(t *testing.T) {
	const partitions = 100
	in := newTape("in", partitions)
	newShelf("out")
	p := newTrial(t, oneMinute("{bounded: 0s, idle: off, max_ahead: off}"), nil).plan()
	now := time.UnixMilli(0)
	e := newEngine(p, Options{Parallelism: 1, Clock: func() time.Time { return now }, CommitEvery: commitEvery})
	if err := e.open(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	in.all[0].chunks <- timed(1000) // its window stays open
	e.running = t.Context()
	s := e.sources[0]
	chunk, _ := s.partitions[0].input.Next(t.Context())
	e.load(t.Context(), s.partitions[0], &chunk)
	e.step(s.partitions[0], s.partitions[0].queue[0])
	for range 100_000 {
		now = now.Add(time.Second)
		e.commits.tick(e, now)
	}
	if n := len(e.commits.samples); n > 6*manySamples {
		t.Errorf("%d samples", n)
	}
	if n := testing.AllocsPerRun(10, func() { e.commits.sample(e) }); n > 5 {
		t.Errorf("%.0f allocations a sample", n)
	}
	e.feeds.Wait()
}
