package runner

import (
	"cmp"
	"context"
	"slices"
	"time"

	"tidemark/operators/watermark"
	"tidemark/stream"
)

// A run of which a source has no end takes chunks in the order in which they arrive: waiting for the partition with
// the lowest watermark could last for ever. The watermark of a source is then the minimum over its partitions that are
// not idle, and the clock has a say in what is idle.

// tickEvery is how often the clock is looked at.
const tickEvery = 200 * time.Millisecond

// combine makes the machine that follows a source's watermark.
func (s *source) combine() error {
	w := s.plan.Watermark
	o := watermark.Options{Strategy: w.Strategy, Periodic: w.Interval > 0, Idle: watermark.Never}
	if w.Idle > 0 && !s.plan.Main.Bounded {
		o.Idle = w.Idle
	}
	c, err := watermark.NewCombiner(o, len(s.partitions))
	s.combiner = c
	return err
}

// background starts what runs beside the workers: feeds, watches for new partitions, the clock. Its end is awaited by
// calling what it gives.
func (e *engine) background(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	e.running = ctx
	for _, s := range e.sources {
		for _, p := range s.partitions {
			e.start(ctx, p)
		}
		if (s.reader != nil || s.growing != nil) && e.unbounded {
			e.feeds.Go(func() { e.grow(ctx, s) })
		}
	}
	if e.unbounded || e.options.Monitor != nil || e.options.Tell != nil || e.periodic() {
		e.feeds.Go(func() { e.clock(ctx) })
	}
	return func() {
		cancel()
		e.feeds.Wait()
	}
}

// periodic says that results wait for the clock.
func (e *engine) periodic() bool {
	return len(e.timed) > 0 || slices.ContainsFunc(e.sources, func(s *source) bool { return s.plan.Watermark.Interval > 0 })
}

// clock makes the tick due again and again.
func (e *engine) clock(ctx context.Context) {
	every := cmp.Or(e.options.TickEvery, tickEvery)
	for _, s := range e.sources {
		if i := s.plan.Watermark.Interval; i > 0 {
			every = min(every, time.Duration(i)*time.Millisecond)
		}
	}
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
		e.mu.Lock()
		e.due = true
		e.mu.Unlock()
		e.wake.Broadcast()
	}
}

// tick does what the clock asks for. It is called by the worker with the token.
func (e *engine) tick() {
	now := e.options.now()
	if e.unbounded {
		for _, s := range e.sources {
			e.checkIdle(s, now)
		}
		e.commits.tick(e, now)
	} else {
		for _, s := range e.sources {
			if s.pending > s.watermark {
				e.raise(s, s.pending)
			}
		}
	}
	for _, t := range e.timed {
		t.pulse(e.cause, now)
		e.cause++
	}
	e.flush()
	e.quiet.tick(e, now)
	e.monitor()
}

// checkIdle finds out which partitions of a source are idle, and gives the watermark that follows.
func (e *engine) checkIdle(s *source, now time.Time) {
	e.mu.Lock()
	for i, p := range s.partitions {
		if !p.waiting(now) {
			s.combiner.Busy(i)
		}
	}
	e.mu.Unlock()
	w, rose := s.combiner.Tick(now.UnixMilli())
	if s.plan.Watermark.PerSource {
		w, rose = s.pending, s.pending > s.watermark
	}
	if rose {
		e.raise(s, w)
	}
	if idle := s.combiner.Idle(); idle && !s.idle {
		s.idle = true
		e.advance(s, stream.Batch{Base: e.cause, Idle: true})
	}
}

// raise raises the watermark of a source because the clock says so.
func (e *engine) raise(s *source, w stream.Time) {
	s.watermark = w
	e.mark(s, w)
	e.cause++
}

// oldest gives the partition whose chunk, or end, arrived first, or nil.
func (e *engine) oldest() *partition {
	var best *partition
	for _, s := range e.sources {
		limit := s.alignment()
		for _, p := range s.partitions {
			switch {
			case p.ended:
			case len(p.queue) == 0:
				if p.claimed && !p.claiming {
					return p
				}
			case !p.queue[0].done || p.watermark > limit:
			case best == nil || p.queue[0].arrival < best.queue[0].arrival:
				best = p
			}
		}
	}
	return best
}

// alignment gives the watermark beyond which a partition pauses. Partitions that have none yet, or that are idle, are
// not waited for.
func (s *source) alignment() stream.Time {
	align := stream.Time(s.plan.Watermark.Align)
	if align == 0 {
		return stream.MaxTime
	}
	slowest := stream.MaxTime
	for i, p := range s.partitions {
		if _, idle := s.combiner.Partition(i); !idle && !p.ended && p.watermark > stream.MinTime {
			slowest = min(slowest, p.watermark)
		}
	}
	if slowest > stream.MaxTime-align {
		return stream.MaxTime
	}
	return slowest + align
}

// combined takes over the watermark that a piece leads to, and gives the steps of the source's own. It does in a live run
// what raise does in the source order.
func (p *partition) combined(piece piece) []stream.Mark {
	s, marks, n := p.source, piece.marks, piece.hi-piece.lo
	if len(marks) > 0 {
		p.watermark = marks[len(marks)-1].Watermark
	}
	s.idle = s.idle && n == 0
	s.shown = s.combiner.Steps(p.number, n, piece.emits(), marks, s.shown[:0])
	if s.plan.Watermark.PerSource {
		if s.plan.Watermark.Interval > 0 {
			s.pending = max(s.pending, p.watermark)
			return nil
		}
		return s.above(marks)
	}
	s.watermark = s.combiner.Watermark()
	return s.shown
}
