package codec

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// longestInt is the room that an integer may need, and that appendInt writes over: a sign and three words.
const longestInt = 1 + 3*8

// appendInt appends an integer in decimal, eight digits at a time.
func appendInt(dst []byte, v int64) []byte {
	dst = slices.Grow(dst, longestInt)
	u := uint64(v)
	if v < 0 {
		dst, u = append(dst, '-'), -u
	}
	if u < 1e8 {
		return appendLeading(dst, u)
	}
	if u < 1e16 {
		dst = appendLeading(dst, u/1e8)
	} else {
		dst = appendLeading(dst, u/1e16)
		dst = binary.LittleEndian.AppendUint64(dst, digitsOf(u/1e8%1e8)|each*'0')
	}
	return binary.LittleEndian.AppendUint64(dst, digitsOf(u%1e8)|each*'0')
}

// appendLeading appends a number below 1e8 without leading zeros. There must be room for eight digits.
func appendLeading(dst []byte, v uint64) []byte {
	digits := digitsOf(v)
	zeros := bits.TrailingZeros64(digits|1<<56) >> 3 // the last digit stays
	n := len(dst)
	binary.LittleEndian.PutUint64(dst[n:n+8], (digits|each*'0')>>(8*zeros))
	return dst[:n+8-zeros]
}

// digitsOf gives the eight decimal digits of a number below 1e8, the first one in the lowest byte. It divides in
// lanes: the number into halves of four digits, these into pairs, the pairs into digits, each by a multiplication
// whose error is too small to be seen for so small numbers.
func digitsOf(v uint64) uint64 {
	halves := v/1e4 | v%1e4<<32
	hundreds := halves * 10486 >> 20 & (0x7f<<32 | 0x7f)
	pairs := hundreds | (halves-hundreds*100)<<16
	tens := pairs * 103 >> 10 & 0x000f000f000f000f
	return tens | (pairs-tens*10)<<8
}
