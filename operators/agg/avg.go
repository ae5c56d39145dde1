package agg

import "tidemark/stream"

func init() {
	register(Kind{
		Name:    "avg",
		Doc:     "The arithmetic mean of the values that are not null; null if there are none.",
		Args:    "x",
		Example: Example{"avg(amount)", "35", "35"},
		MinArgs: 1,
		MaxArgs: 1,
		ResultType: func(args []stream.Type) stream.Type {
			return stream.Type{Kind: stream.Float, Null: args[0].Null || args[0].Kind == stream.Any}
		},
		New:     func([]stream.Type) Accumulators { return new(avg) },
		accepts: numbers,
	})
}

// avg is the accumulators of avg. The mean of integers is rounded once, from the exact total.
type avg struct {
	totals
	counts
}

func (a *avg) Grow(n int) {
	a.totals.Grow(n)
	a.counts.Grow(n)
}

func (a *avg) Add(in *Input) {
	a.totals.Add(in)
	a.counts.Add(in)
}

func (a *avg) Merge(dst uint32, from Accumulators, src uint32) {
	other := from.(*avg)
	a.merge(dst, &other.totals, src)
	a.counts.Merge(dst, &other.counts, src)
}

func (a *avg) Clear(id uint32) {
	a.totals.Clear(id)
	a.counts.Clear(id)
}

func (a *avg) Append(id uint32, out *stream.Column) error {
	n := a.counts[id]
	switch a.seen[id] {
	case 0:
		out.AppendNull()
	case sawInt:
		out.AppendFloat(a.ints[id].divide(n))
	default:
		out.AppendFloat(a.float(id) / float64(n))
	}
	return nil
}

func (a *avg) Reset() {
	a.totals.Reset()
	a.counts.Reset()
}

func (a *avg) Bytes() int64 { return a.totals.Bytes() + a.counts.Bytes() }
