package runner

import (
	"container/heap"
	"sort"

	"tidemark/stream"
)

// The sequencer chooses the next rows: those of the partition with the lowest watermark, then the lowest source and
// partition number. In this order the watermark before a row is that of its own partition, for each source alone
// and for all together.

// queue orders a source's partitions by watermark, then number.
type queue []*partition

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].before(q[j]) }
func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}

// Push implements heap.Interface.
func (q *queue) Push(x any) {
	p := x.(*partition)
	p.place = len(*q)
	*q = append(*q, p)
}

// Pop implements heap.Interface.
func (q *queue) Pop() any {
	last := len(*q) - 1
	p := (*q)[last]
	*q = (*q)[:last]
	return p
}

// before says whether the next row of p comes before that of o.
func (p *partition) before(o *partition) bool { return !p.behind(p.watermark, o) }

// behind says whether, with watermark w, the next row of p would come after that of o.
func (p *partition) behind(w stream.Time, o *partition) bool {
	switch {
	case w != o.watermark:
		return w > o.watermark
	case p.source != o.source:
		return p.source.plan.Number > o.source.plan.Number
	}
	return p.number > o.number
}

// second gives the partition of a source that comes after the first one, or nil.
func (s *source) second() *partition {
	switch q := s.queue; {
	case len(q) < 2:
		return nil
	case len(q) > 2 && q[2].before(q[1]):
		return q[2]
	default:
		return q[1]
	}
}

// lowest gives the partition whose turn it is and the one that follows, nil where there is none.
func (e *engine) lowest() (first, second *partition) {
	for _, s := range e.sources {
		if len(s.queue) == 0 {
			continue
		}
		p := s.queue[0]
		if first == nil || p.before(first) {
			first, second = p, first
		} else if second == nil || p.before(second) {
			second = p
		}
	}
	if first == nil {
		return nil, nil
	}
	if p := first.source.second(); p != nil && (second == nil || p.before(second)) {
		second = p
	}
	return first, second
}

// piece is consecutive rows of a chunk, from lo up to hi, with steps of the watermark that follow rows among them.
type piece struct {
	work   *work
	lo, hi int
	// base added to a row gives its cause.
	base  uint64
	marks []stream.Mark
}

// emits says that the rows give a watermark, be it no step: under Punctuated only those with a marker do.
func (p *piece) emits() bool {
	if p.work.source.plan.Watermark.Marker == nil || p.work.skipped {
		return p.hi > p.lo
	}
	marked := p.work.marked
	i := sort.Search(len(marked), func(i int) bool { return int(marked[i]) >= p.lo })
	return i < len(marked) && int(marked[i]) < p.hi
}

// cut takes the next piece of a partition's chunk: up to the row after which second comes first.
func (e *engine) cut(p, second *partition, w *work) piece {
	marks := w.marks[p.mark:]
	hi, n := w.scanned.N, len(marks)
	if second != nil {
		if i := sort.Search(n, func(i int) bool { return p.behind(marks[i].Watermark, second) }); i < n {
			hi, n = int(marks[i].Cause)+1, i+1
		}
	}
	if most := e.options.BatchRows; most > 0 && hi-p.row > most {
		hi = p.row + most
		n = sort.Search(n, func(i int) bool { return int(marks[i].Cause) >= hi })
	}
	piece := piece{work: w, lo: p.row, hi: hi, base: e.cause - uint64(p.row), marks: marks[:n]}
	e.cause += uint64(hi - p.row)
	p.row, p.mark = hi, p.mark+n
	return piece
}

// raise takes over the watermark that a piece leads to, and gives the piece's marks as the source's readers see
// them: the last one may be held back by another partition. undo restores the marks.
func (p *partition) raise(marks []stream.Mark) (shown []stream.Mark, undo func()) {
	undo = func() {}
	if len(marks) == 0 {
		return marks, undo
	}
	last := &marks[len(marks)-1]
	p.watermark = last.Watermark
	heap.Fix(&p.source.queue, p.place)
	combined := p.source.queue[0].watermark
	switch plan := &p.source.plan.Watermark; {
	case plan.Interval > 0:
		if plan.PerSource {
			combined = last.Watermark
		}
		p.source.pending = max(p.source.pending, combined)
		return nil, undo
	case plan.PerSource:
		return p.source.above(marks), undo
	}
	if combined < last.Watermark {
		own := last.Watermark
		last.Watermark = combined
		undo = func() { last.Watermark = own }
	}
	before := p.source.watermark
	if len(marks) > 1 {
		before = max(before, marks[len(marks)-2].Watermark)
	}
	if combined <= before {
		marks = marks[:len(marks)-1]
	}
	if len(marks) > 0 {
		p.source.watermark = marks[len(marks)-1].Watermark
	}
	return marks, undo
}

// above gives the marks that raise the watermark of a source whose partitions share one.
func (s *source) above(marks []stream.Mark) []stream.Mark {
	marks = marks[sort.Search(len(marks), func(i int) bool { return marks[i].Watermark > s.watermark }):]
	if len(marks) > 0 {
		s.watermark = marks[len(marks)-1].Watermark
	}
	return marks
}

// admit begins a chunk whose turn has come.
func (p *partition) admit(w *work) {
	p.admitted = true
	switch c := w.chunk; {
	case c.Line > 0:
		p.passed = c.Line - 1
	case c.Offset == 0:
		p.passed = 0 // a file begins
	}
	w.before = p.passed
	if w.source.deferred && w.err == nil && !w.skipped {
		w.evaluate(p.greatest)
	}
	if fault, ok := w.err.(*UnitError); ok {
		fault.Line = w.line(int(fault.Cause.Row))
		if w.records != nil {
			fault.Place = w.where(int(fault.Cause.Row))
		}
	}
	p.row = 0
	if w.err == nil {
		p.walk(w)
	}
	p.mark = sort.Search(len(w.marks), func(i int) bool { return w.marks[i].Watermark > p.watermark })
	if !w.skipped {
		p.source.leaps(p, w, w.marks[p.mark:])
	}
}

// endOf ends a partition. It gives the source's watermark after that and reports whether it rose.
func (e *engine) endOf(p *partition) (stream.Time, bool) {
	p.ended = true
	if !e.unbounded {
		return p.end()
	}
	p.watermark = stream.MaxTime
	s := p.source
	w, _ := s.combiner.Close(p.number)
	rose := w > s.watermark // where partitions share one, it may be beyond those of the rest
	s.watermark = max(s.watermark, w)
	return s.watermark, rose
}

// end takes a partition out of the source order. It gives the source's watermark after that and reports whether it rose.
func (p *partition) end() (stream.Time, bool) {
	s := p.source
	heap.Remove(&s.queue, p.place)
	w := stream.MaxTime
	if len(s.queue) > 0 {
		if w = s.queue[0].watermark; s.plan.Watermark.PerSource {
			w = s.watermark
		} else if s.plan.Watermark.Interval > 0 {
			s.pending, w = max(s.pending, w), s.watermark
		}
	}
	rose := w > s.watermark
	s.watermark = max(s.watermark, w)
	return s.watermark, rose
}
