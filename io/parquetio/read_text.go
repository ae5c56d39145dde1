package parquetio

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"tidemark/stream"
)

// longestDecimal is the number of bytes that a decimal may have.
const longestDecimal = 1 << 10

// appendDecimal appends the digits of a decimal, as many behind the point as its type says.
func appendDecimal(dst []byte, col *stream.Column, row, scale int) (text []byte, reason string) {
	if col.Kind == stream.Int {
		return appendPoint(dst, strconv.AppendInt(nil, col.Ints[row], 10), scale), ""
	}
	b := col.Bytes(row)
	switch {
	case len(b) > longestDecimal:
		return dst, fmt.Sprintf("is a decimal of %d bytes, more than %d", len(b), longestDecimal)
	case len(b) == 0:
		return appendPoint(dst, []byte{'0'}, scale), ""
	case len(b) <= 8:
		v := int64(int8(b[0]))
		for _, x := range b[1:] {
			v = v<<8 | int64(x)
		}
		return appendPoint(dst, strconv.AppendInt(nil, v, 10), scale), ""
	}
	v := new(big.Int).SetBytes(b)
	if b[0]&0x80 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return appendPoint(dst, v.Append(nil, 10), scale), ""
}

// appendPoint appends an integer's digits with a point before the last scale of them.
func appendPoint(dst, digits []byte, scale int) []byte {
	if digits[0] == '-' {
		dst, digits = append(dst, '-'), digits[1:]
	}
	if scale == 0 {
		return append(dst, digits...)
	}
	for range scale + 1 - len(digits) {
		digits = slices.Insert(digits, 0, '0')
	}
	whole := len(digits) - scale
	return append(append(append(dst, digits[:whole]...), '.'), digits[whole:]...)
}

// appendTimeOfDay appends a time of day as 15:04:05 with a fraction where there is one.
func appendTimeOfDay(dst []byte, v, unit int64) (text []byte, reason string) {
	perSecond := int64(1000)
	for range unit - unitMillis {
		perSecond *= 1000
	}
	if v < 0 || v > 86_400*perSecond {
		return dst, "is no time of day"
	}
	seconds, fraction := v/perSecond, v%perSecond
	dst = fmt.Appendf(dst, "%02d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	return appendFraction(dst, fraction, perSecond), ""
}

// appendFraction appends a fraction of a whole, a power of ten, without the zeros at its end.
func appendFraction(dst []byte, fraction, whole int64) []byte {
	if fraction > 0 {
		dst = append(dst, '.')
	}
	for fraction > 0 {
		whole /= 10
		dst = append(dst, byte('0'+fraction/whole))
		fraction %= whole
	}
	return dst
}

// appendUUID appends 16 bytes as 8-4-4-4-12 hexadecimal digits.
func appendUUID(dst, b []byte) []byte {
	for i, end := range []int{4, 6, 8, 10, 16} {
		if i > 0 {
			dst = append(dst, '-')
		}
		start := []int{0, 4, 6, 8, 10}[i]
		dst = hex.AppendEncode(dst, b[start:end])
	}
	return dst
}

// appendInterval appends months, days and milliseconds as ISO 8601 does, such as P1M2DT3.5S.
func appendInterval(dst, b []byte) []byte {
	part := func(i int) int64 { return int64(binary.LittleEndian.Uint32(b[4*i:])) }
	months, days, ms := part(0), part(1), part(2)
	dst = append(dst, 'P')
	if months > 0 {
		dst = append(strconv.AppendInt(dst, months, 10), 'M')
	}
	if days > 0 {
		dst = append(strconv.AppendInt(dst, days, 10), 'D')
	}
	if ms > 0 || months == 0 && days == 0 {
		dst = strconv.AppendInt(append(dst, 'T'), ms/1000, 10)
		dst = append(appendFraction(dst, ms%1000, 1000), 'S')
	}
	return dst
}
