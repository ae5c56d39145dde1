package runner

import (
	"tidemark/operators/watermark"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// union gathers the rows of several outputs and hands them on merged by cause; rows of one cause by the order of
// their windows, then by input.
type union struct {
	plan     *plan.Union
	readers  []target
	gathered []stream.Batch // by input; causes absolute
	minimum  *watermark.Minimum
	// quiet are the inputs that are idle. changed says that one has become idle, or is not any more, by cause at; idle
	// that all of them are which have not ended.
	quiet         []bool
	changed, idle bool
	at            uint64
	out           stream.Batch
	next          []int
}

func newUnion(p *plan.Union, readers []target) *union {
	u := &union{
		plan: p, readers: readers, gathered: make([]stream.Batch, len(p.Inputs)), next: make([]int, len(p.Inputs)),
		quiet: make([]bool, len(p.Inputs)), minimum: watermark.NewMinimum(len(p.Inputs)),
	}
	for i := range u.gathered {
		u.gathered[i].Reset(len(p.Columns))
	}
	return u
}

// take implements node.
func (u *union) take(input int, b *stream.Batch) {
	g := &u.gathered[input]
	each(b, func(row int32) {
		for c, columns := range u.plan.Columns {
			gather(&g.Columns[c], columns[input], input, b, int(row))
		}
		g.Causes = append(g.Causes, b.Cause(int(row)))
		g.Orders = append(g.Orders, orderOf(b, int(row)))
		g.Times = append(g.Times, timeOf(b, int(row)))
		g.N++
	})
	for _, m := range b.Marks {
		g.Marks = append(g.Marks, stream.Mark{Cause: b.Base + m.Cause, Watermark: m.Watermark})
	}
	if b.Idle != u.quiet[input] {
		u.quiet[input], u.changed, u.at = b.Idle, true, b.Base
		u.minimum.Activate(input, !b.Idle)
	}
}

// gather appends a row's value in one column of the union.
func gather(dst *stream.Column, from, input int, b *stream.Batch, row int) {
	switch from {
	case plan.FromNowhere:
		dst.AppendNull()
	case plan.FromNumber:
		dst.AppendInt(int64(input))
	default:
		dst.AppendRow(&b.Columns[from], row)
	}
}

// earlier says whether, of two rows of one cause, a's window comes before b's. Rows that no window wrote come first.
func earlier(a, b stream.Order) bool {
	if a.End != b.End {
		return a.End < b.End
	}
	return a.Start < b.Start
}

func orderOf(b *stream.Batch, row int) stream.Order {
	if b.Orders == nil {
		return stream.Order{End: stream.MinTime}
	}
	return b.Orders[row]
}

func timeOf(b *stream.Batch, row int) stream.Time {
	if len(b.Times) == 0 {
		return stream.MinTime
	}
	return b.Times[row]
}

// flush implements node.
func (u *union) flush() {
	out := &u.out
	begin(out, len(u.plan.Columns))
	clear(u.next)
	for {
		input := u.least()
		if input < 0 {
			break
		}
		u.move(input)
	}
	u.marks()
	u.tellIdle()
	for i := range u.gathered {
		if g := &u.gathered[i]; g.N > 0 || len(g.Marks) > 0 {
			begin(g, len(u.plan.Columns))
		}
	}
	if out.N > 0 || len(out.Marks) > 0 || out.Idle || u.changed {
		push(u.readers, out)
	}
	u.changed = false
}

// tellIdle lets inputs that are idle no longer hold the others back, and tells the readers when all are idle.
func (u *union) tellIdle() {
	for i, quiet := range u.quiet {
		u.minimum.Activate(i, !quiet) // its last watermark has woken it
	}
	if u.changed {
		if w, rose := u.minimum.Combine(); rose {
			u.out.Marks = appendMark(u.out.Marks, stream.Mark{Cause: u.at, Watermark: w})
		}
	}
	idle := u.minimum.AllIdle()
	u.changed = u.changed || idle != u.idle
	u.idle = idle
	u.out.Idle = u.idle && u.changed
}

// least gives the input whose next row comes first, or −1.
func (u *union) least() int {
	best := -1
	for i := range u.gathered {
		if u.next[i] >= u.gathered[i].N {
			continue
		}
		if best < 0 || u.before(i, best) {
			best = i
		}
	}
	return best
}

func (u *union) before(i, j int) bool {
	a, b := &u.gathered[i], &u.gathered[j]
	ra, rb := u.next[i], u.next[j]
	if a.Causes[ra] != b.Causes[rb] {
		return a.Causes[ra] < b.Causes[rb]
	}
	return earlier(a.Orders[ra], b.Orders[rb])
}

// move appends the next row of an input to the output.
func (u *union) move(input int) {
	g, row, out := &u.gathered[input], u.next[input], &u.out
	for c := range out.Columns {
		out.Columns[c].AppendRow(&g.Columns[c], row)
	}
	out.Causes = append(out.Causes, g.Causes[row])
	out.Orders = append(out.Orders, g.Orders[row])
	out.Times = append(out.Times, g.Times[row])
	out.N++
	u.next[input]++
}

// marks merges the inputs' watermarks: the least counts.
func (u *union) marks() {
	clear(u.next)
	for {
		best := -1
		for i := range u.gathered {
			marks := u.gathered[i].Marks
			if u.next[i] < len(marks) && (best < 0 || marks[u.next[i]].Cause < u.gathered[best].Marks[u.next[best]].Cause) {
				best = i
			}
		}
		if best < 0 {
			return
		}
		m := u.gathered[best].Marks[u.next[best]]
		u.next[best]++
		u.minimum.Set(best, m.Watermark)
		if w, rose := u.minimum.Combine(); rose {
			u.out.Marks = appendMark(u.out.Marks, stream.Mark{Cause: m.Cause, Watermark: w})
		}
	}
}

// appendMark appends a step, in place of one of the same cause.
func appendMark(marks []stream.Mark, m stream.Mark) []stream.Mark {
	if n := len(marks); n > 0 && marks[n-1].Cause == m.Cause {
		marks[n-1] = m
		return marks
	}
	return append(marks, m)
}
