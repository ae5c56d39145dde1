package wire

import "encoding/binary"

// Writer appends values to a frame. The zero value writes the first encoding.
type Writer struct {
	B []byte
	// Flexible selects the newer encoding of strings, arrays and structures.
	Flexible bool
}

// Int8 appends a number of one byte.
func (w *Writer) Int8(v int8) { w.B = append(w.B, byte(v)) }

// Int16 appends a number of two bytes.
func (w *Writer) Int16(v int16) { w.B = binary.BigEndian.AppendUint16(w.B, uint16(v)) }

// Int32 appends a number of four bytes.
func (w *Writer) Int32(v int32) { w.B = binary.BigEndian.AppendUint32(w.B, uint32(v)) }

// Int64 appends a number of eight bytes.
func (w *Writer) Int64(v int64) { w.B = binary.BigEndian.AppendUint64(w.B, uint64(v)) }

// Bool appends a byte, 1 for true.
func (w *Writer) Bool(v bool) {
	if v {
		w.Int8(1)
	} else {
		w.Int8(0)
	}
}

// Raw appends bytes as they are.
func (w *Writer) Raw(b []byte) { w.B = append(w.B, b...) }

// String appends text.
func (w *Writer) String(s string) {
	if w.Flexible {
		w.B = binary.AppendUvarint(w.B, uint64(len(s))+1)
	} else {
		w.Int16(int16(len(s)))
	}
	w.B = append(w.B, s...)
}

// Nullable appends text, or null where it is empty.
func (w *Writer) Nullable(s string) {
	switch {
	case s != "":
		w.String(s)
	case w.Flexible:
		w.Int8(0)
	default:
		w.Int16(-1)
	}
}

// Array appends the length of an array whose elements follow; -1 is null.
func (w *Writer) Array(n int) {
	if w.Flexible {
		w.B = binary.AppendUvarint(w.B, uint64(n+1))
	} else {
		w.Int32(int32(n))
	}
}

// End ends a structure.
func (w *Writer) End() {
	if w.Flexible {
		w.Int8(0)
	}
}
