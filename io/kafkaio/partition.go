package kafkaio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
	"tidemark/io/kafkaio/internal/recordbatch"
)

// Fetches hold at most memory together, within what is sensible for one: of each partition one is under way, one has
// arrived and one is worked on.
const (
	memory       = 64 << 20
	together     = 3
	least, great = 64 << 10, 1 << 20
)

// spare is how many buffers of fetches are kept while nothing is in them.
const spare = 64

// heartbeat is how long brokers wait for records before they answer that there are none: twice in a second, so that
// hearing nothing means something.
const heartbeat = 500 * time.Millisecond

// partition is a partition that is read. What has no other owner belongs to whoever calls Next.
type partition struct {
	client.TopicPartition
	reader *recordReader
	start  int64
	// end is behind the last record that will be read, as a broker last said.
	end atomic.Int64
	// anew is set when the topic was found to be another one, with the id that it has now.
	anew atomic.Pointer[client.TopicID]

	id             client.TopicID
	index          int64
	position, stop int64

	ctx    context.Context // until it is closed
	cancel context.CancelFunc
	mutex  sync.Mutex         // guards what follows
	source *consume.Partition // nil before the first Next, and behind the end
	closed bool
}

func newPartition(r *recordReader, at client.TopicPartition, id client.TopicID, s span) *partition {
	p := &partition{TopicPartition: at, reader: r, id: id, start: s.start, position: s.start, stop: s.stop}
	p.sawEnd(s.end)
	p.ctx, p.cancel = context.WithCancel(r.ctx)
	return p
}

// Name implements [connector.RecordPartition].
func (p *partition) Name() string { return p.String() }

// Start implements [connector.RecordPartition].
func (p *partition) Start() int64 { return p.start }

// Lag implements [connector.RecordPartition].
func (p *partition) Lag(position int64) int64 { return max(p.end.Load()-position, 0) }

// sawEnd takes note of where the partition ends; what is behind the end of a bounded read does not count.
func (p *partition) sawEnd(end int64) { p.end.Store(min(end, p.stop)) }

// Next implements [connector.RecordPartition].
func (p *partition) Next(ctx context.Context) (connector.Chunk, error) {
	for {
		if err := cmp.Or(ctx.Err(), p.ctx.Err()); err != nil {
			return connector.Chunk{}, err
		}
		if p.position >= p.stop {
			p.finish()
			return connector.Chunk{}, io.EOF
		}
		err := p.another()
		var source *consume.Partition
		if err == nil {
			source, err = p.open()
		}
		var fetched *consume.Fetched
		if err == nil {
			fetched, err = source.Next(ctx)
		}
		if err == nil {
			return p.chunk(fetched), nil
		}
		if err := p.recover(ctx, err); err != nil {
			return connector.Chunk{}, err
		}
	}
}

// chunk makes a chunk of a fetch. One that has no records is not handed on.
func (p *partition) chunk(f *consume.Fetched) connector.Chunk {
	end := f.HighWatermark
	if p.reader.options.committed() {
		end = f.LastStable
	}
	p.sawEnd(end)
	c := connector.Chunk{Index: p.index, Offset: f.From, End: min(f.Next, p.stop)}
	if recordbatch.Holds(f.Set, f.From, c.End) {
		c.Fetch = f
	} else {
		f.Release()
	}
	p.index++
	p.position = c.End
	return c
}

// open begins to read, unless that is under way.
func (p *partition) open() (*consume.Partition, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.closed {
		return nil, client.ErrClosed
	}
	if p.source == nil {
		pace := p.reader.options.pace
		p.source = consume.Open(p.reader.client, consume.Options{
			TopicPartition: p.TopicPartition, Offset: p.position, ID: p.id, Committed: p.reader.options.committed(),
			MaxBytes: p.reader.share(), Pool: p.reader.pool, MaxWait: cmp.Or(pace.maxWait, heartbeat), Patience: pace.patience, Gone: pace.gone,
		})
	}
	return p.source, nil
}

// share gives what a fetch of one partition may bring.
func (r *recordReader) share() int32 {
	if size := r.env.ChunkSize; size > 0 {
		return int32(min(size, great))
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return int32(min(max(memory/together/max(len(r.partitions), 1), least), great))
}

// finish ends the reading, which may be opened again.
func (p *partition) finish() {
	p.mutex.Lock()
	source := p.source
	p.source = nil
	p.mutex.Unlock()
	if source != nil {
		source.Close()
	}
}

// Close implements [connector.RecordPartition].
func (p *partition) Close() error {
	p.cancel()
	p.mutex.Lock()
	p.closed = true
	p.mutex.Unlock()
	p.finish()
	return nil
}

// recover goes on behind an error that the options say how to survive; it gives back all others.
func (p *partition) recover(ctx context.Context, err error) error {
	var outside *consume.OutOfRangeError
	var replaced *consume.ReplacedError
	var corrupt *recordbatch.CorruptError
	var format *recordbatch.FormatError
	switch {
	case errors.As(err, &outside):
		return p.outside(ctx, outside)
	case errors.As(err, &replaced):
		return p.replaced(ctx, replaced)
	case errors.As(err, &corrupt), errors.As(err, &format):
		return unreadable(p.TopicPartition, err)
	}
	return err
}

// unreadable says where a batch is that can't be read, and how to do without it.
func unreadable(at client.TopicPartition, err error) error {
	var corrupt *recordbatch.CorruptError
	if errors.As(err, &corrupt) {
		return fmt.Errorf("%s: %w; to go on without it, begin behind it by start: {offsets: …, force: true}", at, err)
	}
	return fmt.Errorf("%s: %w", at, err)
}
