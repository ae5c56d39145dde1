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
	clear(l.next)
	failed := make([]int, len(l.lane))
	marks := b.Marks
	l.restart()
	for {
		best := l.first()
		if best < 0 {
			break
		}
		lane, row := &l.lane[best], l.next[best]
		l.next[best]++
		if l.merged.N == window.BunchRows {
			marks = l.give(b, marks, lane.results.Causes[row], out)
		}
		at := int32(l.merged.N)
		appendRow(&l.merged, &lane.results, row)
		bad := failed[best] < len(lane.failed) && int(lane.failed[failed[best]].row) == row
		if bad {
			f := lane.failed[failed[best]]
			failed[best]++
			out.Failed(&l.merged, at, f.aggregate, f.message)
		}
		l.selectLast(bad)
	}
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

// first gives the lane whose next row comes first, or −1.
func (l *lanes) first() int {
	best := -1
	for i := range l.lane {
		if l.next[i] < l.lane[i].results.N && (best < 0 || l.before(i, best)) {
			best = i
		}
	}
	return best
}

func (l *lanes) before(i, j int) bool {
	a, b := &l.lane[i].results, &l.lane[j].results
	x, y := l.next[i], l.next[j]
	if a.Triggers[x] != b.Triggers[y] {
		return a.Triggers[x] < b.Triggers[y]
	}
	return a.Orders[x].Less(b.Orders[y])
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
