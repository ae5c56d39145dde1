package agg

import (
	"math"

	"tidemark/stream"
)

// floats gathers the numbers of a batch as floats, with the entries that they go into. Integers become the nearest
// float; nulls and NaN are left out.
type floats struct {
	values []float64
	ids    []uint32
}

func (f *floats) gather(in *Input) {
	c := in.Args[0]
	f.values, f.ids = f.values[:0], f.ids[:0]
	for i, r := range in.Rows {
		var v float64
		switch {
		case c.Tag(int(r)) == stream.TagOK && c.Kind == stream.Int:
			v = float64(c.Ints[r])
		case c.Tag(int(r)) == stream.TagOK && c.Kind == stream.Float:
			v = c.Floats[r]
		default:
			v = valueAt(c, r).float()
		}
		if v == v {
			f.values, f.ids = append(f.values, v), append(f.ids, in.IDs[i])
		}
	}
}

// float gives a number as a float, and NaN for null.
func (v value) float() float64 {
	switch v.class {
	case integer:
		return float64(v.bits)
	case float:
		return math.Float64frombits(uint64(v.bits))
	}
	return math.NaN()
}

func (f *floats) bytes() int64 { return int64(8*cap(f.values) + 4*cap(f.ids)) }

// nullableFloat is the type of a result that is a float, or null where there are too few values to compute it of.
func nullableFloat([]stream.Type) stream.Type { return stream.Type{Kind: stream.Float, Null: true} }

// floatOrNull is the type of a result that is a float. There may be nothing but NaNs among floats, hence null.
func floatOrNull(args []stream.Type) stream.Type {
	return stream.Type{Kind: stream.Float, Null: sameOrNull(args).Null}
}
