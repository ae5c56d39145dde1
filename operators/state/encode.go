package state

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"tidemark/stream"
)

// The first byte of an encoded value. What follows tells its own length, so that the encodings of several
// values can stand one after the other and be the same bytes only for the same values.
const (
	codeNull    = iota
	codeFalse   //
	codeTrue    //
	codeInt     // 8 bytes, little endian
	codeFloat   // 8 bytes, little endian
	codeText    // length, bytes
	codeInstant // 8 bytes: milliseconds since 1970
	codeFine    // 12 bytes: an instant between milliseconds, as seconds since 1970 and nanoseconds
	codeList    // length, values
	codeObject  // length, then names and values by name
)

// exactFloats bounds the integers that floats hold one by one: 2^53.
const exactFloats = 1 << 53

// spelling says how numbers are encoded.
type spelling bool

const (
	asWritten spelling = false // floats stay floats
	canonical spelling = true  // equal numbers get equal bytes
)

// AppendValue appends the encoding of a boxed value to dst. Numbers stay as they were written: an integer or
// a float.
func AppendValue(dst []byte, v any) []byte {
	dst, _ = encode(dst, v, asWritten)
	return dst
}

// encode appends a boxed value. respelled tells that the encoding is not as the value was written.
func encode(dst []byte, v any, s spelling) (out []byte, respelled bool) {
	switch x := v.(type) {
	case nil:
		return append(dst, codeNull), false
	case bool:
		return encodeBool(dst, x), false
	case int64:
		return encodeInt(dst, x), false
	case int:
		return encodeInt(dst, int64(x)), false
	case float64:
		return encodeFloat(dst, x, s)
	case string:
		return append(encodeLength(dst, codeText, len(x)), x...), false
	case time.Time:
		return encodeTime(dst, x), false
	case []any:
		return encodeList(dst, x, s)
	case map[string]any:
		return encodeObject(dst, x, s)
	}
	text := fmt.Sprint(v)
	return append(encodeLength(dst, codeText, len(text)), text...), false
}

// encodeCell appends a row's value of a column, by the column's kind where it can.
func encodeCell(dst []byte, c *stream.Column, row int, s spelling) (out []byte, respelled bool) {
	switch t := c.Tag(row); {
	case t == stream.TagOK:
	case t == stream.TagOther:
		return encode(dst, c.Boxed[row], s)
	default:
		return append(dst, codeNull), false
	}
	switch c.Kind {
	case stream.Int:
		return encodeInt(dst, c.Ints[row]), false
	case stream.Instant:
		return encodeEight(dst, codeInstant, uint64(c.Ints[row])), false
	case stream.Float:
		return encodeFloat(dst, c.Floats[row], s)
	case stream.Bool:
		return encodeBool(dst, c.Bools[row]), false
	case stream.String:
		text := c.Bytes(row)
		return append(encodeLength(dst, codeText, len(text)), text...), false
	}
	return encode(dst, c.Boxed[row], s)
}

func encodeEight(dst []byte, code byte, v uint64) []byte {
	return binary.LittleEndian.AppendUint64(append(dst, code), v)
}

func encodeInt(dst []byte, v int64) []byte { return encodeEight(dst, codeInt, uint64(v)) }

func encodeLength(dst []byte, code byte, n int) []byte {
	return binary.AppendUvarint(append(dst, code), uint64(n))
}

func encodeBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, codeTrue)
	}
	return append(dst, codeFalse)
}

func encodeFloat(dst []byte, v float64, s spelling) (out []byte, respelled bool) {
	if s == asWritten {
		return encodeEight(dst, codeFloat, math.Float64bits(v)), false
	}
	if v != v {
		return encodeEight(dst, codeFloat, math.Float64bits(math.NaN())), false
	}
	if v >= -exactFloats && v <= exactFloats && v == math.Trunc(v) {
		return encodeInt(dst, int64(v)), true
	}
	return encodeEight(dst, codeFloat, math.Float64bits(v)), false
}

func encodeTime(dst []byte, t time.Time) []byte {
	if stream.KindOf(t) == stream.Instant {
		return encodeEight(dst, codeInstant, uint64(t.UnixMilli()))
	}
	dst = encodeEight(dst, codeFine, uint64(t.Unix()))
	return binary.LittleEndian.AppendUint32(dst, uint32(t.Nanosecond()))
}

func encodeList(dst []byte, list []any, s spelling) (out []byte, respelled bool) {
	dst = encodeLength(dst, codeList, len(list))
	for _, v := range list {
		var r bool
		dst, r = encode(dst, v, s)
		respelled = respelled || r
	}
	return dst, respelled
}

func encodeObject(dst []byte, object map[string]any, s spelling) (out []byte, respelled bool) {
	dst = encodeLength(dst, codeObject, len(object))
	for _, name := range slices.Sorted(maps.Keys(object)) {
		dst = append(binary.AppendUvarint(dst, uint64(len(name))), name...)
		var r bool
		dst, r = encode(dst, object[name], s)
		respelled = respelled || r
	}
	return dst, respelled
}
