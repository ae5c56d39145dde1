package agg

import (
	"cmp"
	"math"
)

// rankOf maps a float that is not NaN to an integer so that they compare alike; -0 comes before 0.
func rankOf(bits int64) int64 { return bits ^ int64(uint64(bits>>63)>>1) }

// floatOf is the reverse of rankOf: it gives the float's bits. The mapping keeps the sign, so it is its own
// reverse.
func floatOf(rank int64) int64 { return rankOf(rank) }

// compareIntFloat compares an integer with a float that is not NaN, exactly: neither is rounded.
func compareIntFloat(i int64, f float64) int {
	switch {
	case f >= 1<<63:
		return -1
	case f < -1<<63:
		return 1
	}
	whole := math.Trunc(f)
	if c := cmp.Compare(i, int64(whole)); c != 0 {
		return c
	}
	return cmp.Compare(whole, f)
}

// family groups the classes whose values can be compared with each other.
type family uint8

const (
	quantities family = 1 << iota
	truths
	times
	words
	families = 4
)

var familyNames = [families]string{"numbers", "true or false", "times", "texts"}

func (c class) family() family {
	switch c {
	case integer, float:
		return quantities
	case boolean:
		return truths
	case instant, fine:
		return times
	}
	return words
}
