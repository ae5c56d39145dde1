package window_test

import (
	"cmp"
	"slices"

	"tidemark/operators/window"
	"tidemark/stream"
)

// naive is windows as the rules are written down, one event at a time: no tables, no slices, no batches.
type naive struct {
	spec      window.Spec
	lateness  int64
	watermark stream.Time
	panes     []*naivePane
	result    result
}

type naivePane struct {
	window window.Window
	key    int64
	rows   []uint64 // ordinals, ascending
	fired  bool
}

// result is what an operator gave.
type result struct {
	Rows      []resultRow
	Late      []lateRow
	Uncovered []uint64
}

type resultRow struct {
	Trigger, Cause uint64
	Order          stream.Order
	Key            int64
	Rows           []int64 // ordinals
}

type lateRow struct {
	Ordinal        uint64
	Watermark, End stream.Time
}

// event is a record, or a step of the watermark.
type event struct {
	mark    bool
	skipped bool // filtered out before the window
	cause   uint64
	ordinal uint64 // of a record; of a mark the number of records before it
	key     int64
	at      stream.Time // time, or watermark
}

func floorTo(t, every, offset int64) int64 {
	r := (t - offset) % every
	if r < 0 {
		r += every
	}
	return t - r
}

func (n *naive) assign(t int64) (windows []window.Window) {
	span := func(start, size int64) window.Window {
		return window.Window{Start: stream.Time(start), End: stream.Time(start + size)}
	}
	switch s := n.spec.(type) {
	case window.Tumbling:
		return append(windows, span(floorTo(t, s.Size, s.Offset), s.Size))
	case window.Sliding:
		for start := floorTo(t, s.Every, s.Offset); start > t-s.Size; start -= s.Every {
			windows = append(windows, span(start, s.Size))
		}
		slices.Reverse(windows)
	case window.Session:
		windows = append(windows, span(t, s.Gap))
	case window.Calendar:
		windows = append(windows, naiveCalendar(s, t))
	default:
		windows = append(windows, window.Window{Start: stream.MinTime, End: stream.MaxTime})
	}
	return windows
}

func (n *naive) global() bool { _, is := n.spec.(window.Global); return is }

// due says whether a time of a window's has come; those of the global window come at the end only.
func (n *naive) due(w window.Window, lateness int64) bool {
	if n.global() {
		return n.watermark == stream.MaxTime
	}
	return n.watermark == stream.MaxTime || int64(w.End)-1+lateness <= int64(n.watermark)
}

func (n *naive) take(e event) {
	if e.mark {
		n.watermark = e.at
		n.advance(e)
		return
	}
	if e.skipped {
		return
	}
	windows := n.assign(int64(e.at))
	entered := false
	for _, w := range windows {
		entered = n.enter(e, w) || entered
	}
	switch late := !n.global() && int64(e.at)+n.lateness <= int64(n.watermark); {
	case entered:
	case late && len(windows) == 0:
		n.result.Late = append(n.result.Late, lateRow{e.ordinal, n.watermark, stream.MinTime})
	case late:
		n.result.Late = append(n.result.Late, lateRow{e.ordinal, n.watermark, windows[len(windows)-1].End})
	default:
		n.result.Uncovered = append(n.result.Uncovered, e.ordinal)
	}
}

func (n *naive) enter(e event, w window.Window) bool {
	pane := &naivePane{window: w, key: e.key}
	_, merges := n.spec.(window.Session)
	n.panes = slices.DeleteFunc(n.panes, func(p *naivePane) bool {
		same := p.window == w || merges && p.window.Start <= pane.window.End && p.window.End >= pane.window.Start
		if p.key != e.key || !same {
			return false
		}
		pane.window.Start = min(pane.window.Start, p.window.Start)
		pane.window.End = max(pane.window.End, p.window.End)
		pane.rows = append(pane.rows, p.rows...)
		return true
	})
	if n.due(pane.window, n.lateness) {
		return false
	}
	pane.rows = append(pane.rows, e.ordinal)
	slices.Sort(pane.rows)
	n.panes = append(n.panes, pane)
	if pane.fired = n.due(pane.window, 0); pane.fired {
		n.fire(pane, 2*e.ordinal+1, e.cause)
	}
	return true
}

func (n *naive) advance(e event) {
	slices.SortFunc(n.panes, func(a, b *naivePane) int {
		return cmp.Or(cmp.Compare(a.window.End, b.window.End), cmp.Compare(a.window.Start, b.window.Start), cmp.Compare(a.rows[0], b.rows[0]))
	})
	for _, p := range n.panes {
		if !p.fired && n.due(p.window, 0) {
			p.fired = true
			n.fire(p, 2*e.ordinal, e.cause)
		}
	}
	n.panes = slices.DeleteFunc(n.panes, func(p *naivePane) bool { return n.due(p.window, n.lateness) })
}

func (n *naive) fire(p *naivePane, trigger, cause uint64) {
	row := resultRow{Trigger: trigger, Cause: cause, Key: p.key, Order: stream.Order{End: p.window.End, Start: p.window.Start, First: p.rows[0]}}
	for _, r := range p.rows {
		row.Rows = append(row.Rows, int64(r))
	}
	n.result.Rows = append(n.result.Rows, row)
}

// unwritten counts what would be lost.
func (n *naive) unwritten() (records, windows int) {
	seen := map[uint64]bool{}
	for _, p := range n.panes {
		if p.fired {
			continue
		}
		for _, r := range p.rows {
			seen[r] = true
		}
		windows++
	}
	return len(seen), windows
}
