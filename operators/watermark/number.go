package watermark

import (
	"math"
	"strconv"

	"tidemark/stream"
)

// fromFloat gives v of a unit in milliseconds, rounded down, and false if that is outside years 0001 to 9999.
func fromFloat(v float64, u Unit) (stream.Time, bool) {
	var ms float64
	switch u {
	case Seconds:
		ms = v * 1000
		// A number written with three decimals need not have an exact float, and must not lose a millisecond.
		if whole := math.Round(ms); whole/1000 == v {
			ms = whole
		}
	default:
		per := float64(perMilli[u])
		if ms = math.Floor(v / per); ms*per > v {
			ms--
		}
	}
	ms = math.Floor(ms)
	if !(ms >= float64(stream.FirstTime) && ms <= float64(stream.LastTime)) {
		return 0, false
	}
	return stream.Time(ms), true
}

// number reports whether text is a decimal number, and which.
func number(text []byte) (float64, bool) {
	for i, c := range text {
		digit := c >= '0' && c <= '9'
		if !digit && c != '.' && c != 'e' && c != 'E' && (c != '-' && c != '+' || i > 0 && text[i-1]|0x20 != 'e') {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(text), 64)
	return v, err == nil
}

// fromDecimal reads a plain decimal number (digits, perhaps with a sign and a fraction) exactly. It gives
// false for others, and for times out of range.
func fromDecimal(text []byte, u Unit) (stream.Time, bool) {
	negative := len(text) > 0 && text[0] == '-'
	if negative || len(text) > 0 && text[0] == '+' {
		text = text[1:]
	}
	whole, fraction := text, []byte(nil)
	for i, c := range text {
		if c == '.' {
			whole, fraction = text[:i], text[i+1:]
			break
		}
	}
	v, ok := digits(whole)
	if !ok {
		return 0, false
	}
	// For seconds the first three digits of the fraction count; for all else none does.
	kept := 0
	if u == Seconds {
		if v > int64(stream.LastTime) {
			return 0, false
		}
		for kept < 3 {
			d := int64(0)
			if kept < len(fraction) {
				d = int64(fraction[kept] - '0')
			}
			v, kept = v*10+d, kept+1
		}
		u = Millis
	}
	rest := false // whether anything is cut off
	for i, c := range fraction {
		if c < '0' || c > '9' {
			return 0, false
		}
		rest = rest || i >= kept && c != '0'
	}
	if negative {
		if v = -v; rest {
			v--
		}
	}
	return u.Millis(v)
}

// digits reads a whole number without a sign that fits 64 bits.
func digits(text []byte) (v int64, ok bool) {
	if len(text) == 0 || len(text) > 19 {
		return 0, false
	}
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	return v, v >= 0
}

// formatNumber writes whole numbers without an exponent.
func formatNumber(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e20 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
