package codec

import (
	"bytes"
	"strconv"
)

// decimal is a JSON number taken apart: digits times ten to the power of exponent. Digits have no zeros at
// either end.
type decimal struct {
	digits         []byte
	exponent       int
	negative, zero bool
}

// decimalOf takes a valid JSON number apart. It fails for exponents that no int holds.
func decimalOf(text []byte) (decimal, bool) {
	var d decimal
	if text[0] == '-' {
		d.negative = true
		text = text[1:]
	}
	if e := bytes.IndexAny(text, "eE"); e >= 0 {
		exponent, err := strconv.Atoi(string(text[e+1:]))
		if err != nil || exponent < -1<<30 || exponent > 1<<30 {
			// Whatever the digits are, unless they are all zero this is no int64.
			d.zero = len(bytes.Trim(text[:e], "0.")) == 0
			return d, d.zero
		}
		d.exponent, text = exponent, text[:e]
	}
	d.digits = text
	if point := bytes.IndexByte(text, '.'); point >= 0 {
		fraction := bytes.TrimRight(text[point+1:], "0")
		d.exponent -= len(fraction)
		d.digits = append(append(make([]byte, 0, len(text)), text[:point]...), fraction...)
	}
	all := len(d.digits)
	d.digits = bytes.TrimRight(d.digits, "0")
	d.exponent += all - len(d.digits)
	d.digits = bytes.TrimLeft(d.digits, "0")
	d.zero = len(d.digits) == 0
	return d, true
}
