package runner

import (
	"fmt"

	"tidemark/operators/watermark"
	"tidemark/stream"
)

// apply takes pieces in order for as long as there are any ready. It is called by the worker with the token.
func (e *engine) apply() {
	defer e.watch.leave()
	defer e.recovered(e.watch.name)
	for {
		e.mu.Lock()
		var p *partition
		var w *work
		due, joining := e.due, e.joining
		e.due, e.joining = false, nil
		if !e.over() {
			if p = e.turn(); p != nil && len(p.queue) > 0 {
				w = p.queue[0]
			}
		}
		prompt := e.prompt
		e.mu.Unlock()
		e.join(e.running, joining)
		if due {
			e.tick()
		}
		switch {
		case p == nil:
			if prompt {
				e.flushSinks()
			}
			return
		case w == nil:
			e.endPartition(p)
		default:
			e.step(p, w)
		}
	}
}

// step applies the next piece of a chunk.
func (e *engine) step(p *partition, w *work) {
	if !p.admitted {
		e.watch.enter(p.source.meter)
		p.admit(w)
		if p.source.deferred {
			e.watch.pass(w.prepared)
		}
	}
	if w.err != nil {
		e.fail(w.err)
		return
	}
	from := p.row
	if e.unbounded {
		piece := e.cut(p, nil, w)
		piece.marks = p.combined(piece)
		e.rows(p.source, piece)
	} else {
		_, second := e.lowest()
		piece := e.cut(p, second, w)
		marks, undo := p.raise(piece.marks)
		piece.marks = marks
		e.rows(p.source, piece)
		undo()
	}
	e.checkMemory(p.row - from)
	if p.row < w.scanned.N {
		return
	}
	p.greatest = max(p.greatest, w.greatest)
	p.passed += w.size()
	p.admitted = false
	if w.records != nil {
		w.records.loader.Release()
	}
	e.mu.Lock()
	p.position = w.chunk.End
	p.queue = append(p.queue[:0], p.queue[1:]...)
	if p.taken != nil {
		p.catchUp()
	}
	p.source.free = append(p.source.free, w)
	e.ahead--
	e.mu.Unlock()
	e.wake.Broadcast()
}

// rows gives a piece to everything that reads its source.
func (e *engine) rows(s *source, piece piece) {
	w := piece.work
	view := &w.stage.batch
	view.Base, view.Marks = piece.base, piece.marks
	e.watch.enter(s.meter)
	if w.skipped {
		e.skipped(s, piece)
		return
	}
	e.current = piece
	e.failed(s, piece)
	if w.ahead > 0 && piece.lo == 0 {
		e.tooFar(s, w)
	}
	if w.regressed > 0 && piece.lo == 0 {
		e.behind(s, w)
	}
	rows := within(view, piece.lo, piece.hi)
	s.counts.In += int64(piece.hi - piece.lo)
	if w.records != nil && piece.hi == w.scanned.N {
		s.counts.Omitted += int64(w.records.loader.Skipped())
	}
	s.counts.Out += int64(len(rows))
	if s.plan.Timestamp != nil && len(s.first) < suspects {
		e.look(s, view, rows)
	}
	if len(s.readers) > 0 {
		sel := view.Sel
		view.Sel = rows
		push(s.readers, view)
		view.Sel = sel
	}
	for i := range w.region {
		n, in := &s.region[i], view
		if n.from >= 0 {
			in = &w.region[n.from].transform.batch
		}
		if n.sink != nil {
			e.watch.enter(n.sink.meter)
			n.sink.takeLines(w.region[i].lines.between(piece.lo, piece.hi))
			continue
		}
		p := w.region[i].transform
		p.batch.Base, p.batch.Marks = piece.base, piece.marks
		e.watch.enter(n.transform.meter)
		n.transform.apply(p, &p.batch, in, piece.lo, piece.hi)
	}
	e.flush()
	e.current.work = nil
}

// origin gives where the record was read that a row is of, or nil: what has the cause of a record of the piece at hand is
// that record, unless a window wrote it.
func (e *engine) origin(b *stream.Batch, row int32) map[string]any {
	p := &e.current
	if p.work == nil || orderOf(b, int(row)).End != stream.MinTime {
		return nil
	}
	if at := b.Cause(int(row)) - p.base; at >= uint64(p.lo) && at < uint64(p.hi) {
		return p.work.meta(int(at))
	}
	return nil
}

// flush hands on what nodes gathered from a piece.
func (e *engine) flush() {
	for _, s := range e.sources {
		s.dirt.flush()
	}
	for i := range e.flushed {
		e.watch.enter(e.flushed[i].meter)
		e.flushed[i].node.flush()
	}
	e.watch.leave()
}

// dirtyRows is how many lines that could not be used are kept at most before they are handed on.
const dirtyRows = 4096

// failed reports the lines of a piece that could not be used.
func (e *engine) failed(s *source, piece piece) {
	for _, f := range between(piece.work.failed, piece.lo, piece.hi) {
		w := piece.work
		s.counts.Dirty++
		if len(s.counts.samples) < maxSamples {
			s.counts.samples = append(s.counts.samples, w.describe(&f))
		}
		if e.strict.dirty {
			e.refuseDirty(s.plan.Name, w.describe(&f))
		}
		if len(s.dirt.readers) == 0 {
			continue
		}
		r := dirtyRow{cause: piece.base + uint64(f.row), reason: s.plan.Redact(f.step.Redact(f.message)), field: f.step.Field,
			raw:  w.sample(int(f.row)),
			meta: w.meta(int(f.row)),
		}
		if s.record != nil {
			r.raw, r.object = line(s.record, &w.stage.batch, int(f.row)), true
		}
		if f.step.Node != nil {
			r.expr = exprOf(f.step)
		}
		if s.dirt.add(r); len(s.dirt.rows) == dirtyRows {
			s.dirt.flush()
		}
	}
}

// endPartition takes the end of a partition, which is a row of its own in the source order.
func (e *engine) endPartition(p *partition) {
	e.mu.Lock()
	err := p.err
	e.mu.Unlock()
	if err != nil {
		e.fail(err)
		return
	}
	if w, rose := e.endOf(p); rose {
		e.mark(p.source, w)
	}
	e.cause++
	e.watch.enter(p.source.meter)
	if err := p.input.Close(); err != nil {
		e.fail(fmt.Errorf("%s: %w", p.source.plan.Name, err))
	}
}

// mark raises the watermark of a source, without rows.
func (e *engine) mark(s *source, w stream.Time) {
	e.advance(s, stream.Batch{Base: e.cause, Marks: []stream.Mark{{Watermark: w}}})
}

// advance gives a batch without rows, for the sake of its marks or since the source is idle, to everything that reads
// a source.
func (e *engine) advance(s *source, news stream.Batch) {
	e.watch.enter(s.meter)
	s.dirt.follow(&news)
	push(s.readers, rowless(len(s.plan.Stage.Slots), news))
	for _, n := range s.region {
		if n.transform == nil {
			continue
		}
		columns := len(s.plan.Stage.Slots)
		if n.from >= 0 {
			columns = len(s.region[n.from].transform.plan.Prepare.Slots)
		}
		e.watch.enter(n.transform.meter)
		n.transform.take(0, rowless(columns, news))
	}
	e.flush()
}

// rowless gives a batch without rows its columns.
func rowless(columns int, news stream.Batch) *stream.Batch {
	news.Columns = make([]stream.Column, columns)
	return &news
}

// suspects is the number of records whose event times are looked at.
const suspects = 100

// look keeps the event times of the first records, and says so when none of them is likely.
func (e *engine) look(s *source, b *stream.Batch, rows []int32) {
	for _, row := range rows {
		if len(s.first) == suspects {
			break
		}
		s.first = append(s.first, b.Times[row])
	}
	if len(s.first) == suspects {
		e.suspect(s)
	}
}

// suspect warns when all of the first event times are unlikely.
func (e *engine) suspect(s *source) {
	unit, _ := s.unit()
	fits, suspect := watermark.Suspect(s.first, unit)
	if !suspect || len(s.first) == 0 {
		return
	}
	text := s.plan.Name + ": the event times of the first records are about " + s.first[0].String()
	if unit == watermark.NoUnit {
		e.warn(text + "; is that right?")
		return
	}
	text += "; the unit " + unit.String() + " looks wrong"
	if fits != watermark.NoUnit {
		text += ": unit: " + fits.String() + " would fit"
	}
	e.warn(text)
}

func (e *engine) flushSinks() {
	for _, s := range e.sinks {
		s.check(s.out.Flush())
	}
}
