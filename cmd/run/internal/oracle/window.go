package oracle

import (
	"math"
	"sort"
)

// pane is one key in one window, as the list of its records.
type pane struct {
	key        []any
	start, end int64
	// first is the number of the row with which the key appeared here.
	first int
	rows  []numbered
}

type numbered struct {
	number int
	row    Row
}

// windows is a window operator (Flink: WindowOperator with EventTimeTrigger).
type windows struct {
	spec       Window
	lateness   int64
	discarding bool
	// watermark is where it stands.
	watermark int64
	panes     []*pane
	// fire is told of each firing, in order.
	fire func(*pane)
}

// verdict is what became of a record.
type verdict int

const (
	used verdict = iota
	late
	uncovered
)

// floor gives the greatest start of a window that is not after t, windows starting every step from offset on.
func floor(t, step, offset int64) int64 {
	remainder := (t - offset) % step
	if remainder < 0 {
		remainder += step
	}
	return t - remainder
}

// assign gives the windows of a time, by their ends.
func (w *windows) assign(t int64) [][2]int64 {
	s := w.spec
	switch s.Kind {
	case Tumbling:
		start := floor(t, s.Size, s.Offset)
		return [][2]int64{{start, start + s.Size}}
	case Session:
		return [][2]int64{{t, t + s.Size}}
	case Calendar:
		return [][2]int64{s.period(t)}
	}
	var all [][2]int64
	for start := floor(t, s.Every, s.Offset); start > t-s.Size; start -= s.Every {
		all = append([][2]int64{{start, start + s.Size}}, all...)
	}
	return all
}

// cleanup is the watermark at which a window that ends at end is dropped.
func (w *windows) cleanup(end int64) int64 {
	if end-1 > math.MaxInt64-w.lateness {
		return math.MaxInt64
	}
	return end - 1 + w.lateness
}

// add takes a record under the present watermark.
func (w *windows) add(number int, key []any, r Row) verdict {
	taken := false
	for _, bounds := range w.assign(r.time) {
		p := w.find(key, bounds[0], bounds[1])
		if p == nil {
			p = &pane{key: key, start: bounds[0], end: bounds[1], first: number}
			if w.cleanup(p.end) <= w.watermark {
				continue
			}
			w.panes = append(w.panes, p)
		}
		taken = true
		p.rows = append(p.rows, numbered{number, r})
		if p.end-1 <= w.watermark {
			w.emit(p)
		}
	}
	switch {
	case taken:
		return used
	case r.time+w.lateness <= w.watermark:
		return late
	}
	return uncovered
}

// find gives the live pane of a key for a window, nil when there is none. For sessions all that touch the window
// become one.
func (w *windows) find(key []any, start, end int64) *pane {
	var found *pane
	var rest []*pane
	for _, p := range w.panes {
		same := p.start == start && p.end == end
		if w.spec.Kind == Session {
			same = p.start <= end && start <= p.end
		}
		switch {
		case !same || !equal(p.key, key):
			rest = append(rest, p)
		case found == nil:
			found = p
		default:
			found = merge(found, p)
		}
	}
	if found == nil {
		return nil
	}
	found.start, found.end = min(found.start, start), max(found.end, end)
	w.panes = append(rest, found)
	return found
}

// merge gives the session that two sessions of a key become, its records in input order. Its key is spelled as
// it was first.
func merge(a, b *pane) *pane {
	if b.first < a.first {
		a, b = b, a
	}
	rows := append(append([]numbered(nil), a.rows...), b.rows...)
	sort.Slice(rows, func(i, j int) bool { return rows[i].number < rows[j].number })
	return &pane{key: a.key, start: min(a.start, b.start), end: max(a.end, b.end), first: a.first, rows: rows}
}

func equal(a, b []any) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// emit fires a pane; one with nothing in it gives nothing.
func (w *windows) emit(p *pane) {
	if len(p.rows) == 0 {
		return
	}
	w.fire(p)
	if w.discarding {
		p.rows = nil
	}
}

// advance raises the watermark: what it passes is fired, what it leaves behind is dropped.
func (w *windows) advance(watermark int64) {
	sort.Slice(w.panes, func(i, j int) bool { return w.panes[i].place().less(w.panes[j].place()) })
	before := w.watermark
	w.watermark = watermark
	var kept []*pane
	for _, p := range w.panes {
		if last := p.end - 1; before < last && last <= watermark {
			w.emit(p)
		}
		if w.cleanup(p.end) > watermark {
			kept = append(kept, p)
		}
	}
	w.panes = kept
}

func (p *pane) place() place { return place{p.end, p.start, p.first} }
