package state

import (
	"encoding/binary"
	"math"
	"time"

	"tidemark/stream"
)

// DecodeValue gives the boxed value at the start of an encoding that AppendValue made, and what follows it.
func DecodeValue(b []byte) (v any, rest []byte) {
	code, b := b[0], b[1:]
	switch code {
	case codeNull:
		return nil, b
	case codeFalse, codeTrue:
		return code == codeTrue, b
	case codeInt:
		return int64(binary.LittleEndian.Uint64(b)), b[8:]
	case codeFloat:
		return math.Float64frombits(binary.LittleEndian.Uint64(b)), b[8:]
	case codeInstant:
		return stream.Time(binary.LittleEndian.Uint64(b)).Std(), b[8:]
	case codeFine:
		seconds, nanos := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint32(b[8:])
		return time.Unix(int64(seconds), int64(nanos)).UTC(), b[12:]
	}
	n, b := decodeLength(b)
	switch code {
	case codeText:
		return string(b[:n]), b[n:]
	case codeList:
		list := make([]any, n)
		for i := range list {
			list[i], b = DecodeValue(b)
		}
		return list, b
	case codeObject:
		object := make(map[string]any, n)
		for range n {
			var size int
			size, b = decodeLength(b)
			name := string(b[:size])
			object[name], b = DecodeValue(b[size:])
		}
		return object, b
	}
	panic("an encoded value starts with an unknown code")
}

// DecodeTo appends the value at the start of an encoding to a builder column, and gives what follows it.
func DecodeTo(b []byte, out *stream.Column) (rest []byte) {
	switch code := b[0]; code {
	case codeNull:
		out.AppendNull()
		return b[1:]
	case codeFalse, codeTrue:
		out.AppendBool(code == codeTrue)
		return b[1:]
	case codeInt:
		out.AppendInt(int64(binary.LittleEndian.Uint64(b[1:])))
		return b[9:]
	case codeFloat:
		out.AppendFloat(math.Float64frombits(binary.LittleEndian.Uint64(b[1:])))
		return b[9:]
	case codeInstant:
		out.AppendInstant(stream.Time(binary.LittleEndian.Uint64(b[1:])))
		return b[9:]
	case codeText:
		n, text := decodeLength(b[1:])
		out.AppendText(text[:n])
		return text[n:]
	}
	v, rest := DecodeValue(b)
	out.AppendBoxed(v)
	return rest
}

// decodeLength gives the length at the start of b, and what follows it.
func decodeLength(b []byte) (n int, rest []byte) {
	v, size := binary.Uvarint(b)
	return int(v), b[size:]
}
