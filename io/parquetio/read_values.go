package parquetio

import (
	"encoding/binary"
	"math"

	"tidemark/stream"
)

// Encodings.
const (
	encodingPlain           = 0
	encodingPlainDictionary = 2
	encodingRLE             = 3
	encodingBitPacked       = 4
	encodingDelta           = 5
	encodingDeltaLength     = 6
	encodingDeltaBytes      = 7
	encodingDictionary      = 8
	encodingSplit           = 9
)

const (
	// maxValues is how many values a page may have, null or not, and maxPresent how many that are not null.
	maxValues  = 1 << 26
	maxPresent = 1 << 24
	// maxGrown is how large the text of a page may become when shared beginnings are written out.
	maxGrown = 1 << 28
)

// valueReader decodes the values of pages as they are stored.
type valueReader struct {
	lengths, suffixes []int64
	bits              []byte
}

// read fills out with n values of a type, as they are stored: ints, floats, bools, or pieces of bytes, which may
// refer to src. It reports false if src does not hold them, and known false for an encoding that it can't read.
func (r *valueReader) read(out *stream.Column, t leafType, encoding int64, src []byte, n int) (ok, known bool) {
	if n == 0 {
		out.Reset(t.stored(), 0)
		return true, true
	}
	if n > maxPresent {
		return false, true
	}
	switch t.physical {
	case physicalBool:
		return r.bools(out, encoding, src, n)
	case physicalInt32, physicalInt64:
		return r.ints(out, t, encoding, src, n)
	case physicalFloat, physicalDouble:
		return floats(out, t, encoding, src, n)
	}
	return r.pieces(out, t, encoding, src, n)
}

// stored gives the kind of column that holds the values as they are stored.
func (t leafType) stored() stream.Kind {
	switch t.physical {
	case physicalBool:
		return stream.Bool
	case physicalInt32, physicalInt64:
		return stream.Int
	case physicalFloat, physicalDouble:
		return stream.Float
	}
	return stream.String
}

// width is the number of bytes of a value of fixed length, else 0.
func (t leafType) width() int {
	switch t.physical {
	case physicalInt32, physicalFloat:
		return 4
	case physicalInt64, physicalDouble:
		return 8
	case physicalInt96:
		return 12
	case physicalFixed:
		return t.length
	}
	return 0
}

func (r *valueReader) bools(out *stream.Column, encoding int64, src []byte, n int) (ok, known bool) {
	out.Reset(stream.Bool, 0)
	r.bits = stream.Resize(r.bits, n)
	switch encoding {
	case encodingPlain:
		if len(src) < (n+7)/8 {
			return false, true
		}
		unpackBits(r.bits, src)
	case encodingRLE:
		if len(src) < 4 || uint64(binary.LittleEndian.Uint32(src)) > uint64(len(src)-4) {
			return false, true
		}
		if !(hybrid{src[4 : 4+binary.LittleEndian.Uint32(src)], 1}).levels(r.bits) {
			return false, true
		}
	default:
		return false, false
	}
	out.Reset(stream.Bool, n)
	for i, b := range r.bits {
		out.Bools[i] = b != 0
	}
	return true, true
}

func (r *valueReader) ints(out *stream.Column, t leafType, encoding int64, src []byte, n int) (ok, known bool) {
	out.Reset(stream.Int, 0)
	wide := t.physical == physicalInt64
	switch encoding {
	case encodingPlain, encodingSplit:
		if n > len(src)/t.width() {
			return false, true
		}
		out.Reset(stream.Int, n)
		switch {
		case encoding == encodingSplit:
			split(src, t.width(), n, func(i int, v uint64) { out.Ints[i] = int64(v) })
		case wide:
			for i := range out.Ints {
				out.Ints[i] = int64(binary.LittleEndian.Uint64(src[8*i:]))
			}
		default:
			for i := range out.Ints {
				out.Ints[i] = int64(binary.LittleEndian.Uint32(src[4*i:]))
			}
		}
	case encodingDelta:
		out.Reset(stream.Int, n)
		if _, ok := deltaInts(out.Ints, src); !ok {
			return false, true
		}
	default:
		return false, false
	}
	switch {
	case wide:
	case t.narrow:
		for i, v := range out.Ints {
			out.Ints[i] = int64(uint32(v))
		}
	default:
		for i, v := range out.Ints {
			out.Ints[i] = int64(int32(v))
		}
	}
	return true, true
}

func floats(out *stream.Column, t leafType, encoding int64, src []byte, n int) (ok, known bool) {
	out.Reset(stream.Float, 0)
	if encoding != encodingPlain && encoding != encodingSplit {
		return false, false
	}
	if n > len(src)/t.width() {
		return false, true
	}
	out.Reset(stream.Float, n)
	switch wide := t.physical == physicalDouble; {
	case encoding == encodingSplit && wide:
		split(src, 8, n, func(i int, v uint64) { out.Floats[i] = math.Float64frombits(v) })
	case encoding == encodingSplit:
		split(src, 4, n, func(i int, v uint64) { out.Floats[i] = float64(math.Float32frombits(uint32(v))) })
	case wide:
		for i := range out.Floats {
			out.Floats[i] = math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:]))
		}
	default:
		for i := range out.Floats {
			out.Floats[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:])))
		}
	}
	return true, true
}

// split gives n numbers whose bytes stand apart, all first bytes, then all second ones (Parquet:
// BYTE_STREAM_SPLIT).
func split(src []byte, width, n int, give func(i int, v uint64)) {
	stride := len(src) / width
	for i := range n {
		v := uint64(0)
		for b := range width {
			v |= uint64(src[b*stride+i]) << (8 * b)
		}
		give(i, v)
	}
}

// pieces reads byte arrays.
func (r *valueReader) pieces(out *stream.Column, t leafType, encoding int64, src []byte, n int) (ok, known bool) {
	out.Reset(stream.String, 0)
	width := t.width()
	switch {
	case encoding == encodingDeltaBytes:
		return r.prefixed(out, src, n, width), true
	case encoding == encodingDeltaLength && width == 0:
		return r.lengthsFirst(out, src, n), true
	case encoding == encodingSplit && width > 0 && t.physical == physicalFixed:
		return r.splitPieces(out, src, n, width), true
	case encoding != encodingPlain:
		return false, false
	case width > 0:
		if n > len(src)/width {
			return false, true
		}
		out.Reset(stream.String, n)
		for i := range out.Refs {
			out.Refs[i] = stream.Ref{Off: uint32(i * width), Len: uint32(width)}
		}
		out.Data = src
		return true, true
	}
	if n > len(src)/4 {
		return false, true
	}
	out.Reset(stream.String, n)
	out.Data = src
	at := 0
	for i := range out.Refs {
		if len(src)-at < 4 {
			return false, true
		}
		size := binary.LittleEndian.Uint32(src[at:])
		at += 4
		if uint64(size) > uint64(len(src)-at) {
			return false, true
		}
		out.Refs[i] = stream.Ref{Off: uint32(at), Len: size}
		at += int(size)
	}
	return true, true
}

// splitPieces puts fixed-length bytes that stand apart together.
func (r *valueReader) splitPieces(out *stream.Column, src []byte, n, width int) bool {
	stride := len(src) / width
	if n > stride {
		return false
	}
	out.Reset(stream.String, n)
	for i := range n {
		out.Refs[i] = stream.Ref{Off: uint32(len(out.Arena)) | stream.ArenaBit, Len: uint32(width)}
		for b := range width {
			out.Arena = append(out.Arena, src[b*stride+i])
		}
	}
	return true
}

// lengthsFirst reads byte arrays whose lengths stand before them all.
func (r *valueReader) lengthsFirst(out *stream.Column, src []byte, n int) bool {
	r.lengths = stream.Resize(r.lengths, n)
	data, ok := deltaInts(r.lengths, src)
	if !ok {
		return false
	}
	out.Reset(stream.String, n)
	out.Data = data
	at := int64(0)
	for i, size := range r.lengths {
		if size < 0 || size > int64(len(data))-at {
			return false
		}
		out.Refs[i] = stream.Ref{Off: uint32(at), Len: uint32(size)}
		at += size
	}
	return true
}

// prefixed reads byte arrays that each begin as the one before does.
func (r *valueReader) prefixed(out *stream.Column, src []byte, n, width int) bool {
	r.lengths, r.suffixes = stream.Resize(r.lengths, n), stream.Resize(r.suffixes, n)
	src, ok := deltaInts(r.lengths, src)
	if ok {
		src, ok = deltaInts(r.suffixes, src)
	}
	if !ok {
		return false
	}
	out.Reset(stream.String, n)
	before := int64(0)
	for i, prefix := range r.lengths {
		suffix, start := r.suffixes[i], int64(len(out.Arena))
		if prefix < 0 || prefix > before || suffix < 0 || suffix > int64(len(src)) || start+prefix+suffix > maxGrown ||
			width > 0 && prefix+suffix != int64(width) {
			return false
		}
		out.Arena = append(out.Arena, out.Arena[start-before:start-before+prefix]...)
		out.Arena = append(out.Arena, src[:suffix]...)
		src = src[suffix:]
		before = prefix + suffix
		out.Refs[i] = stream.Ref{Off: uint32(start) | stream.ArenaBit, Len: uint32(before)}
	}
	return true
}
