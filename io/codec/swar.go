package codec

import (
	"encoding/binary"
	"math/bits"
)

// Eight bytes at a time: a word is loaded little endian, so that its lowest byte is the first of the text. The
// tests below set the high bit of each byte that they look for. Borrows and carries may set bits above the
// lowest true one, never below it, and only the lowest is used.
const (
	each = 0x0101010101010101
	high = 0x8080808080808080
)

// load reads the eight bytes of data from i.
func load(data []byte, i int) uint64 {
	return binary.LittleEndian.Uint64(data[i : i+8])
}

// load2 reads two words from i.
func load2(data []byte, i int) (uint64, uint64) {
	b := (*[16]byte)(data[i:])
	return binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:])
}

// firstByte gives the index of the lowest byte whose high bit is set in marks, which is not zero.
func firstByte(marks uint64) int { return bits.TrailingZeros64(marks) >> 3 }

// notPlain marks quotes, backslashes, control characters and bytes that are not ASCII. Swapping 0x20 and 0x22
// by ^2 puts the quote right behind the control characters, so one subtraction finds both.
func notPlain(w uint64) uint64 {
	return (((w ^ each*2) - each*0x21) | ((w ^ each*'\\') - each) | w) & high
}

// notText marks quotes, backslashes and control characters only.
func notText(w uint64) uint64 {
	return (((w ^ each*2) - each*0x21) | ((w ^ each*'\\') - each)) &^ w & high
}

// notDigit marks bytes other than '0' to '9' in digits, the word ^ each*'0'.
func notDigit(digits uint64) uint64 { return (digits + each*0x76 | digits) & high }

// eightDigits gives the number that eight digits (0 to 9, the first one in the lowest byte) stand for.
func eightDigits(digits uint64) uint64 {
	const low = 0x000000FF000000FF
	digits = digits*10 + digits>>8
	return (digits&low*(100+1000000<<32) + digits>>16&low*(1+10000<<32)) >> 32
}

// firstBytes gives a mask of the first n bytes of a word, at most 8 of them.
func firstBytes(n int) uint64 {
	if n >= 8 {
		return ^uint64(0)
	}
	if n <= 0 {
		return 0
	}
	return 1<<(8*n) - 1
}
