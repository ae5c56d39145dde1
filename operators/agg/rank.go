package agg

import (
	"cmp"
	"encoding/binary"
	"math"
)

// rankOf maps a float that is not NaN to an integer so that they compare alike; -0 comes before 0.
func rankOf(bits int64) int64 { return bits ^ int64(uint64(bits>>63)>>1) }

// floatOf is the reverse of rankOf: it gives the float's bits. The mapping keeps the sign, so it is its own
// reverse.
func floatOf(rank int64) int64 { return rankOf(rank) }

// beginning gives the first eight bytes of a text as an integer, so that texts whose beginnings differ compare
// as these do. Shorter texts are filled up with zeros.
func beginning(b []byte) int64 {
	const sign = -1 << 63
	if len(b) >= 8 {
		return int64(binary.BigEndian.Uint64(b)) ^ sign
	}
	var v uint64
	for i, c := range b {
		v |= uint64(c) << (56 - 8*i)
	}
	return int64(v) ^ sign
}

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
