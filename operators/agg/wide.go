package agg

import (
	"math"
	"math/big"
	"math/bits"
)

// wide is an integer of 128 bits, in two's complement. 2^63 additions of 64-bit integers can't overflow it.
type wide struct {
	lo uint64
	hi int64
}

func (w *wide) add(v int64) {
	lo, carry := bits.Add64(w.lo, uint64(v), 0)
	w.lo = lo
	w.hi += v>>63 + int64(carry)
}

func (w *wide) addWide(v wide) {
	lo, carry := bits.Add64(w.lo, v.lo, 0)
	w.lo = lo
	w.hi += v.hi + int64(carry)
}

// narrow gives the value as an int64 and whether it is one.
func (w wide) narrow() (int64, bool) {
	v := int64(w.lo)
	return v, v>>63 == w.hi
}

// magnitude gives the absolute value.
func (w wide) magnitude() (hi, lo uint64) {
	if w.hi >= 0 {
		return uint64(w.hi), w.lo
	}
	lo, borrow := bits.Sub64(0, w.lo, 0)
	hi, _ = bits.Sub64(0, uint64(w.hi), borrow)
	return hi, lo
}

// float gives the nearest float64.
func (w wide) float() float64 {
	if v, ok := w.narrow(); ok {
		return float64(v)
	}
	hi, lo := w.magnitude()
	shift := 64 - bits.LeadingZeros64(hi) // 1 to 64, since the value needs more than 64 bits; 0 at 2^63
	top := lo
	if shift > 0 {
		top = hi<<(64-shift) | lo>>shift
		if lo<<(64-shift) != 0 {
			top |= 1 // what is cut off only matters as a tie-breaker of the rounding
		}
	}
	f := math.Ldexp(float64(top), shift)
	if w.hi < 0 {
		return -f
	}
	return f
}

func (w wide) big() *big.Int {
	hi, lo := w.magnitude()
	b := new(big.Int).SetUint64(hi)
	b.Lsh(b, 64).Or(b, new(big.Int).SetUint64(lo))
	if w.hi < 0 {
		b.Neg(b)
	}
	return b
}

// exact bounds the integers that a float64 holds one by one.
const exact = 1 << 53

// divide gives the float64 nearest to w divided by n, rounded once. n is positive.
func (w wide) divide(n int64) float64 {
	if v, ok := w.narrow(); ok && v >= -exact && v <= exact && n <= exact {
		return float64(v) / float64(n)
	}
	f, _ := new(big.Rat).SetFrac(w.big(), big.NewInt(n)).Float64()
	return f
}
