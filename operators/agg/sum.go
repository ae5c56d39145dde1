package agg

import (
	"fmt"

	"tidemark/stream"
)

func init() {
	register(Kind{
		Name:    "sum",
		Doc:     "The sum of the values that are not null; null if there are none. Integers are summed exactly.",
		Args:    "x",
		Example: Example{"sum(amount)", "105", "70"},
		MinArgs: 1,
		MaxArgs: 1,
		ResultType: func(args []stream.Type) stream.Type {
			if args[0].Kind == stream.Int || args[0].Kind == stream.Float {
				return args[0]
			}
			return stream.Type{Kind: stream.Any, Null: true}
		},
		New:     func([]stream.Type) Accumulators { return new(sum) },
		accepts: numbers,
	})
}

// sum is the accumulators of sum: an int where all values are, else a float.
type sum struct{ totals }

func (s *sum) Merge(dst uint32, from Accumulators, src uint32) {
	s.merge(dst, &from.(*sum).totals, src)
}

func (s *sum) Append(id uint32, out *stream.Column) error {
	switch s.seen[id] {
	case 0:
		out.AppendNull()
	case sawInt:
		total, fits := s.ints[id].narrow()
		if !fits {
			return &resultError{"sum", fmt.Sprintf("the total %s is beyond a 64-bit integer; sum floats instead, as in sum(float(x))",
				s.ints[id].big())}
		}
		out.AppendInt(total)
	default:
		out.AppendFloat(s.float(id))
	}
	return nil
}
