package agg

import (
	"encoding/binary"
	"math"
	"strconv"
	"time"
	"unicode/utf8"

	"tidemark/operators/state"
	"tidemark/stream"
)

// class is what sort of value an entry holds.
type class uint8

const (
	empty   class = iota
	integer       // bits: the value
	float         // bits: as math.Float64bits has them
	boolean       // bits: 0 or 1
	instant       // bits: milliseconds since 1970
	fine          // an instant between milliseconds; bits: milliseconds, rounded down; text: nanoseconds beyond
	text          // text: the bytes
	other         // a list or an object; text: its encoding
	clash         // min and max only: values that can't be compared; bits: a set of classes
)

// value is one value taken out of a column. text is valid as long as the column is.
type value struct {
	class class
	bits  int64
	text  []byte
	boxed any // class other
}

// valueAt gives a row's value; null and missing are of class empty.
func valueAt(c *stream.Column, row int32) value {
	switch t := c.Tag(int(row)); {
	case t == stream.TagOK:
	case t == stream.TagOther:
		return valueOf(c.Boxed[row])
	default:
		return value{}
	}
	switch c.Kind {
	case stream.Int:
		return value{class: integer, bits: c.Ints[row]}
	case stream.Instant:
		return value{class: instant, bits: c.Ints[row]}
	case stream.Float:
		return value{class: float, bits: int64(math.Float64bits(c.Floats[row]))}
	case stream.Bool:
		return value{class: boolean, bits: truth(c.Bools[row])}
	case stream.String:
		return value{class: text, text: c.Bytes(int(row))}
	}
	return valueOf(c.Boxed[row])
}

// valueOf gives a boxed value.
func valueOf(v any) value {
	switch x := v.(type) {
	case nil:
		return value{}
	case int64:
		return value{class: integer, bits: x}
	case int:
		return value{class: integer, bits: int64(x)}
	case float64:
		return value{class: float, bits: int64(math.Float64bits(x))}
	case bool:
		return value{class: boolean, bits: truth(x)}
	case string:
		return value{class: text, text: []byte(x)}
	case time.Time:
		return instantOf(x)
	}
	return value{class: other, boxed: v}
}

func instantOf(t time.Time) value {
	v := value{class: instant, bits: t.UnixMilli()}
	if nanos := t.Nanosecond() % 1e6; nanos != 0 {
		v.class, v.text = fine, binary.BigEndian.AppendUint32(nil, uint32(nanos))
	}
	return v
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// appendTo appends the value to a builder column. Of class other it takes the encoding in text.
func (v value) appendTo(out *stream.Column) {
	switch v.class {
	case empty:
		out.AppendNull()
	case integer:
		out.AppendInt(v.bits)
	case float:
		out.AppendFloat(math.Float64frombits(uint64(v.bits)))
	case boolean:
		out.AppendBool(v.bits != 0)
	case instant:
		out.AppendInstant(stream.Time(v.bits))
	case fine:
		nanos := time.Duration(binary.BigEndian.Uint32(v.text))
		out.AppendBoxed(stream.Time(v.bits).Std().Add(nanos))
	case text:
		out.AppendText(v.text)
	case other:
		state.DecodeTo(v.text, out)
	}
}

// longestQuote bounds how much of a text a message shows, in bytes.
const longestQuote = 40

// describe says in a message what a value is.
func (v value) describe() string {
	switch v.class {
	case integer:
		return "the number " + strconv.FormatInt(v.bits, 10)
	case float:
		return "the number " + strconv.FormatFloat(math.Float64frombits(uint64(v.bits)), 'g', -1, 64)
	case boolean:
		return strconv.FormatBool(v.bits != 0)
	case instant, fine:
		return "the time " + stream.Time(v.bits).String()
	case text:
		shown, rest := v.text, ""
		if len(shown) > longestQuote {
			n := longestQuote
			for n > 0 && !utf8.RuneStart(shown[n]) {
				n--
			}
			shown, rest = shown[:n], "…"
		}
		return "the text " + strconv.Quote(string(shown)+rest)
	case other:
		if _, list := v.boxed.([]any); list {
			return "a list"
		}
		return "an object"
	}
	return "null"
}
