package runner

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tidemark/operators/watermark"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// turn is what happened for one cause: which row it was, or a partition's end (row −1), and the watermark of the
// row's source after it, as readers are told.
type turn struct {
	source, partition, row int
	watermark              stream.Time
}

// arrivals are the event times of partitions, by source.
type arrivals struct {
	strategies []watermark.Strategy
	times      [][][]stream.Time
}

// naive takes one row at a time: that of the partition with the lowest watermark, then the lowest source and
// partition.
func (in *arrivals) naive() (turns []turn) {
	type state struct {
		source, partition, row int
		greatest               stream.Time
		ended                  bool
	}
	var all []*state
	for s, partitions := range in.times {
		for p := range partitions {
			all = append(all, &state{source: s, partition: p, greatest: stream.MinTime})
		}
	}
	for {
		var next *state
		for _, p := range all {
			if !p.ended && (next == nil || in.strategies[p.source].At(p.greatest) < in.strategies[next.source].At(next.greatest)) {
				next = p
			}
		}
		if next == nil {
			return turns
		}
		t := turn{source: next.source, partition: next.partition, row: next.row}
		if times := in.times[next.source][next.partition]; next.row < len(times) {
			next.greatest = max(next.greatest, times[next.row])
			next.row++
		} else {
			next.ended, t.row = true, -1
		}
		t.watermark = stream.MaxTime
		for _, p := range all {
			if p.source == next.source && !p.ended {
				t.watermark = min(t.watermark, in.strategies[p.source].At(p.greatest))
			}
		}
		turns = append(turns, t)
	}
}

// engine makes an engine whose partitions hold the input in chunks cut by cut.
func (in *arrivals) engine(cut func(rows int) int) *engine {
	e := &engine{}
	for number, partitions := range in.times {
		s := &source{plan: &plan.Source{Number: number}, watermark: stream.MinTime}
		for i, times := range partitions {
			p := &partition{source: s, number: i, watermark: stream.MinTime, greatest: stream.MinTime}
			for rest := times; len(rest) > 0; {
				n := cut(len(rest))
				w := &work{source: s, partition: p, scanned: stream.Batch{N: n}}
				w.marks, w.greatest = in.strategies[number].AppendMarks(nil, rest[:n], nil, stream.MinTime)
				p.queue, rest = append(p.queue, w), rest[n:]
			}
			s.partitions = append(s.partitions, p)
			s.queue.Push(p)
		}
		e.sources = append(e.sources, s)
	}
	return e
}

// sequenced gives what the engine's sequencer makes of its chunks.
func sequenced(t *rapid.T, e *engine) (turns []turn) {
	for {
		p, second := e.lowest()
		if p == nil {
			return turns
		}
		if len(p.queue) == 0 {
			w, rose := p.end()
			if was := last(turns, p.source); rose != (w > was) {
				t.Fatalf("the end of a partition takes the watermark from %d to %d, and it rose: %v", was, w, rose)
			}
			turns = append(turns, turn{p.source.plan.Number, p.number, -1, w})
			e.cause++
			continue
		}
		turns = take(t, e, p, second, turns)
	}
}

// last gives a source's watermark after the turns.
func last(turns []turn, s *source) stream.Time {
	for _, t := range slices.Backward(turns) {
		if t.source == s.plan.Number {
			return t.watermark
		}
	}
	return stream.MinTime
}

// passed gives the number of a partition's rows among the turns.
func passed(turns []turn, p *partition) (n int) {
	for _, t := range turns {
		if t.source == p.source.plan.Number && t.partition == p.number && t.row >= 0 {
			n++
		}
	}
	return n
}

// take takes the next piece of a partition and appends its turns.
func take(t *rapid.T, e *engine, p, second *partition, turns []turn) []turn {
	w, was := p.queue[0], last(turns, p.source)
	if !p.admitted {
		p.admit(w)
	}
	own := slices.Clone(w.marks)
	piece := e.cut(p, second, w)
	if piece.base+uint64(piece.hi) != e.cause {
		t.Fatalf("rows %d to %d from %d on lead to cause %d", piece.lo, piece.hi, piece.base, e.cause)
	}
	if n := piece.hi - piece.lo; e.options.BatchRows > 0 && n > e.options.BatchRows || n == 0 && w.scanned.N > 0 {
		t.Fatalf("a piece of %d rows", n)
	}
	marks, undo := p.raise(piece.marks)
	first := passed(turns, p) - piece.lo
	for row := piece.lo; row < piece.hi; row++ {
		for len(marks) > 0 && int(marks[0].Cause) == row {
			if marks[0].Watermark <= was {
				t.Fatalf("the watermark steps from %d to %d", was, marks[0].Watermark)
			}
			was, marks = marks[0].Watermark, marks[1:]
		}
		turns = append(turns, turn{p.source.plan.Number, p.number, first + row, was})
	}
	if undo(); len(marks) > 0 || !slices.Equal(own, w.marks) {
		t.Fatalf("steps %v are left; the chunk's are %v, were %v", marks, w.marks, own)
	}
	if p.row == w.scanned.N {
		p.admitted, p.queue = false, p.queue[1:]
	}
	return turns
}

// TestSequencer compares the sequencer, which takes as many rows at once as it can, with one row at a time.
func TestSequencer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := &arrivals{}
		for range rapid.IntRange(1, 3).Draw(t, "sources") {
			kind := rapid.SampledFrom([]watermark.Kind{watermark.Bounded, watermark.Monotonous, watermark.None}).Draw(t, "strategy")
			in.strategies = append(in.strategies, watermark.Strategy{Kind: kind, Delay: rapid.Int64Range(0, 3).Draw(t, "delay")})
			time := rapid.Map(rapid.Int64Range(-3, 12), func(v int64) stream.Time { return stream.Time(v) })
			in.times = append(in.times, rapid.SliceOfN(rapid.SliceOfN(time, 0, 12), 0, 4).Draw(t, "times"))
		}
		e := in.engine(func(rows int) int { return rapid.IntRange(1, rows).Draw(t, "cut") })
		e.options.BatchRows = rapid.IntRange(0, 4).Draw(t, "batch rows")
		want, got := in.naive(), sequenced(t, e)
		for i := range max(len(want), len(got)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				t.Fatalf("cause %d: got %v, wants %v", i, got[min(i, len(got)):], want[min(i, len(want)):])
			}
		}
	})
}

// TestSequencerEmptyChunk takes chunks without rows, as those within a long line are.
func TestSequencerEmptyChunk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := &arrivals{strategies: make([]watermark.Strategy, 1), times: [][][]stream.Time{{{5, 6}, {1, 9}}}}
		e := in.engine(func(int) int { return 1 })
		for _, p := range e.sources[0].partitions {
			w := &work{source: p.source, partition: p}
			p.queue = slices.Insert(p.queue, rapid.IntRange(0, len(p.queue)).Draw(t, "place"), w)
		}
		if got, want := sequenced(t, e), in.naive(); !slices.Equal(got, want) {
			t.Fatalf("got %v, wants %v", got, want)
		}
	})
}
