package recordbatch

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"
)

// Producer is who writes a batch (Kafka: idempotent producer).
type Producer struct {
	ID    int64
	Epoch int16
}

// NoProducer writes without an identity, so a batch that is sent twice may be stored twice.
var NoProducer = Producer{ID: -1, Epoch: -1}

// Builder collects the records of one batch. The zero value is ready.
type Builder struct {
	buf               []byte // room for the header, then the records
	count             int
	baseTime, maxTime int64
}

// Reset drops the records.
func (b *Builder) Reset() { b.buf, b.count = b.buf[:0], 0 }

// Len gives the number of records.
func (b *Builder) Len() int { return b.count }

// Size gives the number of bytes that the batch has without compression.
func (b *Builder) Size() int { return max(headerSize, len(b.buf)) }

// SizeOf gives an upper bound of what a record adds to a batch.
func SizeOf(key, value []byte, headers []Header) int {
	const most = 5 + 1 + 10 + 5 + 5 + 5 + 5 // length, attributes, timestamp, offset, the two lengths, header count
	n := most + len(key) + len(value)
	for _, h := range headers {
		n += 10 + len(h.Name) + len(h.Value)
	}
	return n
}

// Append adds a record, which it copies. A nil key or value is null. The timestamp is in milliseconds since 1970.
func (b *Builder) Append(timestamp int64, key, value []byte, headers []Header) {
	if b.count == 0 {
		b.baseTime, b.maxTime = timestamp, timestamp
		b.start()
	}
	b.maxTime = max(b.maxTime, timestamp)
	time, offset := timestamp-b.baseTime, int64(b.count)
	n := 1 + varintSize(time) + varintSize(offset) + bytesSize(key) + bytesSize(value) + varintSize(int64(len(headers)))
	for i := range headers {
		n += varintSize(int64(len(headers[i].Name))) + len(headers[i].Name) + bytesSize(headers[i].Value)
	}
	p := appendVarint(b.buf, int64(n))
	p = append(p, 0)
	p = appendVarint(p, time)
	p = appendVarint(p, offset)
	p = appendBytes(p, key)
	p = appendBytes(p, value)
	p = appendVarint(p, int64(len(headers)))
	for i := range headers {
		p = appendVarint(p, int64(len(headers[i].Name)))
		p = append(p, headers[i].Name...)
		p = appendBytes(p, headers[i].Value)
	}
	b.buf = p
	b.count++
}

// start makes room for the header.
func (b *Builder) start() {
	if len(b.buf) < headerSize {
		b.buf = append(b.buf[:0], make([]byte, headerSize)...)
	}
}

// Build gives the batch, in the memory of scratch where it is compressed, and in the builder's own, until it is reset,
// where it is not. It has to be stamped before it is sent.
func (b *Builder) Build(scratch []byte, codec Compression) []byte {
	b.start()
	h := b.buf
	if codec != None {
		h = deflate(codec, append(scratch[:0], b.buf[:headerSize]...), b.buf[headerSize:])
	}
	binary.BigEndian.PutUint32(h[atLength:], uint32(len(h)-lengthOverhead))
	binary.BigEndian.PutUint32(h[atLeaderEpoch:], ^uint32(0))
	h[atMagic] = magicV2
	binary.BigEndian.PutUint16(h[atAttributes:], uint16(codec))
	binary.BigEndian.PutUint32(h[atLastOffsetDelta:], uint32(b.count-1))
	binary.BigEndian.PutUint64(h[atBaseTimestamp:], uint64(b.baseTime))
	binary.BigEndian.PutUint64(h[atMaxTimestamp:], uint64(b.maxTime))
	binary.BigEndian.PutUint32(h[atCount:], uint32(b.count))
	Stamp(h, NoProducer, noSequence, false)
	return h
}

// Stamp says who writes a batch, with which number its first record has, and whether in a transaction.
func Stamp(batch []byte, p Producer, sequence int32, transactional bool) {
	batch[atAttributes+1] &^= transactionalBit
	if transactional {
		batch[atAttributes+1] |= transactionalBit
	}
	binary.BigEndian.PutUint64(batch[atProducerID:], uint64(p.ID))
	binary.BigEndian.PutUint16(batch[atProducerEpoch:], uint16(p.Epoch))
	binary.BigEndian.PutUint32(batch[atBaseSequence:], uint32(sequence))
	binary.BigEndian.PutUint32(batch[atChecksum:], crc32.Checksum(batch[atAttributes:], castagnoli))
}

func appendVarint(dst []byte, v int64) []byte {
	x := uint64(v<<1) ^ uint64(v>>63)
	for x >= 0x80 {
		dst = append(dst, byte(x)|0x80)
		x >>= 7
	}
	return append(dst, byte(x))
}

func varintSize(v int64) int {
	x := uint64(v<<1) ^ uint64(v>>63)
	return (bits.Len64(x|1) + 6) / 7
}

func appendBytes(dst, b []byte) []byte {
	if b == nil {
		return append(dst, 1) // -1
	}
	return append(appendVarint(dst, int64(len(b))), b...)
}

func bytesSize(b []byte) int {
	if b == nil {
		return 1
	}
	return varintSize(int64(len(b))) + len(b)
}
