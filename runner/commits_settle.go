package runner

import (
	"context"
	"fmt"
	"time"

	"tidemark/io/connector"
)

// commit is a commit that is under way. Sinks settle first, and again where they were given what another sink refused
// meanwhile, as often as refusals can be handed on.
type commit struct {
	positions []map[connector.RecordPartition]int64
	done      chan error // what is under way has come to its end
	told      bool       // that is telling the groups
	handed    int64      // how much refused sinks had handed on before they began to settle
	rounds    int        // how often they have begun to
}

// tick takes a sample when it is time, and makes the safe one known once the sinks have everything up to it.
func (c *commits) tick(e *engine, now time.Time) {
	if len(c.sources) == 0 || !c.proceed(e) || now.Before(c.next) {
		return
	}
	began := time.Now()
	safe := c.sample(e)
	// Looking at the oldest record of very many windows takes its time: a fiftieth of it all is enough. And where
	// windows are open for hours, it does not matter to the second what they hold.
	c.next = now.Add(max(c.every(e)<<(len(c.samples)/manySamples), 50*time.Since(began)))
	if c.settlers == nil && len(e.sinks) > 0 || safe == c.told {
		return
	}
	c.told = safe
	c.running = &commit{positions: c.positions(safe), done: make(chan error, 1)}
	c.settle(e)
}

// settle has the sinks make safe what they were given.
func (c *commits) settle(e *engine) {
	r, settlers, ctx := c.running, c.settlers, e.running
	r.handed, r.rounds = e.handed, r.rounds+1
	e.flushSinks()
	e.feeds.Go(func() { r.done <- settleAll(ctx, settlers) })
}

// proceed takes the next step of the commit that is under way, and reports whether there is none.
func (c *commits) proceed(e *engine) bool {
	r := c.running
	if r == nil {
		return true
	}
	var err error
	select {
	case err = <-r.done:
	default:
		return false
	}
	if err != nil && e.running.Err() == nil {
		e.fail(err)
	}
	if err != nil || r.told {
		c.running = nil
		return true
	}
	e.flush() // hands on what sinks have refused
	if e.handed > r.handed && r.rounds <= len(e.sinks) {
		c.settle(e)
		return false
	}
	r.told = true
	sources, ctx := c.sources, e.running
	e.feeds.Go(func() { r.done <- tellGroups(ctx, sources, r.positions) })
	return false
}

func settleAll(ctx context.Context, settlers []connector.Settler) error {
	for _, s := range settlers {
		if err := s.Settle(ctx); err != nil {
			return err
		}
	}
	return nil
}

// tellGroups makes positions known to the groups of sources.
func tellGroups(ctx context.Context, sources []*source, positions []map[connector.RecordPartition]int64) error {
	for i, s := range sources {
		if err := s.reader.Commit(ctx, positions[i]); err != nil {
			return fmt.Errorf("%s: %w", s.plan.Name, err)
		}
	}
	return nil
}

// lastCommit is how long the last commit may take.
const lastCommit = 10 * time.Second

// end makes known how far the run has come, when all sinks have been committed.
func (c *commits) end(e *engine) {
	if len(c.sources) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastCommit)
	defer cancel()
	if err := tellGroups(ctx, c.sources, c.positions(c.sample(e))); err != nil {
		e.warn(err.Error())
	}
}
