package window

import (
	"tidemark/operators/state"
	"tidemark/stream"
)

// sliding cuts time at the starts and ends of windows. A slice lies in the same windows with all of its time,
// so a record goes into one slice, and a window combines its slices.
type sliding struct {
	core
	grid
	table   state.Table // the keys of all slices
	refs    []int32     // by key: in how many slices it is
	slices  map[stream.Time]*slice
	firing  heap[*slice] // by the next window that fires with it, then by start
	cleanup heap[*slice] // those that all windows have fired, by the last window
	recent  *slice
	kept    []int32 // rows of the segment that enter a window
	keyIDs  []uint32
	runs    []run
	touched []*slice
	pool    []*slice
	sum     combination
	popped  []*slice
	entries []entry
	places  [1]place
	entered int // entries of all slices
}

// slice is the content of a stretch of time: entries of keys, in order of first appearance.
type slice struct {
	start, end stream.Time
	last       stream.Time // the start of the last window that it is in
	keys       []uint32    // by entry
	firsts     []uint64
	index      keyIndex
	values     accumulators
	records    int
	// pending are rows to be added, with the ids of their keys.
	pending     []int32
	pendingKeys []uint32
}

func (s Sliding) open(lateness int64, l *layout) Operator {
	return &sliding{
		core:   newCore(l, true),
		grid:   newGrid(s.Size, s.Every, s.Offset, lateness),
		slices: make(map[stream.Time]*slice),
		sum:    combination{values: l.accumulators()},
	}
}

// Process takes rows and steps of the watermark.
func (s *sliding) Process(in *Input, out Output) { s.run(s, in, out) }

func (s *sliding) stop() stream.Time { return s.next() }

// sliceAt gives the slice that a time is in, and the start of the last window that began by then. The slice is
// covered if that window reaches so far.
func (s *sliding) sliceAt(t stream.Time) (start, end, last stream.Time, covered bool) {
	last = s.floor(t)
	edge := last + s.size%s.every
	if s.size < s.every {
		edge = last + s.size
	}
	switch {
	case edge == last:
		return last, last + s.every, last, true
	case t < edge:
		return last, edge, last, true
	}
	return edge, last + s.every, last, s.size > s.every
}

// firstWindow gives the start of the first window that a slice is in.
func (s *sliding) firstWindow(start stream.Time) stream.Time { return s.floor(start-s.size) + s.every }

// run is some of the kept rows, which fall into one slice.
type run struct {
	slice    *slice
	from, to int
}

// take leaves out rows that enter no window, finds the keys of the others in their order, which decides how
// keys are spelled, and adds the rows of a slice together.
func (s *sliding) take(rows []int32) int {
	if s.keep(rows); len(s.kept) == 0 {
		return len(rows)
	}
	s.keyIDs = s.table.Add(s.in.Keys, s.kept, s.keyIDs[:0])
	for n := s.table.Len(); len(s.refs) < n; {
		s.refs = append(s.refs, 0)
	}
	for _, r := range s.runs {
		p, ids := r.slice, s.keyIDs[r.from:r.to]
		switch first := max(s.firstWindow(p.start), s.closed+s.every); {
		case first <= s.fired:
			s.refine(p, s.kept[r.from:r.to], ids, first)
		case len(s.runs) == 1:
			s.addTo(p, s.kept, ids)
		default:
			if len(p.pending) == 0 {
				s.touched = append(s.touched, p)
			}
			p.pending = append(p.pending, s.kept[r.from:r.to]...)
			p.pendingKeys = append(p.pendingKeys, ids...)
		}
	}
	for _, p := range s.touched {
		s.addTo(p, p.pending, p.pendingKeys)
		p.pending, p.pendingKeys = p.pending[:0], p.pendingKeys[:0]
	}
	s.touched = s.touched[:0]
	clear(s.runs)
	return len(rows)
}

// keep cuts rows into runs that fall into one slice, without those that enter no window.
func (s *sliding) keep(rows []int32) {
	times := s.in.Batch.Times
	s.kept, s.runs = s.kept[:0], s.runs[:0]
	for i := 0; i < len(rows); {
		start, end, last, covered := s.sliceNear(times[rows[i]])
		j, span := i+1, uint64(end-start)
		for j < len(rows) && uint64(times[rows[j]]-start) < span {
			j++
		}
		switch {
		case !covered:
			s.takeUncovered(rows[i:j])
		case last <= s.closed:
			for _, r := range rows[i:j] {
				s.out.Late(r, s.before(r), last+s.size)
			}
		default:
			from := len(s.kept)
			s.kept = append(s.kept, rows[i:j]...)
			s.runs = append(s.runs, run{s.slice(start, end, last), from, len(s.kept)})
		}
		i = j
	}
}

// sliceNear is sliceAt, without a division where the slice is the one before.
func (s *sliding) sliceNear(t stream.Time) (start, end, last stream.Time, covered bool) {
	if r := s.recent; r != nil && t >= r.start && t < r.end {
		return r.start, r.end, r.last, true
	}
	return s.sliceAt(t)
}

// takeUncovered takes rows between windows: late ones are judged by their own time.
func (s *sliding) takeUncovered(rows []int32) {
	for _, r := range rows {
		if w := s.before(r); s.in.Batch.Times[r]+s.lateness <= w {
			s.out.Late(r, w, stream.MinTime)
		} else {
			s.out.Uncovered(r)
		}
	}
}

// slice gives the slice of a start, a new one if need be.
func (s *sliding) slice(start, end, last stream.Time) *slice {
	if s.recent != nil && s.recent.start == start {
		return s.recent
	}
	p := s.slices[start]
	if p == nil {
		if n := len(s.pool); n > 0 {
			p, s.pool = s.pool[n-1], s.pool[:n-1]
		} else {
			p = &slice{values: s.accumulators()}
		}
		p.start, p.end, p.last = start, end, last
		s.slices[start] = p
		s.file(p, max(s.firstWindow(start), s.fired+s.every))
	}
	s.recent = p
	return p
}

// file files a slice for the next window that it is in.
func (s *sliding) file(p *slice, window stream.Time) {
	if window <= p.last {
		s.firing.push(window, p.start, p)
	} else {
		s.cleanup.push(p.last, p.start, p)
	}
}

// addTo adds rows with the ids of their keys, which it overwrites.
func (s *sliding) addTo(p *slice, rows []int32, keyIDs []uint32) {
	known := len(p.keys)
	p.keys = p.index.resolve(keyIDs, p.keys, s.table.Len())
	s.ids = keyIDs
	if len(p.keys) > known {
		s.enter(p, rows, known)
	}
	p.records += len(rows)
	s.add(rows, p.values, len(p.keys))
}

// enter notes the first appearance of entries from known on. They were made in the order of rows, so the first
// row of an entry is the one that made it.
func (s *sliding) enter(p *slice, rows []int32, known int) {
	for _, key := range p.keys[known:] {
		s.refs[key]++
	}
	s.entered += len(p.keys) - known
	for i, id := range s.ids {
		if int(id) == len(p.firsts) {
			p.firsts = append(p.firsts, s.in.Ordinal+uint64(rows[i]))
			if len(p.firsts) == len(p.keys) {
				return
			}
		}
	}
}

func (s *sliding) advance() {
	s.rise(s.watermark)
	for s.firing.due(s.fired) {
		s.fire(s.firing.items[0].at)
	}
	for s.cleanup.due(s.closed) {
		s.release(s.cleanup.pop())
	}
}

func (s *sliding) release(p *slice) {
	delete(s.slices, p.start)
	if s.recent == p {
		s.recent = nil
	}
	for _, key := range p.keys {
		if s.refs[key]--; s.refs[key] == 0 {
			s.table.Remove(key)
		}
	}
	s.entered -= len(p.keys)
	p.index.clear(p.keys)
	p.values.reset()
	p.keys, p.firsts, p.records = p.keys[:0], p.firsts[:0], 0
	if s.entered == 0 {
		s.table.Reset()
	}
	if len(s.pool) < pooled {
		s.pool = append(s.pool, p)
	}
}

// NextFire gives the end of the first window with content, less 1.
func (s *sliding) NextFire() stream.Time {
	if len(s.firing.items) == 0 {
		return stream.MaxTime
	}
	return s.last(s.firing.items[0].at)
}

// Entries counts keys in slices.
func (s *sliding) Entries() int { return s.entered }

// Unwritten counts the windows of keys not fired yet and the records in them.
func (s *sliding) Unwritten() (records, windows int) {
	type keyed struct {
		start stream.Time
		key   uint32
	}
	open := make(map[keyed]bool)
	for _, i := range s.firing.items {
		records += i.value.records
		for w := i.at; w <= i.value.last; w += s.every {
			for _, key := range i.value.keys {
				open[keyed{w, key}] = true
			}
		}
	}
	return records, len(open)
}

// Oldest looks at the first entry of each slice.
func (s *sliding) Oldest() (ordinal uint64, ok bool) {
	var o oldest
	for _, p := range s.slices {
		o.add(p.firsts)
	}
	return o.ordinal, o.ok
}

// Bytes gives the memory of slices, pooled ones too.
func (s *sliding) Bytes() int64 {
	n := s.table.Bytes() + s.sum.values.bytes() + int64(4*cap(s.refs))
	for _, i := range s.firing.items {
		n += i.value.bytes()
	}
	for _, i := range s.cleanup.items {
		n += i.value.bytes()
	}
	for _, p := range s.pool {
		n += p.bytes()
	}
	return n
}

func (p *slice) bytes() int64 {
	return windowBytes + p.values.bytes() + p.index.bytes() + int64(4*cap(p.keys)+8*cap(p.firsts)+4*cap(p.pending))
}
