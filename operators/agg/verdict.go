package agg

import "tidemark/stream"

// verdicts is the accumulators of bool_and and bool_or: what an entry met.
type verdicts struct {
	met []uint8
	// deciding is the value of which one is enough: true for bool_or, false for bool_and.
	deciding bool
}

const (
	metFalse = 1
	metTrue  = 2
)

func verdictKind(name, doc string, example Example, deciding bool) Kind {
	return Kind{
		Name:    name,
		Args:    "x",
		Doc:     doc,
		Example: example,
		MinArgs: 1,
		MaxArgs: 1,
		ResultType: func(args []stream.Type) stream.Type {
			return stream.Type{Kind: stream.Bool, Null: args[0].Null || args[0].Kind == stream.Any}
		},
		New:     func([]stream.Type) Accumulators { return &verdicts{deciding: deciding} },
		accepts: boolish,
	}
}

func (v *verdicts) Grow(n int) { v.met = grow(v.met, n, 0) }

func (v *verdicts) Add(in *Input) {
	c, met, ids := in.Args[0], v.met, in.IDs
	if c.Kind == stream.Bool && c.Odd == 0 {
		for i, r := range in.Rows {
			bit := uint8(metFalse)
			if c.Bools[r] {
				bit = metTrue
			}
			met[ids[i]] |= bit
		}
		return
	}
	for i, r := range in.Rows {
		if x := valueAt(c, r); x.class == boolean {
			met[ids[i]] |= metFalse << x.bits
		}
	}
}

func (v *verdicts) Merge(dst uint32, from Accumulators, src uint32) {
	v.met[dst] |= from.(*verdicts).met[src]
}

func (v *verdicts) Clear(id uint32) { v.met[id] = 0 }

func (v *verdicts) Append(id uint32, out *stream.Column) error {
	switch met := v.met[id]; {
	case met == 0:
		out.AppendNull()
	case v.deciding:
		out.AppendBool(met&metTrue != 0)
	default:
		out.AppendBool(met&metFalse == 0)
	}
	return nil
}

func (v *verdicts) Reset() { v.met = v.met[:0] }

func (v *verdicts) Bytes() int64 { return int64(cap(v.met)) }
