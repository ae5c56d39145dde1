package agg

import (
	"math"
	"slices"

	"tidemark/stream"
)

func init() {
	register(Kind{
		Name: "quantile",
		Args: "x, level",
		Doc: "The value below which a share of the values lies, from 0 (the least) to 1 (the greatest), as a float; exact, and " +
			"between two values by linear interpolation (SQL: PERCENTILE_CONT). Every value is kept until then: see approx_quantile.",
		Example:    Example{"quantile(amount, 0.9)", "47", "47"},
		MinArgs:    2,
		MaxArgs:    2,
		Parameters: 1,
		ResultType: floatOrNull,
		accepts:    numbers,
		bind: func(constants []any) (opener, error) {
			q, err := level(constants)
			return func([]stream.Type) Accumulators { return &quantiles{level: q} }, err
		},
	})
}

// quantiles is the accumulators of quantile and median: the list of an entry's values as ranks, in no order.
type quantiles struct {
	level  float64
	ranks  series[int64]
	floats floats
}

func (q *quantiles) Grow(n int) { q.ranks.grow(n) }

func (q *quantiles) Add(in *Input) {
	q.floats.gather(in)
	for i, v := range q.floats.values {
		q.ranks.add(q.floats.ids[i], rankOf(int64(math.Float64bits(v))))
	}
}

func (q *quantiles) Merge(dst uint32, from Accumulators, src uint32) {
	other := from.(*quantiles)
	for i := range other.ranks.of(src) {
		q.ranks.add(dst, other.ranks.of(src)[i])
	}
}

func (q *quantiles) Clear(id uint32) { q.ranks.clear(id) }

// Append sorts the list where it is, so that a row that is written again is found nearly sorted.
func (q *quantiles) Append(id uint32, out *stream.Column) error {
	ranks := q.ranks.of(id)
	if len(ranks) == 0 {
		out.AppendNull()
		return nil
	}
	slices.Sort(ranks)
	out.AppendFloat(interpolate(ranks, q.level))
	return nil
}

// interpolate gives the value at a level of sorted ranks.
func interpolate(ranks []int64, level float64) float64 {
	at := float64(level * float64(len(ranks)-1)) // rounded here on every machine
	below := int(at)
	lower, part := unranked(ranks[below]), at-float64(below)
	if part == 0 {
		return lower
	}
	upper := unranked(ranks[below+1])
	switch gap := upper - lower; {
	case lower == upper:
		return lower
	case math.IsInf(gap, 0): // too far apart for a float to hold, or one of them is infinite
		return float64(lower*(1-part)) + float64(upper*part)
	default:
		return lower + float64(part*gap)
	}
}

// unranked gives the float of a rank.
func unranked(rank int64) float64 { return math.Float64frombits(uint64(floatOf(rank))) }

func (q *quantiles) Reset() { q.ranks.reset() }

func (q *quantiles) Bytes() int64 { return q.ranks.bytes() + q.floats.bytes() }
