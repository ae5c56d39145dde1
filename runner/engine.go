package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
)

// engine is a plan at work.
type engine struct {
	options Options
	workers int
	sources []*source
	// nodes are unions, transforms and sinks, each after what it reads.
	nodes  []node
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
	// live says that the input comes as it is made, so that results should not wait for more of it.
	live bool

	// cause is the number of rows that had their turn; it belongs to whoever holds the token, as at does, the
	// node at work.
	cause    uint64
	at       string
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
		if !e.applying && e.turn() != nil {
			e.applying = true
			e.unlocked(e.apply)
			e.applying = false
			e.wake.Broadcast()
			continue
		}
		if p := e.claimable(); p != nil {
			p.claiming = true
			e.unlocked(func() { e.load(ctx, p) })
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
func (e *engine) recovered(node *string) {
	if p := recover(); p != nil {
		e.fail(&PanicError{Node: *node, Value: p, Stack: debug.Stack()})
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
	p, _ := e.lowest()
	if p == nil {
		e.finished = true
		return nil
	}
	if len(p.queue) > 0 {
		if p.queue[0].done {
			return p
		}
	} else if p.claimed {
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
		return nil
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

// open reports whether the partition has a chunk that can be claimed now.
func (p *partition) open() bool { return !p.claimed && !p.claiming }

// perPartition bounds the chunks ahead in one partition, most those in all.
func (e *engine) perPartition() int {
	partitions := 0
	for _, s := range e.sources {
		partitions += len(s.partitions)
	}
	return max(2, (2*e.workers+1+partitions-1)/max(partitions, 1))
}

func (e *engine) most() int { return 2*e.workers + 64 }

// load claims the next chunk of a partition and decodes it.
func (e *engine) load(ctx context.Context, p *partition) {
	defer e.recovered(&p.source.plan.Name)
	chunk, err := p.input.Next(ctx)
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
	p.queue = append(p.queue, w)
	e.ahead++
	e.live = e.live || chunk.Live
	e.mu.Unlock()
	e.wake.Broadcast()
	w.decode(ctx, chunk)
	e.mu.Lock()
	e.stopping = e.stopping || ctx.Err() != nil
	w.done = true
	e.mu.Unlock()
	e.wake.Broadcast()
}
