package codec

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"tidemark/stream"
)

// nullTexts are the texts that mean null.
type nullTexts struct {
	empty bool
	other []string
}

func newNullTexts(list []string) nullTexts {
	return nullTexts{
		empty: slices.Contains(list, ""),
		other: slices.DeleteFunc(slices.Clone(list), func(s string) bool { return s == "" }),
	}
}

func (n *nullTexts) is(text []byte) bool {
	if len(text) == 0 {
		return n.empty
	}
	for _, null := range n.other {
		if string(text) == null {
			return true
		}
	}
	return false
}

// text gives what a cell stands for; valid until the next call.
func (t *table) text(c span) []byte {
	text := t.data[c.from:c.to]
	if c.doubled {
		t.scratch = appendUndoubled(t.scratch[:0], text)
		return t.scratch
	}
	return text
}

// appendUndoubled appends text in which quotes are doubled.
func appendUndoubled(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:i+1]...)
		text = text[i+2:]
	}
}

// put reads a cell for the columns that want it.
func (t *table) put(w *target, c span) {
	text := t.text(c)
	if t.nulls.is(text) {
		t.absent(w, stream.TagNull)
		return
	}
	if w.field != nil {
		t.putField(w.field, c, text)
	}
	for _, f := range w.below {
		f.box(t.row, t.rows, stream.TagParentOther, string(text))
	}
}

// absent tags a name that is null or missing.
func (t *table) absent(w *target, tag stream.Tag) {
	if w.field != nil {
		w.field.tag(t.row, t.rows, tag)
	}
	for _, f := range w.below {
		f.tag(t.row, t.rows, stream.TagParentNil)
	}
}

func (t *table) putField(f *field, c span, text []byte) {
	switch f.kind {
	case stream.Int:
		v, problem := cellInt(text)
		f.out.Ints[t.row] = v
		f.failIf(problem)
	case stream.Float:
		v, problem := cellFloat(text)
		f.out.Floats[t.row] = v
		f.failIf(problem)
	case stream.Bool:
		v, problem := cellBool(text)
		f.out.Bools[t.row] = v
		f.failIf(problem)
	default:
		if c.doubled {
			f.out.SetBytes(t.row, text)
			return
		}
		f.out.Refs[t.row] = stream.Ref{Off: uint32(c.from), Len: uint32(c.to - c.from)}
	}
}

func (f *field) failIf(problem string) {
	if problem != "" {
		f.fail(problem)
	}
}

// number gives the text of a number without what people put around it: spaces, and a plus.
func number(text []byte) []byte {
	text = bytes.Trim(text, " \t")
	if len(text) > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+' {
		text = text[1:]
	}
	return text
}

// cellInt reads an integer. Leading zeros are nothing, and so are zeros behind a point.
func cellInt(text []byte) (v int64, problem string) {
	digits := number(text)
	v, err := strconv.ParseInt(view(digits), 10, 64)
	switch {
	case err == nil:
		return v, ""
	case errors.Is(err, strconv.ErrRange):
		return 0, "is " + sample(digits) + ", beyond an int of 64 bits"
	case !isDecimal(digits):
		return 0, "is " + quotedSample(text) + ", wants int"
	}
	v, fits, whole := wholeInt(digits)
	switch {
	case !whole:
		return 0, "is " + quotedSample(text) + ", wants int"
	case !fits:
		return 0, "is " + sample(digits) + ", beyond an int of 64 bits"
	}
	return v, ""
}

// isDecimal reports whether text is digits, perhaps with a sign, a point and an exponent.
func isDecimal(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("-"))
	mantissa, exponent, scientific := text, []byte(nil), false
	if e := bytes.IndexAny(text, "eE"); e >= 0 {
		mantissa, exponent, scientific = text[:e], text[e+1:], true
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	if len(whole)+len(fraction) == 0 || !allDigits(whole) || !allDigits(fraction) {
		return false
	}
	if !scientific {
		return true
	}
	if len(exponent) > 0 && (exponent[0] == '-' || exponent[0] == '+') {
		exponent = exponent[1:]
	}
	return len(exponent) > 0 && allDigits(exponent)
}

func allDigits(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// cellFloat reads a number, NaN or an infinity.
func cellFloat(text []byte) (v float64, problem string) {
	digits := number(text)
	if bytes.ContainsAny(digits, "xXpP_") {
		return 0, "is " + quotedSample(text) + ", wants float"
	}
	v, err := strconv.ParseFloat(view(digits), 64)
	switch {
	case err == nil:
		return v, ""
	case errors.Is(err, strconv.ErrRange):
		return 0, "is " + sample(digits) + ", beyond a float of 64 bits"
	}
	return 0, "is " + quotedSample(text) + ", wants float"
}

// cellBool reads true and false in any letters, and the digits that stand for them.
func cellBool(text []byte) (v bool, problem string) {
	switch word := bytes.Trim(text, " \t"); {
	case len(word) == 1 && word[0] == '1', strings.EqualFold(view(word), "true"):
		return true, ""
	case len(word) == 1 && word[0] == '0', strings.EqualFold(view(word), "false"):
		return false, ""
	}
	return false, "is " + quotedSample(text) + ", wants bool"
}

// quotedSample gives the start of a text, in quotes, for a message.
func quotedSample(text []byte) string { return strconv.Quote(sample(text)) }
