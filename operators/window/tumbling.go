package window

import (
	"tidemark/operators/state"
	"tidemark/stream"
)

// tumbling keeps a pane for each open window.
type tumbling struct {
	core
	grid
	panes   map[stream.Time]*pane // by start
	firing  heap[*pane]           // those to be fired, by start
	cleanup heap[*pane]           // those fired and kept for late records, by start
	recent  *pane                 // the one met last
	near    [8]*pane              // those met lately, by number modulo 8
	touched []*pane               // those with pending rows
	pool    []*pane
	entries []entry
	places  [1]place
}

// pane is the content of one window: entries of keys, in order of first appearance.
type pane struct {
	start   stream.Time
	table   state.Table
	firsts  []uint64
	values  accumulators
	records int
	pending []int32
}

func (s Tumbling) open(lateness int64, l *layout) Operator {
	return &tumbling{
		core:  newCore(l, true),
		grid:  newGrid(s.Size, s.Size, s.Offset, lateness),
		panes: make(map[stream.Time]*pane),
	}
}

// Process takes rows and steps of the watermark.
func (t *tumbling) Process(in *Input, out Output) { t.run(t, in, out) }

func (t *tumbling) stop() stream.Time { return t.next() }

// take cuts rows into runs that fall into one window, and adds the runs of a window together.
func (t *tumbling) take(rows []int32) int {
	times := t.in.Batch.Times
	for i := 0; i < len(rows); {
		start := t.startOf(times[rows[i]])
		j := i + 1
		for j < len(rows) && uint64(times[rows[j]]-start) < uint64(t.size) {
			j++
		}
		t.takeRun(start, rows[i:j], j-i == len(rows))
		i = j
	}
	for _, p := range t.touched {
		t.addTo(p, p.pending)
		p.pending = p.pending[:0]
	}
	t.touched = t.touched[:0]
	return len(rows)
}

// startOf is floor, without a division where the window is the one before.
func (t *tumbling) startOf(at stream.Time) stream.Time {
	if t.recent != nil && uint64(at-t.recent.start) < uint64(t.size) {
		return t.recent.start
	}
	return t.floor(at)
}

func (t *tumbling) takeRun(start stream.Time, rows []int32, all bool) {
	switch {
	case start <= t.closed:
		for _, r := range rows {
			t.out.Late(r, t.before(r), start+t.size)
		}
	case start <= t.fired:
		t.refine(t.pane(start), rows)
	case all:
		t.addTo(t.pane(start), rows)
	default:
		p := t.pane(start)
		if len(p.pending) == 0 {
			t.touched = append(t.touched, p)
		}
		p.pending = append(p.pending, rows...)
	}
}

// pane gives the pane of a start, a new one if need be.
func (t *tumbling) pane(start stream.Time) *pane {
	if t.recent != nil && t.recent.start == start {
		return t.recent
	}
	near := &t.near[uint64(start/t.size)%uint64(len(t.near))]
	if *near != nil && (*near).start == start {
		t.recent = *near
		return t.recent
	}
	p := t.panes[start]
	if p == nil {
		if n := len(t.pool); n > 0 {
			p, t.pool = t.pool[n-1], t.pool[:n-1]
		} else {
			p = &pane{values: t.accumulators()}
		}
		p.start = start
		t.panes[start] = p
		if start <= t.fired {
			t.cleanup.push(start, 0, p)
		} else {
			t.firing.push(start, 0, p)
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
		t.places[0] = t.at(t.window(p.start))
		t.entries = append(t.entries[:0], entry{p.firsts[id], id, id})
		t.emit(&t.steps, &p.table, p.values, t.entries, t.places[:])
	}
}

func (t *tumbling) advance() {
	t.rise(t.watermark)
	for t.firing.due(t.fired) {
		p := t.firing.pop()
		t.fire(p)
		if p.start <= t.closed {
			t.release(p)
		} else {
			t.cleanup.push(p.start, 0, p)
		}
	}
	for t.cleanup.due(t.closed) {
		t.release(t.cleanup.pop())
	}
}

// fire writes a pane's entries, in bunches.
func (t *tumbling) fire(p *pane) {
	t.places[0] = t.at(t.window(p.start))
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
	delete(t.panes, p.start)
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
	return t.last(t.firing.items[0].at)
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
