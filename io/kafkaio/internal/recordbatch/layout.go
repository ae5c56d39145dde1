package recordbatch

import (
	"encoding/binary"
	"hash/crc32"
)

// Where the fields of a batch stand. The length counts what follows it, the checksum covers what follows it.
const (
	atBaseOffset      = 0
	atLength          = 8
	atLeaderEpoch     = 12
	atMagic           = 16
	atChecksum        = 17
	atAttributes      = 21
	atLastOffsetDelta = 23
	atBaseTimestamp   = 27
	atMaxTimestamp    = 35
	atProducerID      = 43
	atProducerEpoch   = 51
	atBaseSequence    = 53
	atCount           = 57
	headerSize        = 61

	lengthOverhead = 12 // what the length does not count
)

// The bits of a batch's attributes.
const (
	codecBits              = 0x07
	appendTimeBit          = 0x08
	transactionalBit       = 0x10
	controlBit             = 0x20
	magicV2                = 2
	markerAbort            = 0
	noSequence       int32 = -1
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// header is the part of a batch before its records.
type header struct {
	base, last        int64 // the offsets that the batch covers
	attributes        int16
	baseTime, maxTime int64
	producerID        int64
	count             int
	size              int // of the whole batch in bytes
}

// readHeader reads the header of a batch that is complete in b.
func readHeader(b []byte, size int) header {
	base := int64(binary.BigEndian.Uint64(b[atBaseOffset:]))
	return header{
		base:       base,
		last:       base + int64(int32(binary.BigEndian.Uint32(b[atLastOffsetDelta:]))),
		attributes: int16(binary.BigEndian.Uint16(b[atAttributes:])),
		baseTime:   int64(binary.BigEndian.Uint64(b[atBaseTimestamp:])),
		maxTime:    int64(binary.BigEndian.Uint64(b[atMaxTimestamp:])),
		producerID: int64(binary.BigEndian.Uint64(b[atProducerID:])),
		count:      int(int32(binary.BigEndian.Uint32(b[atCount:]))),
		size:       size,
	}
}

// complete gives the size of the first batch of set; ok is false where the set is cut off inside it. An error says
// that no batch in the known format starts here.
func complete(set []byte) (size int, ok bool, err error) {
	if len(set) < atMagic+1 {
		return 0, false, nil
	}
	base := int64(binary.BigEndian.Uint64(set[atBaseOffset:]))
	length := int64(int32(binary.BigEndian.Uint32(set[atLength:])))
	if magic := int8(set[atMagic]); magic == 0 || magic == 1 {
		return 0, false, &FormatError{Offset: base, Magic: magic}
	} else if magic != magicV2 {
		return 0, false, &CorruptError{Offset: base, Reason: "its format is of an unknown version"}
	}
	if length < headerSize-lengthOverhead {
		return 0, false, &CorruptError{Offset: base, Reason: "its length is impossible"}
	}
	if length+lengthOverhead > int64(len(set)) {
		return 0, false, nil
	}
	return int(length) + lengthOverhead, true, nil
}

// Next gives the offset behind the batches that are complete in set, of which the records before from are not wanted:
// where the next fetch goes on. It is from itself where no batch is complete. An error is about the batch at next, as in
// [Decoder.Walk]; checksums are not looked at.
func Next(set []byte, from int64) (next int64, err error) {
	for {
		size, ok, err := complete(set)
		if !ok || err != nil {
			return from, err
		}
		if h := readHeader(set, size); h.last >= from {
			from = h.last + 1
		}
		set = set[size:]
	}
}

// Holds reports whether the batches that are complete in set may have records from offset from up to before to. Markers
// of transactions are none, records of transactions that were aborted count. What is corrupt may be anything.
func Holds(set []byte, from, to int64) bool {
	for {
		size, ok, err := complete(set)
		if !ok || err != nil {
			return err != nil
		}
		h := readHeader(set, size)
		bare := h.count == 0 || h.attributes&controlBit != 0
		if h.last >= from && h.base < to && !(bare && intact(set[:size])) {
			return true
		}
		set = set[size:]
	}
}

// Compressed reports whether one of the batches that are complete in set is compressed.
func Compressed(set []byte) bool {
	for {
		size, ok, err := complete(set)
		if !ok || err != nil {
			return false
		}
		if readHeader(set, size).attributes&codecBits != 0 {
			return true
		}
		set = set[size:]
	}
}

// intact reports whether a batch is as its checksum says.
func intact(b []byte) bool {
	return crc32.Checksum(b[atAttributes:], castagnoli) == binary.BigEndian.Uint32(b[atChecksum:])
}
