package codec

import (
	"math"
	"strconv"
	"unsafe"
)

// powers of ten that a float64 holds exactly.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

var intPowers = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// shortInt reads an integer of up to 18 digits at p and gives its value and the index behind it. Anything
// else, valid or not, gives -1: it is for [numberEnd] to judge.
func shortInt(data []byte, p int) (int64, int) {
	sign := int64(0)
	if data[p] == '-' {
		sign = -1
		p++
	}
	digits := load(data, p) ^ each*'0'
	marks := notDigit(digits)
	var v uint64
	var end int
	if n := firstByte(marks); marks != 0 && n > 0 {
		v, end = eightDigits(digits<<(64-8*n)), p+n
	} else if v, end = digitRun(data, p); end < 0 {
		return 0, -1
	}
	if c := data[end]; c == '.' || c|0x20 == 'e' || data[p] == '0' && end > p+1 {
		return 0, -1
	}
	return (int64(v) ^ sign) - sign, end
}

// digitRun reads 1 to 18 digits at p; the index is -1 for none or more.
func digitRun(data []byte, p int) (uint64, int) {
	digits := load(data, p) ^ each*'0'
	marks := notDigit(digits)
	if marks != 0 {
		n := firstByte(marks)
		if n == 0 {
			return 0, -1
		}
		return eightDigits(digits << (64 - 8*n)), p + n
	}
	v := eightDigits(digits)
	digits = load(data, p+8) ^ each*'0'
	if marks = notDigit(digits); marks != 0 {
		n := firstByte(marks)
		// A shift by 64 gives 0 in Go, which is what no further digit should give.
		return v*intPowers[n] + eightDigits(digits<<(64-8*n)), p + 8 + n
	}
	v = v*1e8 + eightDigits(digits)
	for p += 16; data[p]-'0' <= 9; p++ {
		if v >= 1e17 {
			return 0, -1
		}
		v = v*10 + uint64(data[p]-'0')
	}
	return v, p
}

// shortFloat reads a number of up to 15 digits without exponent at p, exactly: both its digits and the power
// of ten are floats without error, so their quotient is the nearest one. Anything else gives -1.
func shortFloat(data []byte, p int) (v float64, end int, fraction bool) {
	start := p
	negative := data[p] == '-'
	if negative {
		p++
	}
	whole, end := digitRun(data, p)
	if end < 0 || data[p] == '0' && end > p+1 {
		return 0, -1, false
	}
	v = float64(whole)
	if data[end] == '.' {
		part, to := digitRun(data, end+1)
		places := to - end - 1
		if to < 0 || to-start > 16 {
			return 0, -1, false
		}
		v = float64(whole*uint64(powers[places])+part) / powers[places]
		end, fraction = to, true
	} else if end-start > 15 {
		return 0, -1, false
	}
	if data[end]|0x20 == 'e' {
		return 0, -1, false
	}
	if negative {
		v = -v
	}
	return v, end, fraction
}

// numberEnd gives the index behind the JSON number at p, or -1 if there is none, and whether it has neither
// fraction nor exponent.
func numberEnd(data []byte, p int) (end int, integer bool) {
	if data[p] == '-' {
		p++
	}
	switch {
	case data[p] == '0':
		p++
	case data[p]-'1' <= 8:
		p = digitsEnd(data, p)
	default:
		return -1, false
	}
	integer = true
	if data[p] == '.' {
		integer = false
		if p = digitsEnd(data, p+1); data[p-1] == '.' {
			return -1, false
		}
	}
	if data[p]|0x20 == 'e' {
		integer = false
		p++
		if data[p] == '+' || data[p] == '-' {
			p++
		}
		if data[p]-'0' > 9 {
			return -1, false
		}
		p = digitsEnd(data, p)
	}
	return p, integer
}

// digitsEnd gives the index of the first byte from p that is not a digit.
func digitsEnd(data []byte, p int) int {
	for {
		if marks := notDigit(load(data, p) ^ each*'0'); marks != 0 {
			return p + firstByte(marks)
		}
		p += 8
	}
}

// parseInt gives the value of a JSON number without fraction or exponent, if an int64 holds it.
func parseInt(text []byte) (int64, bool) {
	v, err := strconv.ParseInt(view(text), 10, 64)
	return v, err == nil
}

// parseFloat gives the nearest float64 of a JSON number, if it is in range.
func parseFloat(text []byte) (float64, bool) {
	v, err := strconv.ParseFloat(view(text), 64)
	return v, err == nil
}

// wholeInt gives the value of any JSON number if it is an integer that an int64 holds; integer says whether
// it is one at all. It reckons in digits, so nothing is rounded.
func wholeInt(text []byte) (v int64, fits, integer bool) {
	d, ok := decimalOf(text)
	if !ok {
		return 0, false, false
	}
	if d.zero {
		return 0, true, true
	}
	if d.exponent < 0 {
		return 0, false, false
	}
	if d.exponent > 18 {
		return 0, false, true
	}
	var mantissa uint64
	for _, c := range d.digits {
		if mantissa > (math.MaxUint64-9)/10 {
			return 0, false, true
		}
		mantissa = mantissa*10 + uint64(c-'0')
	}
	for range d.exponent {
		if mantissa > math.MaxUint64/10 {
			return 0, false, true
		}
		mantissa *= 10
	}
	if d.negative {
		return -int64(mantissa), mantissa <= 1<<63, true
	}
	return int64(mantissa), mantissa <= math.MaxInt64, true
}

// view gives bytes as a string that shares them, for callees that don't keep it.
func view(text []byte) string { return unsafe.String(unsafe.SliceData(text), len(text)) }

// bytesOf gives a string's bytes without a copy, for callees that neither change nor keep them.
func bytesOf(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }
