package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	"tidemark/io/connector"
)

// engine is a plan at work.
type engine struct {
	options Options
	workers int
	sources []*source
	// nodes are unions, transforms and sinks, each after what it reads.
	nodes []node
	// flushed are the nodes with their meters.
	flushed []target
	meters  map[string]*meter
	// timed are the transforms whose windows go by the time of day.
	timed  []*transform
	sinks  []*sink
	counts []*Counts

	mu   sync.Mutex
	wake *sync.Cond
	// applying says that a worker holds the token. stopping and err end the run.
	applying, stopping, finished bool
	err                          error
	// waiting is the partition whose chunk the sequencer needs next.
	waiting *partition
	// ahead is the number of chunks claimed and not applied.
	ahead int
	// prompt says that the input comes as it is made, so that results should not wait for more of it.
	prompt bool
	// piped says that the input comes through a pipe, whose end nobody knows.
	piped bool

	// unbounded says that a source has no end, so that chunks are taken as they arrive.
	unbounded bool
	// due says that the clock is to be looked at; joining are partitions that have come; arrivals counts chunks.
	due      bool
	joining  []*partition
	arrivals uint64
	// feeds are the goroutines beside the workers, running is their context.
	feeds   sync.WaitGroup
	running context.Context

	// What follows belongs to whoever holds the token: the number of rows that had their turn, the node at work, how
	// far the sources' groups are told, and when something came out last.
	// current is the piece that has its turn. handed counts the records that sinks have refused and others were given.
	cause   uint64
	current piece
	handed  int64
	watch   stopwatch
	commits commits
	strict  strict
	quiet   quiet
	// warnings are what the person who runs the pipeline was told, by anyone.
	warned   sync.Mutex
	warnings []string
}

// run runs until the input has ended, the run is stopped or something failed.
func (e *engine) run(ctx context.Context) {
	defer context.AfterFunc(ctx, func() {
		e.mu.Lock()
		e.stopping = true
		e.mu.Unlock()
		e.wake.Broadcast()
	})()
	defer e.background(ctx)()
	var others sync.WaitGroup
	for range e.workers - 1 {
		others.Go(func() { e.worker(ctx) })
	}
	e.worker(ctx)
	others.Wait()
}

// worker applies what is ready, or else decodes a chunk, until the run is over.
func (e *engine) worker(ctx context.Context) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for !e.over() {
		if !e.applying && (e.due || len(e.joining) > 0 || e.turn() != nil) {
			e.applying = true
			e.unlocked(e.apply)
			e.applying = false
			e.wake.Broadcast()
			continue
		}
		if p := e.claimable(); p != nil {
			p.claiming = true
			arrived := p.take()
			e.unlocked(func() { e.load(ctx, p, arrived) })
			continue
		}
		e.wake.Wait()
	}
	e.wake.Broadcast()
}

// unlocked calls f without the lock.
func (e *engine) unlocked(f func()) {
	e.mu.Unlock()
	defer e.mu.Lock()
	f()
}

func (e *engine) over() bool { return e.finished || e.stopping || e.err != nil }

// recovered turns a panic into the end of the run.
func (e *engine) recovered(node func() string) {
	if p := recover(); p != nil {
		e.fail(&PanicError{Node: node(), Value: p, Stack: debug.Stack()})
	}
}

// PanicError is a fault of the engine itself.
type PanicError struct {
	Node  string
	Value any
	Stack []byte
}

// Error names the node at work.
func (e *PanicError) Error() string {
	return fmt.Sprintf("internal error at %s: %v\n%s", e.Node, e.Value, e.Stack)
}

// fail ends the run. The first error counts.
func (e *engine) fail(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err == nil {
		e.err = err
	}
	e.wake.Broadcast()
}

// turn gives the partition whose next rows, or end, can be applied now, or nil. It is called with the lock held
// and by whoever holds the token, or while nobody does.
func (e *engine) turn() *partition {
	if e.unbounded {
		return e.oldest()
	}
	p, _ := e.lowest()
	if p == nil {
		e.finished = true
		return nil
	}
	if len(p.queue) > 0 {
		if p.queue[0].done {
			return p
		}
	} else if p.claimed && !p.claiming {
		return p
	}
	e.waiting = p
	return nil
}

// claimable gives the partition of which the next chunk should be claimed, or nil: the one that the sequencer
// waits for, else one with the fewest chunks ahead, within bounds.
func (e *engine) claimable() *partition {
	if p := e.waiting; p != nil && p.open() && len(p.queue) == 0 {
		return p
	}
	if e.ahead >= e.most() {
		return e.starved()
	}
	var best *partition
	for _, s := range e.sources {
		for _, p := range s.partitions {
			if p.open() && len(p.queue) < e.perPartition() && (best == nil || len(p.queue) < len(best.queue)) {
				best = p
			}
		}
	}
	return best
}

// starved gives a partition that others wait for in a live run, where it has nothing here since chunks of those that
// pause take all the room; else nil. It is called with the lock held.
func (e *engine) starved() *partition {
	if !e.unbounded || e.applying {
		return nil
	}
	for _, s := range e.sources {
		limit := s.alignment()
		for _, p := range s.partitions {
			if p.open() && len(p.queue) == 0 && p.watermark <= limit {
				return p
			}
		}
	}
	return nil
}

// open reports whether the partition has a chunk that can be claimed now.
func (p *partition) open() bool {
	return !p.claiming && (p.arrived != nil || p.taken == nil && !p.claimed)
}

// perPartition bounds the chunks ahead in one partition, most those in all.
func (e *engine) perPartition() int {
	partitions := 0
	for _, s := range e.sources {
		partitions += len(s.partitions)
	}
	return max(2, (2*e.workers+1+partitions-1)/max(partitions, 1))
}

func (e *engine) most() int { return 2*e.workers + 64 }

// take gives the chunk that has arrived, and lets the feed go on. It is called with the lock held.
func (p *partition) take() *connector.Chunk {
	c := p.arrived
	if c != nil {
		p.arrived = nil
		p.taken <- struct{}{}
	}
	return c
}

// load claims the next chunk of a partition, unless it has arrived, and decodes it.
func (e *engine) load(ctx context.Context, p *partition, arrived *connector.Chunk) {
	defer e.recovered(func() string { return p.source.plan.Name })
	var chunk connector.Chunk
	var err error
	if arrived != nil {
		chunk = *arrived
	} else {
		chunk, err = p.input.Next(ctx)
	}
	e.mu.Lock()
	p.claiming = false
	if err != nil {
		p.claimed = true
		e.stopping = e.stopping || ctx.Err() != nil // then the error may be nothing but that
		if !errors.Is(err, io.EOF) && !e.stopping {
			p.err = fmt.Errorf("%s: %w", p.source.plan.Name, err)
		}
		e.mu.Unlock()
		e.wake.Broadcast()
		return
	}
	w := p.source.work(p)
	w.arrival = e.arrivals
	e.arrivals++
	p.queue = append(p.queue, w)
	e.ahead++
	if chunk.Live {
		e.prompt, e.piped = true, true
	}
	e.mu.Unlock()
	e.wake.Broadcast()
	began := time.Now()
	w.decode(ctx, chunk)
	p.source.meter.add(time.Since(began) - w.prepared)
	e.mu.Lock()
	e.stopping = e.stopping || ctx.Err() != nil
	w.done = true
	e.mu.Unlock()
	e.wake.Broadcast()
}
