package parquetio

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/parquet-go/bitpack"
)

// hybrid is a run of run-length encoded or bit-packed numbers (Parquet: RLE).
type hybrid struct {
	src   []byte
	width uint
}

// next reads a run's head. packed runs have their bits in body; others are value repeated.
func (h *hybrid) next() (count int, packed bool, body []byte, value uint32, ok bool) {
	head, n := binary.Uvarint(h.src)
	if n <= 0 || head>>1 > maxValues {
		return 0, false, nil, 0, false
	}
	h.src = h.src[n:]
	if head&1 != 0 {
		count = int(head>>1) * 8
		size := int(head>>1) * int(h.width)
		if size > len(h.src) {
			// Some writers cut the last group short.
			size = len(h.src)
			count = size * 8 / int(max(h.width, 1))
			if h.width == 0 {
				return 0, false, nil, 0, false
			}
		}
		body, h.src = h.src[:size], h.src[size:]
		return count, true, body, 0, true
	}
	size := int(h.width+7) / 8
	if size > len(h.src) {
		return 0, false, nil, 0, false
	}
	for i := range size {
		value |= uint32(h.src[i]) << (8 * i)
	}
	h.src = h.src[size:]
	return int(head >> 1), false, nil, value, true
}

// ints fills dst with the numbers of src. It reports false if there are not enough.
func (h hybrid) ints(dst []int32) bool {
	for len(dst) > 0 {
		count, packed, body, value, ok := h.next()
		if !ok || count == 0 && len(h.src) == 0 {
			return false
		}
		run := dst[:min(count, len(dst))]
		dst = dst[len(run):]
		if packed {
			unpack(run, body, h.width)
			continue
		}
		for i := range run {
			run[i] = int32(value)
		}
	}
	return true
}

// levels fills dst like ints.
func (h hybrid) levels(dst []byte) bool {
	for len(dst) > 0 {
		count, packed, body, value, ok := h.next()
		if !ok || count == 0 && len(h.src) == 0 {
			return false
		}
		run := dst[:min(count, len(dst))]
		dst = dst[len(run):]
		switch {
		case !packed:
			for i := range run {
				run[i] = byte(value)
			}
		case h.width == 1:
			unpackBits(run, body)
		default:
			unpackBytes(run, body, h.width)
		}
	}
	return true
}

// constant reports whether the first n numbers are all value, which a writer mostly says in one run.
func (h hybrid) constant(n int, value uint32) bool {
	for n > 0 {
		count, packed, _, v, ok := h.next()
		if !ok || packed || v != value || count == 0 {
			return false
		}
		n -= count
	}
	return true
}

// levelWidth is the number of bits of a level that is at most most.
func levelWidth(most uint8) uint { return uint(bits.Len8(most)) }

// unpack reads numbers of width bits, the lowest bits first; body has enough of them.
func unpack(dst []int32, body []byte, width uint) {
	// The library wants some bytes behind what it reads, so the end is left to the loop.
	fast := 0
	if room := len(body) - bitpack.PaddingInt32; room > 0 && width > 0 {
		fast = min(len(dst), room*8/int(width)) &^ 31
		bitpack.Unpack(dst[:fast], body, width)
	}
	mask := uint64(1)<<width - 1
	bit := uint(fast) * width
	for i := fast; i < len(dst); i++ {
		dst[i] = int32(load(body, bit>>3) >> (bit & 7) & mask)
		bit += width
	}
}

func unpackBytes(dst, body []byte, width uint) {
	mask := uint64(1)<<width - 1
	for i := range dst {
		bit := uint(i) * width
		dst[i] = byte(load(body, bit>>3) >> (bit & 7) & mask)
	}
}

func unpackBits(dst, body []byte) {
	whole := len(dst) / 8
	for i := range whole {
		b := uint64(body[i])
		// Each bit moves to the lowest bit of a byte of its own.
		spread := (b & 0x7f * 0x0002040810204081) & 0x0101010101010101
		binary.LittleEndian.PutUint64(dst[i*8:], spread|b>>7<<56)
	}
	for i := whole * 8; i < len(dst); i++ {
		dst[i] = body[i/8] >> (i & 7) & 1
	}
}

// load gives 8 bytes from at on as a number, those behind the end as 0.
func load(src []byte, at uint) uint64 {
	if at+8 <= uint(len(src)) {
		return binary.LittleEndian.Uint64(src[at:])
	}
	v := uint64(0)
	for i := at; i < uint(len(src)); i++ {
		v |= uint64(src[i]) << (8 * (i - at))
	}
	return v
}

// packedLevels reads levels of the deprecated encoding BIT_PACKED, the highest bits first. It gives what follows.
func packedLevels(dst, src []byte, width uint) (rest []byte, ok bool) {
	size := (len(dst)*int(width) + 7) / 8
	if size > len(src) {
		return nil, false
	}
	bit := 0
	for i := range dst {
		v := byte(0)
		for range width {
			v = v<<1 | src[bit>>3]>>(7-bit&7)&1
			bit++
		}
		dst[i] = v
	}
	return src[size:], true
}

// countLevel counts the levels that equal one.
func countLevel(levels []byte, level uint8) int { return bytes.Count(levels, []byte{level}) }
