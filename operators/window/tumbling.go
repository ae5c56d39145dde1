package window

import (
	"tidemark/operators/state"
	"tidemark/stream"
)

// tumbling keeps a pane for each open window of a kind that follow each other without gaps.
type tumbling struct {
	core
	tiling
	typical stream.Time           // about how long windows are
	panes   map[stream.Time]*pane // by start
	firing  heap[*pane]           // those to be fired, by end
	cleanup heap[*pane]           // those fired and kept for late records, by end
	recent  *pane                 // the one met last
	near    [8]*pane              // those met lately, by about their number modulo 8
	touched []*pane               // those with pending rows
	pool    []*pane
	entries []entry
	places  [1]place
}

// pane is the content of one window: entries of keys, in order of first appearance.
type pane struct {
	Window
	table   state.Table
	firsts  []uint64
	values  accumulators
	records int
	pending []int32
}

func (s Tumbling) open(lateness int64, l *layout) Operator {
	return newTumbling(&regular{stream.Time(s.Size), stream.Time(s.Offset)}, s.Size, lateness, l)
}

// newTumbling makes the operator of windows that are typically so many milliseconds long.
func newTumbling(of tiles, typical, lateness int64, l *layout) *tumbling {
	return &tumbling{
		core:    newCore(l, true),
		tiling:  newTiling(of, lateness),
		typical: stream.Time(typical),
		panes:   make(map[stream.Time]*pane),
	}
}

// Process takes rows and steps of the watermark.
func (t *tumbling) Process(in *Input, out Output) { t.run(t, in, out) }

func (t *tumbling) stop() stream.Time { return t.next() }

// take cuts rows into runs that fall into one window, and adds the runs of a window together.
func (t *tumbling) take(rows []int32) int {
	times := t.in.Batch.Times
	for i := 0; i < len(rows); {
		w := t.windowOf(times[rows[i]])
		j, span := i+1, uint64(w.End-w.Start)
		for j < len(rows) && uint64(times[rows[j]]-w.Start) < span {
			j++
		}
		t.takeRun(w, rows[i:j], j-i == len(rows))
		i = j
	}
	for _, p := range t.touched {
		t.addTo(p, p.pending)
		p.pending = p.pending[:0]
	}
	t.touched = t.touched[:0]
	return len(rows)
}

// windowOf is tile, without any reckoning where the window is the one before.
func (t *tumbling) windowOf(at stream.Time) Window {
	if p := t.recent; p != nil && at >= p.Start && at < p.End {
		return p.Window
	}
	return t.tile(at)
}

func (t *tumbling) takeRun(w Window, rows []int32, all bool) {
	switch {
	case t.closed(w):
		for _, r := range rows {
			t.out.Late(r, t.before(r), w.End)
		}
	case t.fired(w):
		t.refine(t.pane(w), rows)
	case all:
		t.addTo(t.pane(w), rows)
	default:
		p := t.pane(w)
		if len(p.pending) == 0 {
			t.touched = append(t.touched, p)
		}
		p.pending = append(p.pending, rows...)
	}
}

// pane gives the pane of a window, a new one if need be.
func (t *tumbling) pane(w Window) *pane {
	if t.recent != nil && t.recent.Start == w.Start {
		return t.recent
	}
	near := &t.near[uint64(w.Start/t.typical)%uint64(len(t.near))]
	if *near != nil && (*near).Start == w.Start {
		t.recent = *near
		return t.recent
	}
	p := t.panes[w.Start]
	if p == nil {
		if n := len(t.pool); n > 0 {
			p, t.pool = t.pool[n-1], t.pool[:n-1]
		} else {
			p = &pane{values: t.accumulators()}
		}
		p.Window = w
		t.panes[w.Start] = p
		if t.fired(w) {
			t.cleanup.push(w.End, 0, p)
		} else {
			t.firing.push(w.End, 0, p)
		}
	}
	t.recent, *near = p, p
	return p
}

func (t *tumbling) addTo(p *pane, rows []int32) {
	t.ids = p.table.Add(t.in.Keys, rows, t.ids[:0])
	for _, f := range p.table.Fresh() {
		p.firsts = append(p.firsts, t.in.Ordinal+uint64(f.Row))
	}
	p.records += len(rows)
	t.add(rows, p.values, len(p.firsts))
}

// refine adds rows to a window that has fired: each makes its key fire again.
func (t *tumbling) refine(p *pane, rows []int32) {
	for i, r := range rows {
		t.addTo(p, rows[i:i+1])
		id := t.ids[0]
		t.rowCause(r)
		t.places[0] = t.at(p.Window)
		t.entries = append(t.entries[:0], entry{p.firsts[id], id, id})
		t.emit(&t.steps, &p.table, p.values, t.entries, t.places[:])
	}
}

func (t *tumbling) advance() {
	t.rise(t.watermark)
	for t.firing.due(t.open.Start) {
		p := t.firing.pop()
		t.fire(p)
		if t.closed(p.Window) {
			t.release(p)
		} else {
			t.cleanup.push(p.End, 0, p)
		}
	}
	for t.cleanup.due(t.kept.Start) {
		t.release(t.cleanup.pop())
	}
}

// fire writes a pane's entries, in bunches.
func (t *tumbling) fire(p *pane) {
	t.places[0] = t.at(p.Window)
	for id := 0; id < len(p.firsts); {
		t.entries = t.entries[:0]
		for ; id < len(p.firsts) && len(t.entries) < BunchRows; id++ {
			t.entries = append(t.entries, entry{p.firsts[id], uint32(id), uint32(id)})
		}
		t.emit(&t.steps, &p.table, p.values, t.entries, t.places[:])
	}
}

// windowBytes is about what a window takes before it has any keys.
const windowBytes = 1024

// pooled is the most panes kept for later.
const pooled = 1024

func (t *tumbling) release(p *pane) {
	delete(t.panes, p.Start)
	t.recent = nil
	clear(t.near[:])
	if len(t.pool) == pooled {
		return
	}
	p.table.Reset()
	p.values.reset()
	p.firsts, p.records = p.firsts[:0], 0
	t.pool = append(t.pool, p)
}

// NextFire gives the end of the first open window, less 1.
func (t *tumbling) NextFire() stream.Time {
	if len(t.firing.items) == 0 {
		return stream.MaxTime
	}
	return t.firing.items[0].at - 1
}

// Entries counts keys in open windows.
func (t *tumbling) Entries() (n int) {
	for _, i := range t.firing.items {
		n += len(i.value.firsts)
	}
	for _, i := range t.cleanup.items {
		n += len(i.value.firsts)
	}
	return n
}

// Unwritten counts the windows of keys not fired yet and their records.
func (t *tumbling) Unwritten() (records, windows int) {
	for _, i := range t.firing.items {
		records += i.value.records
		windows += len(i.value.firsts)
	}
	return records, windows
}

// Oldest looks at the first entry of each window.
func (t *tumbling) Oldest() (ordinal uint64, ok bool) {
	var o oldest
	for _, p := range t.panes {
		o.add(p.firsts)
	}
	return o.ordinal, o.ok
}

// oldest is the least of what it was given.
type oldest struct {
	ordinal uint64
	ok      bool
}

// add takes ordinals that ascend.
func (o *oldest) add(firsts []uint64) {
	if len(firsts) > 0 && (!o.ok || firsts[0] < o.ordinal) {
		o.ordinal, o.ok = firsts[0], true
	}
}

// Bytes gives the memory of open and pooled windows.
func (t *tumbling) Bytes() (n int64) {
	for _, i := range t.firing.items {
		n += i.value.bytes()
	}
	for _, i := range t.cleanup.items {
		n += i.value.bytes()
	}
	for _, p := range t.pool {
		n += p.bytes()
	}
	return n
}

func (p *pane) bytes() int64 {
	return windowBytes + p.table.Bytes() + p.values.bytes() + int64(cap(p.firsts)*8+cap(p.pending)*4)
}
