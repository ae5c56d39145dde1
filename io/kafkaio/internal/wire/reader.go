package wire

import (
	"encoding/binary"
	"errors"
)

// ErrMalformed says that a frame is shorter than what it claims to hold.
var ErrMalformed = errors.New("the broker's answer is malformed")

// Reader takes values off a frame. After the frame's end it gives zero values, and Err says so. The zero value reads
// the first encoding of an empty frame.
type Reader struct {
	B []byte
	// Flexible selects the newer encoding of strings, arrays and structures.
	Flexible bool
	// Frame is the memory that the values lie in, for [Request.ReadFrame] to use again.
	Frame  []byte
	broken bool
}

// Err gives ErrMalformed if more was read than there is.
func (r *Reader) Err() error {
	if r.broken {
		return ErrMalformed
	}
	return nil
}

// take gives the next n bytes, or nil.
func (r *Reader) take(n int) []byte {
	if n < 0 || n > len(r.B) {
		r.broken, r.B = true, nil
		return nil
	}
	b := r.B[:n:n]
	r.B = r.B[n:]
	return b
}

// Int8 takes a number of one byte.
func (r *Reader) Int8() int8 {
	if b := r.take(1); b != nil {
		return int8(b[0])
	}
	return 0
}

// Int16 takes a number of two bytes.
func (r *Reader) Int16() int16 {
	if b := r.take(2); b != nil {
		return int16(binary.BigEndian.Uint16(b))
	}
	return 0
}

// Int32 takes a number of four bytes.
func (r *Reader) Int32() int32 {
	if b := r.take(4); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

// Int64 takes a number of eight bytes.
func (r *Reader) Int64() int64 {
	if b := r.take(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

// Bool takes a byte.
func (r *Reader) Bool() bool { return r.Int8() != 0 }

// Uvarint takes a number of variable length.
func (r *Reader) Uvarint() uint64 {
	v, n := binary.Uvarint(r.B)
	if n <= 0 {
		r.take(-1)
		return 0
	}
	r.B = r.B[n:]
	return v
}

// length takes a length of variable size that is stored plus one, so that 0 is null, given as -1.
func (r *Reader) length() int {
	v := r.Uvarint()
	if v > uint64(len(r.B))+1 {
		r.take(-1)
		return -1
	}
	return int(v) - 1
}

// String takes text; null is empty.
func (r *Reader) String() string {
	n := 0
	if r.Flexible {
		n = r.length()
	} else {
		n = int(r.Int16())
	}
	if n <= 0 {
		return ""
	}
	return string(r.take(n))
}

// Array takes the length of an array whose elements follow, each at least one byte long; null is 0.
func (r *Reader) Array() int {
	n := 0
	if r.Flexible {
		n = r.length()
	} else {
		n = int(r.Int32())
	}
	if n > len(r.B) {
		r.take(-1)
		return 0
	}
	return max(n, 0)
}

// Bytes takes a length of four bytes and so many bytes, which stay part of the frame: their capacity is what there is of
// it, padding included. Null is nil.
func (r *Reader) Bytes() []byte {
	n := int(r.Int32())
	if n < 0 {
		return nil
	}
	rest := r.B
	return rest[:len(r.take(n))]
}

// Fixed fills dst.
func (r *Reader) Fixed(dst []byte) { copy(dst, r.take(len(dst))) }

// End takes the end of a structure, with what tagged fields there are.
func (r *Reader) End() {
	if !r.Flexible {
		return
	}
	for n := r.Uvarint(); n > 0 && !r.broken; n-- {
		r.Uvarint()
		size := r.Uvarint()
		r.take(int(min(size, 1<<30)))
	}
}
