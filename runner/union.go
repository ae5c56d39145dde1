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
	order         merge
}

func newUnion(p *plan.Union, readers []target) *union {
	u := &union{
		plan: p, readers: readers, gathered: make([]stream.Batch, len(p.Inputs)),
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
	u.order.each(len(u.gathered), func(i int) int { return u.gathered[i].N }, u.before, u.move)
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

// before says whether one input's row comes before another's.
func (u *union) before(a, b element) bool {
	return rankOf(&u.gathered[a.sequence], a.index).before(rankOf(&u.gathered[b.sequence], b.index))
}

// move appends a row of an input to the output.
func (u *union) move(e element) {
	g, row, out := &u.gathered[e.sequence], e.index, &u.out
	for c := range out.Columns {
		out.Columns[c].AppendRow(&g.Columns[c], row)
	}
	out.Causes = append(out.Causes, g.Causes[row])
	out.Orders = append(out.Orders, g.Orders[row])
	out.Times = append(out.Times, g.Times[row])
	out.N++
}

// marks merges the inputs' watermarks: the least counts.
func (u *union) marks() {
	mark := func(e element) stream.Mark { return u.gathered[e.sequence].Marks[e.index] }
	u.order.each(len(u.gathered), func(i int) int { return len(u.gathered[i].Marks) },
		func(a, b element) bool { return mark(a).Cause < mark(b).Cause },
		func(e element) {
			u.minimum.Set(e.sequence, mark(e).Watermark)
			if w, rose := u.minimum.Combine(); rose {
				u.out.Marks = appendMark(u.out.Marks, stream.Mark{Cause: mark(e).Cause, Watermark: w})
			}
		})
}

// appendMark appends a step, in place of one of the same cause.
func appendMark(marks []stream.Mark, m stream.Mark) []stream.Mark {
	if n := len(marks); n > 0 && marks[n-1].Cause == m.Cause {
		marks[n-1] = m
		return marks
	}
	return append(marks, m)
}
