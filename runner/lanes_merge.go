package runner

import (
	"tidemark/operators/window"
	"tidemark/stream"
)

func (l *lane) begin() {
	l.rows, l.late, l.failed = l.rows[:0], l.late[:0], l.failed[:0]
	columns := len(l.results.Columns)
	triggers := l.results.Triggers[:0]
	begin(&l.results.Batch, columns)
	l.results.Triggers = triggers
}

// Rows implements window.Output: it keeps the rows, failed ones too, which hold their place.
func (l *lane) Rows(r *window.Rows) {
	for row := range r.N {
		appendRow(&l.results, r, row)
	}
}

// appendRow appends a row of r to dst.
func appendRow(dst, r *window.Rows, row int) {
	for c := range dst.Columns {
		dst.Columns[c].AppendRow(&r.Columns[c], row)
	}
	dst.Causes = append(dst.Causes, r.Cause(row))
	dst.Orders = append(dst.Orders, r.Orders[row])
	dst.Triggers = append(dst.Triggers, r.Triggers[row])
	if len(r.Times) > 0 {
		dst.Times = append(dst.Times, r.Times[row])
	}
	dst.N++
}

// Failed implements window.Output. It is called before Rows, so the row's place is behind what is kept.
func (l *lane) Failed(_ *window.Rows, row int32, aggregate int, message string) {
	l.failed = append(l.failed, failedRow{int32(l.results.N) + row, aggregate, message})
}

// Late implements window.Output.
func (l *lane) Late(row int32, watermark, windowEnd stream.Time) {
	l.late = append(l.late, lateRow{row: row, watermark: watermark, end: windowEnd})
}

// Uncovered implements window.Output.
func (l *lane) Uncovered(row int32) { l.late = append(l.late, lateRow{row: row, uncovered: true}) }

// mergeRows gives the rows of all lanes in order, in bunches, with the batch's marks behind what they caused.
func (l *lanes) mergeRows(b *stream.Batch, out window.Output) {
	marks := b.Marks
	l.restart()
	l.order.each(len(l.lane), func(i int) int { return l.lane[i].results.N }, l.before, func(e element) {
		lane := &l.lane[e.sequence]
		if l.merged.N == window.BunchRows {
			marks = l.give(b, marks, lane.results.Causes[e.index], out)
		}
		at := int32(l.merged.N)
		appendRow(&l.merged, &lane.results, e.index)
		bad := len(lane.failed) > 0 && int(lane.failed[0].row) == e.index
		if bad {
			f := lane.failed[0]
			lane.failed = lane.failed[1:]
			out.Failed(&l.merged, at, f.aggregate, f.message)
		}
		l.selectLast(bad)
	})
	l.give(b, marks, ^uint64(0), out)
}

// selectLast selects the last row of the bunch unless it failed. A selection is only kept once a row has failed.
func (l *lanes) selectLast(bad bool) {
	last := int32(l.merged.N - 1)
	switch {
	case bad && l.merged.Sel == nil:
		l.merged.Sel = append(make([]int32, 0, window.BunchRows), iota32(int(last))...)
	case !bad && l.merged.Sel != nil:
		l.merged.Sel = append(l.merged.Sel, last)
	}
}

// before says whether one lane's row comes before another's.
func (l *lanes) before(a, b element) bool {
	x, y := &l.lane[a.sequence].results, &l.lane[b.sequence].results
	if x.Triggers[a.index] != y.Triggers[b.index] {
		return x.Triggers[a.index] < y.Triggers[b.index]
	}
	return x.Orders[a.index].Less(y.Orders[b.index])
}

// give hands on the bunch with the marks of causes below next, and gives the marks that are left.
func (l *lanes) give(b *stream.Batch, marks []stream.Mark, next uint64, out window.Output) []stream.Mark {
	l.merged.Marks = l.merged.Marks[:0]
	for len(marks) > 0 && (next == ^uint64(0) || b.Base+marks[0].Cause < next) {
		l.merged.Marks = append(l.merged.Marks, stream.Mark{Cause: b.Base + marks[0].Cause, Watermark: marks[0].Watermark})
		marks = marks[1:]
	}
	if l.merged.N > 0 || len(l.merged.Marks) > 0 {
		out.Rows(&l.merged)
	}
	l.restart()
	return marks
}

// restart begins an empty bunch.
func (l *lanes) restart() {
	triggers := l.merged.Triggers[:0]
	begin(&l.merged.Batch, l.columns)
	l.merged.Triggers = triggers
}
