package produce

import (
	"context"
	"errors"
	"sync"
	"time"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/recordbatch"
)

// Producer writes to one topic. Its methods may be called by several goroutines.
type Producer struct {
	client  *client.Client
	options Options
	ctx     context.Context // of everything in the background
	cancel  context.CancelFunc
	running sync.WaitGroup
	wake    chan struct{} // the dispatcher looks again

	mutex      sync.Mutex
	changed    sync.Cond // something was delivered, or went wrong
	partitions []*partition
	sticky     int // the partition of records without a key
	free       []*batch
	batchBytes int           // the size from which on a batch is full
	busy       map[int32]int // requests on their way, by broker
	pending    int           // records neither stored nor refused
	closing    bool          // no more records are taken
	err        error
	pressure   pressure
	sessions   []session
	turn       int   // the session that is used
	written    int64 // records of the transaction
	offsets    bool  // the transaction has offsets of a group
}

// partition is the producer's side of a partition.
type partition struct {
	client.TopicPartition
	open   *batch   // being filled
	again  []*batch // to be sent before open: what failed, or was split
	flying *batch   // on the wire
	// begun counts the batches that a record was put into, done those of which all records are stored or refused. They
	// are done in their order.
	begun, done int64
	// identity and sequence are those of the next new batch.
	identity recordbatch.Producer
	sequence int32
	failures int
	pause    time.Time // nothing is sent before
	joined   bool      // the transaction has the partition
}

// Open gets an identity and the number of partitions, which stays what it is: another number would send keys elsewhere.
func Open(ctx context.Context, c *client.Client, o Options) (*Producer, error) {
	p := &Producer{client: c, wake: make(chan struct{}, 1), busy: make(map[int32]int)}
	p.changed.L = &p.mutex
	topics, err := c.Topics(ctx, []string{o.Topic})
	if err == nil {
		err = topics[0].Err
	}
	if err != nil {
		return nil, err
	}
	for _, known := range topics[0].Partitions {
		at := client.TopicPartition{Topic: o.Topic, Partition: known.Number}
		p.partitions = append(p.partitions, &partition{TopicPartition: at})
	}
	if len(p.partitions) == 0 {
		return nil, &client.TopicError{Topic: o.Topic, Code: client.UnknownTopicOrPartition}
	}
	p.options = o.withDefaults(len(p.partitions))
	p.batchBytes = p.options.BatchBytes
	if err := p.begin(ctx); err != nil {
		return nil, err
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.running.Go(p.dispatch)
	return p, nil
}

// Partitions gives the number of partitions.
func (p *Producer) Partitions() int { return len(p.partitions) }

// Send takes a record on its way. It waits while there is no room, and gives an error when the producer has ended or
// the context does; nothing is then said of this record being sent later.
func (p *Producer) Send(ctx context.Context, m *Message) error {
	size := recordbatch.SizeOf(m.Key, m.Value, m.Headers)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	part := p.choose(m.Key)
	for {
		switch {
		case p.err != nil:
			return p.err
		case p.closing:
			return ErrClosed
		}
		if part.open == nil {
			part.open = p.take()
		}
		if part.open.builder.Len() == 0 || part.open.builder.Size()+size <= p.batchBytes {
			break
		}
		if m.Key == nil && part.flying != nil && p.restick() {
			part = p.partitions[p.sticky]
			continue
		}
		part.open.full = true
		p.look()
		if err := p.waitForRoom(ctx, part); err != nil {
			return err
		}
	}
	b := part.open
	if b.builder.Len() == 0 {
		b.born, b.closes = time.Now(), 1
		part.begun++
		p.look()
	}
	b.builder.Append(m.Timestamp, m.Key, m.Value, m.Headers)
	p.pending++
	return nil
}

// choose gives the partition of a key.
func (p *Producer) choose(key []byte) *partition {
	if key != nil {
		return p.partitions[partitionOf(key, len(p.partitions))]
	}
	return p.partitions[p.sticky]
}

// waitForRoom waits until the batch of a partition that takes records is not full.
func (p *Producer) waitForRoom(ctx context.Context, part *partition) error {
	p.pressure.begin(time.Now())
	defer func() { p.pressure.end(time.Now()) }()
	return p.waitFor(ctx, func() bool { return p.closing || part.open == nil || !part.open.full })
}

// restick moves records without a key on to a partition that has nothing on the wire, and reports whether there is one.
func (p *Producer) restick() bool {
	for i := range p.partitions {
		next := (p.sticky + 1 + i) % len(p.partitions)
		if part := p.partitions[next]; part.flying == nil && (part.open == nil || !part.open.full) {
			p.sticky = next
			return true
		}
	}
	return false
}

// Close flushes and ends the producer; records are not taken any more. When the context ends first, what is left is
// given up, which is an error; so is whatever ended the producer before. A transaction stays open.
func (p *Producer) Close(ctx context.Context) error {
	p.mutex.Lock()
	p.closing = true
	p.changed.Broadcast()
	p.mutex.Unlock()
	err := p.Flush(ctx)
	p.mutex.Lock()
	if err != nil && !errors.Is(err, ErrClosed) && p.err == nil {
		err = &UnsentError{p.options.Topic, p.pending, err}
	}
	if p.err == nil {
		p.err = ErrClosed
	}
	p.changed.Broadcast()
	p.mutex.Unlock()
	p.cancel()
	p.running.Wait()
	if errors.Is(err, ErrClosed) {
		return nil
	}
	return err
}

// waitFor waits until done, called with the mutex, is true or the producer or the context has ended.
func (p *Producer) waitFor(ctx context.Context, done func() bool) error {
	if done() {
		return nil
	}
	stop := context.AfterFunc(ctx, func() {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.changed.Broadcast()
	})
	defer stop()
	for !done() {
		switch {
		case p.err != nil:
			return p.err
		case ctx.Err() != nil:
			return ctx.Err()
		}
		p.changed.Wait()
	}
	return nil
}

// look makes the dispatcher look what is to be done.
func (p *Producer) look() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// fail ends the producer.
func (p *Producer) fail(err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.err == nil {
		p.err = err
	}
	p.changed.Broadcast()
}
