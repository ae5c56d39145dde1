package parquetio

import "encoding/binary"

// deltaInts fills dst with integers that are stored as differences, bit-packed in blocks (Parquet:
// DELTA_BINARY_PACKED), and gives what follows them. There must be exactly as many as dst holds.
func deltaInts(dst []int64, src []byte) (rest []byte, ok bool) {
	d := thrift{data: src} // for its varints, which are the same
	block, minis, total, value := d.uvarint(), d.uvarint(), d.uvarint(), d.int()
	if d.bad || block == 0 || block > 1<<20 || minis == 0 || minis > block/8 || total != uint64(len(dst)) {
		return nil, false
	}
	per := int(block / minis)
	if len(dst) == 0 {
		return src[d.at:], true
	}
	dst[0] = value
	dst = dst[1:]
	for len(dst) > 0 {
		least := d.int()
		if d.bad || int(minis) > len(src)-d.at {
			return nil, false
		}
		widths := src[d.at : d.at+int(minis)]
		d.at += int(minis)
		for _, width := range widths {
			if len(dst) == 0 {
				break
			}
			if width > 64 {
				return nil, false
			}
			size := per * int(width) / 8
			run := dst[:min(per, len(dst))]
			dst = dst[len(run):]
			if need := (len(run)*int(width) + 7) / 8; need > len(src)-d.at {
				return nil, false
			}
			// The last block may be cut short.
			body := src[d.at:min(d.at+size, len(src))]
			d.at += len(body)
			value = sumDeltas(run, body, uint(width), least, value)
		}
	}
	return src[d.at:], true
}

// sumDeltas adds up differences of width bits, each less by least, starting behind value. It gives the last sum.
func sumDeltas(dst []int64, body []byte, width uint, least, value int64) int64 {
	if width == 0 {
		for i := range dst {
			value += least
			dst[i] = value
		}
		return value
	}
	mask := ^uint64(0) >> (64 - width)
	i, bit := 0, uint(0)
	if width <= 56 {
		for ; i < len(dst) && int(bit>>3)+8 <= len(body); i++ {
			value += least + int64(binary.LittleEndian.Uint64(body[bit>>3:])>>(bit&7)&mask)
			dst[i] = value
			bit += width
		}
	}
	for ; i < len(dst); i++ {
		at, shift := bit>>3, bit&7
		v := load(body, at) >> shift
		if shift+width > 64 {
			v |= load(body, at+8) << (64 - shift)
		}
		value += least + int64(v&mask)
		dst[i] = value
		bit += width
	}
	return value
}
