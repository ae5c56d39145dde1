package consume

import (
	"context"
	"time"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/recordbatch"
)

// Options say what to read.
type Options struct {
	client.TopicPartition
	// Offset is the first one wanted.
	Offset int64
	// ID is that of the topic; where it is set, a topic made anew is noticed when its leader has to be looked up again.
	ID client.TopicID
	// Committed leaves out what is in transactions that are open (Kafka: isolation.level=read_committed).
	Committed bool
	// MaxBytes is about how much a fetch brings; 0 stands for 1 MiB.
	MaxBytes int32
	// Pool is where the memory of fetches comes from and goes to; nil for one of its own.
	Pool Pool
	// MaxWait is how long a fetch waits for records; 0 stands for 500 ms.
	MaxWait time.Duration
	// Patience is how long fetches may fail in a row; 0 stands for 2 m. Gone is the same where the topic does not exist; 0
	// stands for 30 s.
	Patience, Gone time.Duration
}

func (o Options) withDefaults() Options {
	if o.MaxBytes <= 0 {
		o.MaxBytes = 1 << 20
	}
	if o.Pool == nil {
		o.Pool = NewPool(inUse)
	}
	if o.MaxWait <= 0 {
		o.MaxWait = 500 * time.Millisecond
	}
	if o.Patience <= 0 {
		o.Patience = 2 * time.Minute
	}
	if o.Gone <= 0 {
		o.Gone = 30 * time.Second
	}
	return o
}

// Fetched is what one fetch brought; perhaps nothing.
type Fetched struct {
	client.FetchAnswer
	// From is the first offset wanted of the set, Next the one behind all that the set covers.
	From, Next int64

	buf  []byte
	pool Pool
}

// Release gives the set's memory back: neither the set nor any record of it may be used any more. It may be left out.
func (f *Fetched) Release() {
	f.pool.put(f.buf)
	f.buf, f.Set = nil, nil
}

// Partition is a partition that is being read.
type Partition struct {
	client  *client.Client
	options Options
	fetched chan *Fetched
	cancel  context.CancelFunc
	done    chan struct{}
	err     error // set before done is closed
}

// Open begins to read. The first fetch is under way when it returns.
func Open(c *client.Client, o Options) *Partition {
	ctx, cancel := context.WithCancel(context.Background())
	p := &Partition{
		client: c, options: o.withDefaults(), cancel: cancel,
		fetched: make(chan *Fetched), done: make(chan struct{}),
	}
	go func() {
		defer close(p.done)
		p.err = p.run(ctx)
	}()
	return p
}

// Next gives the next fetch, in the order of offsets. Fetches that brought nothing are given too, so that the caller
// learns how far the partition has come.
func (p *Partition) Next(ctx context.Context) (*Fetched, error) {
	select {
	case f := <-p.fetched:
		return f, nil
	case <-p.done:
		return nil, p.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Close ends the reading. It waits until the fetch under way is cancelled.
func (p *Partition) Close() {
	p.cancel()
	<-p.done
}

// run fetches until something is wrong for good.
func (p *Partition) run(ctx context.Context) error {
	f := client.FetchRequest{
		TopicPartition: p.options.TopicPartition, Offset: p.options.Offset,
		MaxBytes: p.options.MaxBytes, MaxWait: p.options.MaxWait, Committed: p.options.Committed,
	}
	r := recovery{partition: p, what: "fetch of " + f.TopicPartition.String()}
	for {
		got, err := p.fetch(ctx, f)
		if ctx.Err() != nil {
			return client.ErrClosed
		}
		if err = r.after(ctx, f.Offset, err); err != nil {
			return err
		}
		if got == nil {
			continue
		}
		r.high = got.HighWatermark
		next, broken := recordbatch.Next(got.Set, got.From)
		if next == got.From && len(got.Set) > 0 && broken == nil {
			if f.MaxBytes >= largest {
				broken = &recordbatch.CorruptError{Offset: next, Reason: "it is longer than 512 MiB"}
			} else {
				f.MaxBytes = min(2*f.MaxBytes, largest) // not even one batch fits
				got.Release()
				continue
			}
		}
		got.Next = next
		select {
		case p.fetched <- got:
		case <-ctx.Done():
			return client.ErrClosed
		}
		if broken != nil {
			return broken
		}
		f.Offset, f.MaxBytes = next, p.options.MaxBytes
	}
}

// largest is the size of a fetch up to which a batch may need it.
const largest = 512 << 20

// fetch asks once; without an error it gives what came.
func (p *Partition) fetch(ctx context.Context, f client.FetchRequest) (*Fetched, error) {
	pool := p.options.Pool
	buf := pool.take()
	answer, err := p.client.Fetch(ctx, f, buf)
	if err != nil {
		pool.put(buf)
		return nil, err
	}
	if !f.Committed {
		answer.Aborted = nil
	}
	return &Fetched{FetchAnswer: answer, From: f.Offset, buf: answer.Frame, pool: pool}, nil
}
