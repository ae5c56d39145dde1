package agg

import (
	"math"

	"tidemark/stream"
)

func init() {
	register(Kind{
		Name: "approx_quantile",
		Args: "x, level",
		Doc: "Like quantile, without keeping every value: the value at that place among all, or the lower of the two next to it, with " +
			"an error of at most 1 % of itself. It does not depend on the order of the records.",
		Example:    Example{"approx_quantile(amount, 0.5)", "35.248226950354606", "20"},
		MinArgs:    2,
		MaxArgs:    2,
		Parameters: 1,
		ResultType: floatOrNull,
		accepts:    numbers,
		bind: func(constants []any) (opener, error) {
			q, err := level(constants)
			return func([]stream.Type) Accumulators { return &sketch{level: q} }, err
		},
	})
}

// sketch is the accumulators of approx_quantile: a histogram of each entry. As in DDSketch (Masson, Rim and Lee, 2019),
// the width of a bucket is a share of its values; here it is 1/64 of the power of two below it, so that the bucket is
// the beginning of the float itself and no logarithm can differ between machines. Counts of buckets add up to the same
// in every order, and merging them loses nothing.
type sketch struct {
	level   float64
	extent  []extent
	buckets series[bucket] // those that have values, ascending
	floats  floats
}

// extent is the least and the greatest value of an entry, as ranks.
type extent struct{ least, most int64 }

var noExtent = extent{math.MaxInt64, math.MinInt64}

// bucket is the number of values with one beginning.
type bucket struct {
	number int32
	count  int64
}

// fractionBits is how much of the fraction of a float is its bucket's: six bits make an error of at most 1/129.
const fractionBits = 6

// bucketOf gives the bucket of a float that is not NaN. Floats that are too small to be normal are in the bucket of 0.
func bucketOf(v float64) int32 {
	n := int32(math.Float64bits(math.Abs(v)) >> (52 - fractionBits))
	if n < 1<<fractionBits {
		return 0
	}
	if v < 0 {
		return -n
	}
	return n
}

// middle gives the value whose distance to the ends of a bucket is the same share of them.
func middle(number int32) float64 {
	if number < 0 {
		return -middle(-number)
	}
	if number == 0 {
		return 0
	}
	low := math.Float64frombits(uint64(number) << (52 - fractionBits))
	at := float64(number%(1<<fractionBits) + 1<<fractionBits) // the bucket is [at, at + 1), times a power of two
	return low * (2 * (at + 1) / (2*at + 1))
}

func (s *sketch) Grow(n int) {
	s.extent = grow(s.extent, n, noExtent)
	s.buckets.grow(n)
}

func (s *sketch) Add(in *Input) {
	s.floats.gather(in)
	for i, v := range s.floats.values {
		id := s.floats.ids[i]
		rank := rankOf(int64(math.Float64bits(v)))
		s.widen(id, extent{rank, rank})
		s.count(id, bucket{bucketOf(v), 1})
	}
}

func (s *sketch) widen(id uint32, by extent) {
	e := &s.extent[id]
	e.least, e.most = min(e.least, by.least), max(e.most, by.most)
}

// count adds to the count of a bucket.
func (s *sketch) count(id uint32, b bucket) {
	list := s.buckets.of(id)
	low, high := 0, len(list)
	for low < high {
		if at := (low + high) / 2; list[at].number < b.number {
			low = at + 1
		} else {
			high = at
		}
	}
	if low < len(list) && list[low].number == b.number {
		list[low].count += b.count
		return
	}
	s.buckets.insert(id, low, b)
}

func (s *sketch) Merge(dst uint32, from Accumulators, src uint32) {
	other := from.(*sketch)
	s.widen(dst, other.extent[src])
	for i := range other.buckets.of(src) {
		s.count(dst, other.buckets.of(src)[i])
	}
}

func (s *sketch) Clear(id uint32) {
	s.extent[id] = noExtent
	s.buckets.clear(id)
}

// Append gives the middle of the bucket that the value at the level is in, but nothing beyond the extent.
func (s *sketch) Append(id uint32, out *stream.Column) error {
	total := int64(0)
	for _, b := range s.buckets.of(id) {
		total += b.count
	}
	if total == 0 {
		out.AppendNull()
		return nil
	}
	least, most := unranked(s.extent[id].least), unranked(s.extent[id].most)
	at := int64(s.level * float64(total-1))
	switch {
	case at == 0:
		out.AppendFloat(least)
		return nil
	case at == total-1:
		out.AppendFloat(most)
		return nil
	}
	for _, b := range s.buckets.of(id) {
		if at -= b.count; at < 0 {
			out.AppendFloat(min(max(middle(b.number), least), most))
			break
		}
	}
	return nil
}

func (s *sketch) Reset() {
	s.extent = s.extent[:0]
	s.buckets.reset()
}

func (s *sketch) Bytes() int64 { return int64(16*cap(s.extent)) + s.buckets.bytes() + s.floats.bytes() }
