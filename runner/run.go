package runner

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"tidemark/io/connector"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// Run runs a plan until its input has ended or ctx is cancelled. Sinks are committed in both cases, and taken back
// when the error is not nil. Cancelling is not an error, nor is an output whose reader has gone away.
func Run(ctx context.Context, p *plan.Plan, o Options) (*Report, error) {
	started := time.Now()
	e := newEngine(p, o)
	report := &Report{}
	err := e.guarded(func() error { return e.open(ctx, p) })
	stopped := err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled) // before anything was read
	if err == nil {
		e.show()
		e.run(ctx)
		err = e.guarded(func() error { return e.close(report) })
	}
	if err = e.end(err); stopped {
		report.Stopped, err = true, nil
	}
	e.show()
	e.closeReaders()
	report.Seconds = time.Since(started).Seconds()
	report.Failed = err != nil
	e.report(report)
	return report, err
}

func newEngine(p *plan.Plan, o Options) *engine {
	e := &engine{options: o, workers: o.workers(p.Settings.Parallelism)}
	e.unbounded = slices.ContainsFunc(p.Sources, func(s *plan.Source) bool { return !s.Main.Bounded })
	e.strict = strict{dirty: p.Settings.FailDirty, late: p.Settings.FailLate, memory: p.Settings.Memory}
	e.wake = sync.NewCond(&e.mu)
	return e
}

// guarded calls f. A panic is an error that names the node at work.
func (e *engine) guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &PanicError{Node: e.watch.name(), Value: p, Stack: debug.Stack()}
		}
	}()
	return f()
}

// close ends the run: open windows are written or given up, and sinks committed or taken back.
func (e *engine) close(r *Report) error {
	e.closeInputs()
	for _, s := range e.sources {
		if len(s.first) < suspects {
			e.suspect(s)
		}
	}
	r.Closed = errors.Is(e.err, connector.ErrClosed)
	if !e.finished && !e.broken() {
		e.stopped(r)
	}
	if e.broken() {
		return e.err
	}
	if r.Stopped && !e.keeps(r) {
		e.giveUp(r)
		return nil
	}
	for _, s := range e.sinks {
		e.watch.enter(e.meter(s.plan.Name))
		if err := s.out.Commit(); err != nil && !errors.Is(err, connector.ErrClosed) {
			return fmt.Errorf("%s: %w", s.plan.Name, err)
		}
		e.flush() // what was refused may have readers
		if e.broken() {
			return e.err
		}
	}
	e.commits.end(e)
	return nil
}

// end takes back what the run has done when err ends it.
func (e *engine) end(err error) error {
	if err == nil {
		return nil
	}
	e.err = err
	if fault := e.guarded(func() error { e.closeInputs(); e.abort(); return nil }); fault != nil {
		e.warn(fault.Error())
	}
	return err
}

// broken reports whether something went wrong; that a reader has seen enough is no fault.
func (e *engine) broken() bool { return e.err != nil && !errors.Is(e.err, connector.ErrClosed) }

// closeInputs closes the partitions that have not ended.
func (e *engine) closeInputs() {
	for _, s := range e.sources {
		e.watch.enter(e.meter(s.plan.Name))
		for _, p := range s.partitions {
			if err := p.input.Close(); err != nil && e.err == nil && !e.stopping {
				e.err = fmt.Errorf("%s: %w", s.plan.Name, err)
			}
		}
	}
}

// closeReaders ends the connections of sources, when nothing of them is needed any more.
func (e *engine) closeReaders() {
	for _, s := range e.sources {
		var err error
		switch {
		case s.reader != nil:
			err = s.reader.Close()
		case s.growing != nil:
			err = s.growing.Close()
		}
		if err != nil {
			e.warn(fmt.Sprintf("%s: %v", s.plan.Name, err))
		}
	}
}

// stopped ends a run that is stopped before its input has ended.
func (e *engine) stopped(r *Report) {
	r.Stopped = true
	if e.options.Drain && !r.Closed {
		for _, s := range e.sources {
			e.cause++
			e.mark(s, stream.MaxTime)
		}
		return
	}
	for _, n := range e.nodes {
		t, ok := n.(*transform)
		if !ok || t.operator == nil || r.Closed {
			continue
		}
		if records, windows := t.operator.Unwritten(); records > 0 {
			e.warn(fmt.Sprintf("%s: stopped before the end: %s in %s %s given up; --drain writes them", t.plan.Name,
				count(int64(records), "record", "records"), count(int64(windows), "open window", "open windows"), was(records)))
		}
	}
}

// keeps says whether a run that is stopped keeps what it has written. Where the input has an end of its own a part of
// the result would pass for the whole, and replace a whole one; where it has none, being stopped is how it ends.
func (e *engine) keeps(r *Report) bool {
	return e.unbounded || e.piped || e.options.Drain && !r.Closed
}

// giveUp ends the sinks of a run that was stopped, without what they would have kept.
func (e *engine) giveUp(r *Report) {
	var targets []string
	for _, s := range e.sinks {
		e.watch.enter(e.meter(s.plan.Name))
		if t, ok := s.plan.Options.(connector.Targeted); ok && t.Target() != "" {
			targets = append(targets, s.plan.Name)
		}
		if err := s.out.Flush(); err != nil && !errors.Is(err, connector.ErrClosed) {
			e.warn(fmt.Sprintf("%s: %v", s.plan.Name, err))
		}
	}
	e.abort()
	if len(targets) > 0 && !r.Closed {
		e.warn(fmt.Sprintf("stopped before the end of the input: %s wrote nothing; --drain writes what was read so far", strings.Join(targets, ", ")))
	}
}

func was(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

// abort takes back what the sinks have written. An output may say once more what ended the run.
func (e *engine) abort() {
	for _, s := range e.sinks {
		e.watch.enter(e.meter(s.plan.Name))
		if err := s.out.Abort(); err != nil && !errors.Is(e.err, err) {
			e.warn(fmt.Sprintf("%s: %v", s.plan.Name, err))
		}
	}
}

// warn tells the person who runs the pipeline.
func (e *engine) warn(message string) {
	e.warned.Lock()
	defer e.warned.Unlock()
	e.warnings = append(e.warnings, message)
	if e.options.Warn != nil {
		e.options.Warn(message)
	}
}
