package runner

import (
	"fmt"

	"tidemark/operators/expression"
	"tidemark/operators/state"
	"tidemark/operators/watermark"
	"tidemark/runner/plan"
	"tidemark/spec"
	"tidemark/stream"
)

// Some options of a watermark don't follow from the greatest time so far. Their steps are made when a chunk's turn has
// come, in the order of records.

// values follows the watermarks of the values of an expression in a partition.
type values struct {
	*watermark.Values
	table state.Table
	ids   []uint32
}

func newValues(w *plan.Watermark) *values {
	v := &values{Values: watermark.NewValues(w.Strategy, w.ValueIdle)}
	v.Forget = func(id uint32) { v.table.Remove(id) }
	return v
}

// walk makes the steps of a chunk whose turn has come, where they depend on the records before it in another way than
// by their greatest time.
func (p *partition) walk(w *work) {
	plan := &p.source.plan.Watermark
	if k := plan.Strategy.Kind; p.source.plan.Timestamp == nil || k != watermark.Bounded && k != watermark.Monotonous {
		return
	}
	if plan.MaxAhead > 0 && p.source.limit == nil {
		p.walkAhead(w)
	}
	if plan.Per != nil {
		p.walkValues(w)
	}
}

// walkValues makes the steps of the least of all values' watermarks.
func (p *partition) walkValues(w *work) {
	if p.values == nil {
		p.values = newValues(&p.source.plan.Watermark)
	}
	v, b := p.values, w.stage.batch
	if w.ahead > 0 {
		b.Sel = w.near
	}
	w.marks = w.marks[:0]
	row := [1]int32{}
	each(&b, func(r int32) {
		// one by one, since a value that is forgotten gives its number back
		row[0] = r
		v.ids = v.table.Add(&w.valueKeys, row[:], v.ids[:0])
		if mark, rose := v.Add(v.ids[0], b.Times[r]); rose {
			w.marks = append(w.marks, stream.Mark{Cause: uint64(r), Watermark: mark})
		}
	})
}

// walkAhead makes the steps of records that are not too far ahead of those before them.
func (p *partition) walkAhead(w *work) {
	b, ahead := &w.stage.batch, p.machine()
	if b.Selected() == 0 || ahead.Within(w.greatest) {
		return
	}
	w.near = append(w.near[:0], allRows(b)...)
	w.marks = ahead.AppendMarks(w.marks[:0], b.Times[:b.N], b.Sel, p.watermark, func(row int32) {
		if w.ahead == 0 {
			w.firstAhead = row
		}
		at := searchRow(w.near, row)
		w.near = append(w.near[:at], w.near[at+1:]...)
		w.ahead++
	})
}

// machine gives what finds records that are too far ahead of those before them.
func (p *partition) machine() *watermark.Ahead {
	if p.ahead == nil {
		s := &p.source.plan.Watermark
		p.ahead = watermark.NewAhead(s.Strategy, s.MaxAhead)
	}
	return p.ahead
}

// tooFar counts the rows of a chunk that are too far ahead to move the watermark, and tells of the first.
func (e *engine) tooFar(s *source, w *work) {
	if s.counts.Ahead == 0 {
		of := "the clock"
		if s.limit == nil {
			of = "all before it"
		}
		e.warn(fmt.Sprintf("%s: %s is at %s, more than %s ahead of %s: it goes on to its window, and does not move the watermark",
			s.plan.Name, w.where(int(w.firstAhead)), w.scanned.Times[w.firstAhead], spec.Duration(s.plan.Watermark.MaxAhead), of))
	}
	s.counts.Ahead += int64(w.ahead)
}

// RegressError is a record behind another one where on_regress says that this ends the run.
type RegressError struct {
	Source, Place string
	Time, Before  stream.Time
}

// Error names the record and how far it is behind.
func (e *RegressError) Error() string {
	return fmt.Sprintf("%s: %s is at %s, behind %s that came before it, and on_regress says fail; write watermark: 5s if records come out of order",
		e.Source, e.Place, e.Time, e.Before)
}

// regress sees to the rows that are behind the greatest time of their partition, former before the chunk. It reports
// false where the run can't go on.
func (w *work) regress(former stream.Time) bool {
	s, b := w.source.plan, &w.stage.batch
	w.regressed = 0
	if s.Watermark.OnRegress == plan.RegressIgnored {
		return true
	}
	var dropped []expression.Failure
	greatest, raise := w.raising(former)
	each(b, func(row int32) {
		t := b.Times[row]
		if t >= greatest {
			greatest = raise(t)
			return
		}
		if w.regressed == 0 {
			w.firstRegress, w.regressedBy = row, greatest-t
		}
		w.regressed++
		if s.Watermark.OnRegress != plan.RegressDirty {
			raise(t)
		} else {
			dropped = append(dropped, expression.Failure{Row: row,
				Message: fmt.Sprintf("the event time %s is behind %s of a record before it, and the watermark is monotonous", t, greatest)})
		}
	})
	if w.regressed > 0 && s.Watermark.OnRegress == plan.RegressFails {
		t := b.Times[w.firstRegress]
		w.err = &RegressError{Source: s.Name, Place: w.where(int(w.firstRegress)), Time: t, Before: t + w.regressedBy}
		return false
	}
	w.stage.drop(&s.Timestamp.Step, dropped)
	w.takeFailed(w.stage)
	return true
}

// raising gives the greatest time that records are held against, former before the chunk, and what a record makes of it:
// nothing where it is too far ahead to move the watermark.
func (w *work) raising(former stream.Time) (greatest stream.Time, raise func(stream.Time) stream.Time) {
	greatest = former
	if s := w.source; s.plan.Watermark.MaxAhead > 0 && s.limit == nil {
		machine := *w.partition.machine() // walk takes the records that are left in turn
		return machine.Greatest(), func(t stream.Time) stream.Time {
			machine.Move(t)
			return machine.Greatest()
		}
	}
	return greatest, func(t stream.Time) stream.Time {
		if w.source.limit == nil || t <= w.limit {
			greatest = max(greatest, t)
		}
		return greatest
	}
}

// behind counts the rows of a chunk that are behind others and were let through, and tells of the first.
func (e *engine) behind(s *source, w *work) {
	if s.plan.Watermark.OnRegress != plan.RegressWarned {
		return
	}
	if s.counts.Regressed == 0 {
		e.warn(fmt.Sprintf("%s: %s is %s behind a record before it, and the watermark is monotonous: its window may be gone",
			s.plan.Name, w.where(int(w.firstRegress)), spec.Duration(w.regressedBy)))
	}
	s.counts.Regressed += int64(w.regressed)
}
