package runner

import (
	"tidemark/operators/window"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// Rows implements window.Output: the results pass the finish stage and go to the readers.
func (t *transform) Rows(r *window.Rows) {
	t.finish.run(&r.Batch, streamFacts)
	b := &t.finish.batch
	for i := range t.finish.failed {
		f := &t.finish.failed[i]
		t.resultFailed(&r.Batch, int(f.row), f)
	}
	if t.split != nil {
		t.counts.Out += int64(t.split.deal(b, allRows(b), func(f *failure) { t.resultFailed(&r.Batch, int(f.row), f) }))
		return
	}
	t.counts.Out += int64(b.Selected())
	push(t.readers, b)
}

// Failed implements window.Output.
func (t *transform) Failed(r *window.Rows, row int32, aggregate int, message string) {
	a := t.plan.Window.Aggregates[aggregate]
	t.resultFailed(&r.Batch, int(row), &failure{row, a.Step(), message})
}

// resultFailed reports a row of the result that cannot be given.
func (t *transform) resultFailed(b *stream.Batch, row int, f *failure) {
	t.counts.Failed++
	t.counts.sample(t.plan.Name, f)
	t.engine.refuseDirty(t.plan.Name, f.step.Redact(f.message))
	r := dirtyRow{cause: b.Cause(row), reason: f.step.Redact(f.message), field: f.step.Field, expr: exprOf(f.step)}
	if t.result != nil {
		r.raw, r.object = line(t.result, b, row), true
	}
	t.dirt.add(r)
}

// Uncovered implements window.Output.
func (t *transform) Uncovered(int32) {
	t.counts.Used--
	t.counts.Filtered++
	t.counts.Uncovered++
}

// Late implements window.Output: the record goes to the late output as it came in, once, however many of its elements are
// late.
func (t *transform) Late(row int32, watermark, windowEnd stream.Time) {
	t.counts.Used--
	t.counts.Late++
	t.counts.LateBy = max(t.counts.LateBy, int64(watermark-t.current.Times[row]))
	if t.engine.strict.late {
		t.engine.fail(&LateError{t.plan.Name, t.current.Times[row], watermark})
	}
	if len(t.late) == 0 || t.exploder.again(row) {
		return
	}
	b := &t.lateOut
	if b.N == 0 {
		begin(b, len(t.plan.LateColumns))
	}
	for i, c := range t.plan.LateColumns {
		switch c.Fact {
		case plan.LateBy:
			b.Columns[i].AppendInt(int64(watermark - t.current.Times[row]))
		case plan.WindowEnd:
			if windowEnd == stream.MinTime {
				b.Columns[i].AppendNull()
			} else {
				b.Columns[i].AppendInstant(windowEnd)
			}
		default:
			b.Columns[i].AppendRow(&t.current.Columns[c.Slot], int(row))
		}
	}
	b.Causes = append(b.Causes, t.current.Cause(int(row)))
	b.Orders = append(b.Orders, orderOf(t.current, int(row)))
	b.Times = append(b.Times, t.current.Times[row])
	b.N++
}

// flushLate hands on the late records of a batch, and its marks.
func (t *transform) flushLate() {
	if len(t.late) == 0 {
		return
	}
	b := &t.lateOut
	if b.N == 0 {
		begin(b, len(t.plan.LateColumns))
	}
	for _, m := range t.current.Marks {
		b.Marks = append(b.Marks, stream.Mark{Cause: t.current.Base + m.Cause, Watermark: m.Watermark})
	}
	push(t.late, b)
	begin(b, len(t.plan.LateColumns))
}
