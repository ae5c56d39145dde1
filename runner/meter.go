package runner

import (
	"sync/atomic"
	"time"
)

// meter is the time that a node was at work. Anyone may read it.
type meter struct {
	name string
	busy atomic.Int64 // nanoseconds
}

// add counts time, for work that needs no turn.
func (m *meter) add(spent time.Duration) { m.busy.Add(int64(spent)) }

// stopwatch gives the time of whoever holds the token to the node at work.
type stopwatch struct {
	at    *meter
	since time.Duration // from loading on: a difference reads one clock, where time.Now reads two
}

var loading = time.Now()

// enter changes to another node, and gives the one before.
func (w *stopwatch) enter(m *meter) (before *meter) {
	if w.at == m {
		return m
	}
	now := time.Since(loading)
	if w.at != nil {
		w.at.busy.Add(int64(now - w.since))
	}
	before, w.at, w.since = w.at, m, now
	return before
}

// pass leaves out time that was counted for another node.
func (w *stopwatch) pass(spent time.Duration) { w.since += spent }

// leave stops the watch.
func (w *stopwatch) leave() { w.enter(nil) }

// name gives the node at work, for messages.
func (w *stopwatch) name() string {
	if w.at == nil {
		return "the run"
	}
	return w.at.name
}

// meter gives the meter of a node by its name.
func (e *engine) meter(name string) *meter {
	if e.meters == nil {
		e.meters = map[string]*meter{}
	}
	m := e.meters[name]
	if m == nil {
		m = &meter{name: name}
		e.meters[name] = m
	}
	return m
}

// seconds gives the time at work.
func (m *meter) seconds() float64 { return time.Duration(m.busy.Load()).Seconds() }
