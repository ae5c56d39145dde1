package window

import (
	"tidemark/operators/state"
	"tidemark/stream"
)

// sessions keeps, for each key, a list of sessions that don't touch, sorted by time.
type sessions struct {
	core
	gap, lateness stream.Time
	table         state.Table
	heads         []uint32 // by key: the first session + 1, none, or forgotten
	all           []session
	free          []uint32
	values        accumulators // by session
	queue         queue
	keyIDs        []uint32 // of the rows from keyed on
	keyed         int
	spelled       bool     // keys may have several spellings
	emptied       []uint32 // keys that may have lost their last session
	pending       []int32  // rows not added to values yet, with the sessions of them in targets
	targets       []uint32
	due           []uint32
	dropped       []uint32
	leaving       []uint32 // dropped ones that may have to be written yet
	entries       []entry
	places        []place
	waiting       waiting
	// bound is the greatest watermark that the rows at hand may come under.
	bound stream.Time
}

// Values of heads that are no session.
const (
	none      = 0
	forgotten = ^uint32(0) // the key is not in the table
)

// session is [start, end) of a key. The record of a free one is empty but for its generation.
type session struct {
	start, end stream.Time
	// filed is the time of its valid entry in the queue.
	filed      stream.Time
	first      uint64
	records    int
	key        uint32
	next       uint32 // of the key's later sessions the first + 1, or none
	generation uint32
	live       bool
	fired      bool // the watermark has reached its end, less 1
}

func (s Session) open(lateness int64, l *layout) Operator {
	return &sessions{
		core:     newCore(l, true),
		gap:      stream.Time(s.Gap),
		lateness: stream.Time(lateness),
		values:   l.accumulators(),
		queue:    newQueue(s.Gap),
	}
}

// Process takes rows and steps of the watermark.
func (s *sessions) Process(in *Input, out Output) {
	if len(in.Rows) > 0 {
		s.spelled = s.spelled || in.Keys.Mode == state.General
		if !s.spelled {
			s.identify(in.Keys, in.Rows, 0)
		}
	}
	s.walk(s, in, out)
	s.settleBatch()
	s.leave()
}

func (s *sessions) stop() stream.Time { return s.queue.next() }

// identify finds the keys of rows, the first of which is number from of the batch's.
//
// This is done for a whole batch at once. Only where equal keys may be spelled differently it is done from stop
// to stop, since a key whose sessions are gone is to be printed as it is spelled when it comes again.
func (s *sessions) identify(keys *state.Keys, rows []int32, from int) {
	s.keyed = from
	s.keyIDs = s.table.Add(keys, rows, s.keyIDs[:0])
	for n := s.table.Len(); len(s.heads) < n; {
		s.heads = append(s.heads, none)
	}
	for _, f := range s.table.Fresh() {
		s.heads[f.ID] = none
		s.emptied = append(s.emptied, f.ID)
	}
}

// forget removes the keys that have no session.
func (s *sessions) forget() {
	for _, key := range s.emptied {
		if s.heads[key] == none {
			s.table.Remove(key)
			s.heads[key] = forgotten
		}
	}
	s.emptied = s.emptied[:0]
}

// take takes rows one by one. It ends early where a session was filed before all others and a mark among the
// rows left reaches it.
func (s *sessions) take(rows []int32) int {
	if len(rows) == 0 {
		return 0
	}
	stop := s.stop()
	s.bound = s.watermark
	if mark := s.reaching(stop); mark > 0 {
		s.bound = max(s.bound, s.in.Batch.Marks[mark-1].Watermark)
	}
	if s.spelled {
		rows = rows[:s.safe(rows)]
		s.forget()
		s.identify(s.in.Keys, rows, s.row)
	}
	ids := s.keyIDs[s.row-s.keyed:]
	for i, r := range rows {
		s.takeRow(r, ids[i], s.in.Batch.Times[r])
		if next := s.stop(); next < stop {
			stop = next
			if s.through(s.reaching(stop)) < s.row+len(rows) {
				return i + 1
			}
		}
	}
	return len(rows)
}

// safe gives how many rows may be taken together so that no late one decides how a key is spelled.
func (s *sessions) safe(rows []int32) int {
	for i, r := range rows {
		if s.in.Batch.Times[r]+s.gap-1+s.lateness <= s.bound {
			return max(i, 1)
		}
	}
	return len(rows)
}

// takeRow puts a row into the session it belongs to. It merges sessions before the test for lateness.
func (s *sessions) takeRow(row int32, key uint32, at stream.Time) {
	start, end := at, at+s.gap
	previous, found := s.touching(key, start, end)
	if found == none {
		if end-1+s.lateness <= s.bound {
			if w := s.before(row); end-1+s.lateness <= w {
				s.out.Late(row, w, end)
				return
			}
		}
		found = s.create(key, previous, start, end, s.in.Ordinal+uint64(row)) + 1
	}
	id := found - 1
	p := &s.all[id]
	p.start, p.end = min(p.start, start), max(p.end, end)
	for p.next != none && s.all[p.next-1].start <= p.end {
		s.absorb(id, p.next-1)
	}
	p.records++
	s.pending, s.targets = append(s.pending, row), append(s.targets, id)
	s.settle(id, row)
}

// touching gives the first session of a key that overlaps or touches a span (+ 1, or none), and the one before
// it (the same).
func (s *sessions) touching(key uint32, start, end stream.Time) (previous, found uint32) {
	for next := s.heads[key]; next != none; next = s.all[next-1].next {
		p := &s.all[next-1]
		if p.start > end {
			return previous, none
		}
		if p.end >= start {
			return previous, next
		}
		previous = next
	}
	return previous, none
}

// create makes a session that comes after another of the key (+ 1, or none).
func (s *sessions) create(key, previous uint32, start, end stream.Time, first uint64) uint32 {
	var id uint32
	if n := len(s.free); n > 0 {
		id, s.free = s.free[n-1], s.free[:n-1]
	} else {
		id = uint32(len(s.all))
		s.all = append(s.all, session{})
	}
	link := &s.heads[key]
	if previous != none {
		link = &s.all[previous-1].next
	}
	s.all[id] = session{
		start: start, end: end, filed: stream.MaxTime, first: first, key: key, next: *link,
		generation: s.all[id].generation, live: true,
	}
	*link = id + 1
	return id
}

// absorb merges the session after one into it.
func (s *sessions) absorb(into, id uint32) {
	s.addPending()
	p, q := &s.all[into], &s.all[id]
	p.end, p.first, p.records, p.next = max(p.end, q.end), min(p.first, q.first), p.records+q.records, q.next
	s.values.grow(len(s.all))
	for _, v := range s.values {
		v.Merge(into, v, id)
	}
	s.vacate(id)
}

// vacate frees a session that is in no list any more. What the queue has of it is out of date.
func (s *sessions) vacate(id uint32) {
	s.values.clear(id)
	s.all[id] = session{generation: s.all[id].generation + 1}
	s.free = append(s.free, id)
}

// settle sees to it that a session fires when it should, after a row has been put into it.
func (s *sessions) settle(id uint32, row int32) {
	p := &s.all[id]
	if last := p.end - 1; last > s.bound || last > s.before(row) {
		p.fired = false
		if p.filed > last {
			s.file(id, last)
		}
		return
	}
	p.fired = true
	if p.filed == stream.MaxTime {
		s.file(id, p.end-1+s.lateness)
	}
	s.addPending()
	s.rowCause(row)
	s.entries = append(s.entries[:0], entry{p.first, p.key, id})
	s.places = append(s.places[:0], s.core.at(Window{p.start, p.end}))
	s.emit(&s.steps, &s.table, s.values, s.entries, s.places)
}

func (s *sessions) file(id uint32, at stream.Time) {
	s.all[id].filed = at
	s.queue.file(filing{at, id, s.all[id].generation})
}

// addPending adds the rows that wait to the values.
func (s *sessions) addPending() {
	if len(s.pending) == 0 {
		return
	}
	s.ids = s.targets
	s.add(s.pending, s.values, len(s.all))
	s.pending, s.targets = s.pending[:0], s.targets[:0]
}
