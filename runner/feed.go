package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"tidemark/io/connector"
)

// feed waits for the chunks of a partition of an input that comes as it is made, so that no worker has to. One chunk
// at a time waits to be claimed.
func (e *engine) feed(ctx context.Context, p *partition) {
	defer e.recovered(func() string { return p.source.plan.Name })
	for {
		c, err := p.input.Next(ctx)
		e.mu.Lock()
		p.beat = e.options.now()
		if err != nil {
			if ctx.Err() == nil { // else the run is stopped, which is not the end of the input
				p.claimed = true
			}
			if !errors.Is(err, io.EOF) && p.claimed {
				p.err = fmt.Errorf("%s: %w", p.source.plan.Name, err)
			}
			e.mu.Unlock()
			e.wake.Broadcast()
			return
		}
		if p.nothing(c) {
			p.passedBy = c.End
			p.catchUp()
			e.mu.Unlock()
			continue
		}
		p.arrived, p.passedBy = &c, c.End
		e.mu.Unlock()
		e.wake.Broadcast()
		select {
		case <-p.taken:
		case <-ctx.Done():
			return
		}
	}
}

// catchUp moves the position past what brought nothing, unless that is behind something that waits here. It is called
// with the lock held.
func (p *partition) catchUp() {
	if len(p.queue) == 0 && p.arrived == nil && !p.claiming {
		p.position = p.passedBy
	}
}

// nothing says that a chunk brings nothing but the news that there was nothing.
func (p *partition) nothing(c connector.Chunk) bool {
	return c.Fetch == nil && len(c.Data) == 0 && (p.records != nil || c.Offset == c.End)
}

// silence is for how long a partition may say nothing at all before it counts as one that can't be looked at.
const silence = 3 * time.Second

// waiting reports whether a partition waits for its input, and nothing but that: no chunk of it waits for anything
// here, and the last look at it is not long ago. It is called with the lock held.
func (p *partition) waiting(now time.Time) bool {
	return len(p.queue) == 0 && p.arrived == nil && !p.claiming && now.Sub(p.beat) < silence
}

// start begins to read a partition.
func (e *engine) start(ctx context.Context, p *partition) {
	if p.taken != nil {
		p.beat = e.options.now()
		e.feeds.Go(func() { e.feed(ctx, p) })
	}
}

// grow waits for partitions that come while a source is read.
func (e *engine) grow(ctx context.Context, s *source) {
	defer e.recovered(func() string { return s.plan.Name })
	for {
		added, err := s.added(ctx)
		if err != nil {
			if !errors.Is(err, io.EOF) && ctx.Err() == nil {
				e.fail(fmt.Errorf("%s: %w", s.plan.Name, err))
			}
			return
		}
		e.mu.Lock()
		e.joining = append(e.joining, added...)
		e.mu.Unlock()
		e.wake.Broadcast()
	}
}

// added waits for partitions that have come.
func (s *source) added(ctx context.Context) (list []*partition, err error) {
	if s.reader != nil {
		found, err := s.reader.Added(ctx)
		for _, r := range found {
			list = append(list, newRecordPartition(s, r))
		}
		return list, err
	}
	found, err := s.growing.Added(ctx)
	for _, l := range found {
		list = append(list, s.partition(&partition{input: l, lines: l}))
	}
	return list, err
}

// join takes up partitions that have come. They hold the watermark back, but never pull it back.
func (e *engine) join(ctx context.Context, joining []*partition) {
	for _, p := range joining {
		s := p.source
		e.mu.Lock()
		p.number = len(s.partitions)
		s.partitions = append(s.partitions, p)
		e.mu.Unlock()
		s.combiner.Add()
		e.start(ctx, p)
	}
}
