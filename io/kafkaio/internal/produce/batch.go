package produce

import (
	"time"

	"tidemark/io/kafkaio/internal/recordbatch"
)

// batch is a batch from its first record until it is stored.
type batch struct {
	builder recordbatch.Builder
	full    bool      // takes no more records
	urgent  bool      // does not wait for more
	born    time.Time // when its first record came
	sent    time.Time // when it was sent first
	// closes is how many of the partition's batches are done when this one is: 1, unless it is a part of a batch that
	// was taken apart, of which only the last one counts.
	closes int64
	// encoded is the batch as it travels; nil until it is sent first. It is not touched while it is on the wire.
	encoded  []byte
	scratch  []byte // memory for encoded, where it is compressed
	stamped  bool
	identity recordbatch.Producer
	sequence int32
	strange  int // how often the broker did not know what to make of the sequence
}

// take gives an empty batch.
func (p *Producer) take() *batch {
	if n := len(p.free); n > 0 {
		b := p.free[n-1]
		p.free = p.free[:n-1]
		return b
	}
	return new(batch)
}

// give takes back a batch that is not needed any more. A few are kept for every partition that is busy.
func (p *Producer) give(b *batch) {
	b.builder.Reset()
	*b = batch{builder: b.builder, scratch: b.scratch}
	if len(p.free) < 2*len(p.partitions) && cap(b.scratch) < 4*p.options.BatchBytes {
		p.free = append(p.free, b)
	}
}

// after gives the sequence number that is n behind s. Behind the greatest comes 0.
func after(s int32, n int) int32 { return int32((int64(s) + int64(n)) & 0x7fffffff) }

// prepare encodes the batch, if it is not, and stamps it.
func (b *batch) prepare(codec recordbatch.Compression, transactional bool) {
	if b.encoded == nil {
		if b.encoded = b.builder.Build(b.scratch, codec); codec != recordbatch.None {
			b.scratch = b.encoded
		}
	}
	if !b.stamped {
		recordbatch.Stamp(b.encoded, b.identity, b.sequence, transactional)
		b.stamped = true
	}
}
