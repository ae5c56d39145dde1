package state

import (
	"encoding/binary"
	"math/bits"

	"github.com/zeebo/xxh3"
)

// laneBits is the number of a hash's top bits that lanes are made of. Indexes use the low 32, so keys of one
// lane spread over the whole of an index.
const laneBits = 6

// Lane gives the lane of a key, from 0 to lanes-1, by the top six bits of its hash. lanes is at most 64. With
// a power of two the lanes of 64 lie whole within those of fewer.
func Lane(hash uint64, lanes int) int { return int(hash>>(64-laneBits)) * lanes >> laneBits }

// hashInt folds the 128-bit product of the key and an odd constant, which mixes every bit of the key into the
// top and the low bits alike. The constants are digits of π.
func hashInt(v int64) uint64 {
	hi, lo := bits.Mul64(uint64(v)^0x243f6a8885a308d3, 0x9e3779b97f4a7c15)
	return hi ^ lo
}

// hashText hashes a key of one text.
func hashText(b []byte) uint64 { return xxh3.Hash(b) }

// hashEncoded hashes an encoded key of some columns: of one column by its value, as the plain modes do.
func hashEncoded(b []byte, columns int) uint64 {
	if columns == 1 {
		switch b[0] {
		case codeInt:
			return hashInt(int64(binary.LittleEndian.Uint64(b[1:])))
		case codeText:
			_, n := binary.Uvarint(b[1:])
			return hashText(b[1+n:])
		}
	}
	return xxh3.Hash(b)
}
