package window

import (
	"cmp"
	"slices"

	"tidemark/operators/state"
	"tidemark/stream"
)

// sessions keeps, for each key, a list of sessions that don't touch, sorted by time.
type sessions struct {
	core
	gap, lateness stream.Time
	table         state.Table
	heads         []uint32 // by key: the first session + 1, or 0
	all           []session
	free          []uint32
	values        accumulators // by session
	calendar      calendar
	pending       []int32 // rows not added to values yet, with the sessions of them in targets
	targets       []uint32
	due           []uint32
	dropped       []uint32
	entries       []entry
	windows       []Window
	// bound is the greatest watermark that the rows at hand may come under.
	bound stream.Time
}

// session is [start, end) of a key. The record of a free one is empty but for its generation.
type session struct {
	start, end stream.Time
	// filed is the time of its valid entry in the calendar.
	filed      stream.Time
	first      uint64
	records    int
	key        uint32
	next       uint32 // of the key's later sessions the first + 1, or 0
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
		calendar: newCalendar(s.Gap),
	}
}

// Process takes rows and steps of the watermark.
func (s *sessions) Process(in *Input, out Output) { s.run(s, in, out) }

func (s *sessions) stop() stream.Time { return s.calendar.next() }

// take takes rows one by one. It ends early where a session was filed before all others and a mark among the
// rows left reaches it.
func (s *sessions) take(rows []int32) int {
	stop := s.stop()
	s.bound = s.watermark
	if mark := s.reaching(stop); mark > 0 {
		s.bound = max(s.bound, s.in.Batch.Marks[mark-1].Watermark)
	}
	if s.in.Keys.Mode == state.General {
		rows = rows[:s.safe(rows)]
	}
	s.ids = s.table.Add(s.in.Keys, rows, s.ids[:0])
	for n := s.table.Len(); len(s.heads) < n; {
		s.heads = append(s.heads, 0)
	}
	taken := len(rows)
	for i, r := range rows {
		s.takeRow(r, s.ids[i], s.in.Batch.Times[r])
		if next := s.stop(); next < stop {
			stop = next
			if s.through(s.reaching(stop)) < s.row+len(rows) {
				taken = i + 1
				break
			}
		}
	}
	// Keys that are new, and whose rows were late or are not taken yet, have no session.
	for _, f := range s.table.Fresh() {
		if s.heads[f.ID] == 0 {
			s.table.Remove(f.ID)
		}
	}
	s.addPending()
	return taken
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
	if found == 0 {
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
	for p.next != 0 && s.all[p.next-1].start <= p.end {
		s.absorb(id, p.next-1)
	}
	p.records++
	s.pending, s.targets = append(s.pending, row), append(s.targets, id)
	s.settle(id, row)
}

// touching gives the first session of a key that overlaps or touches a span (+ 1, or 0), and the one before it
// (the same).
func (s *sessions) touching(key uint32, start, end stream.Time) (previous, found uint32) {
	for next := s.heads[key]; next != 0; next = s.all[next-1].next {
		p := &s.all[next-1]
		if p.start > end {
			return previous, 0
		}
		if p.end >= start {
			return previous, next
		}
		previous = next
	}
	return previous, 0
}

// create makes a session that comes after another of the key (+ 1, or 0).
func (s *sessions) create(key, previous uint32, start, end stream.Time, first uint64) uint32 {
	var id uint32
	if n := len(s.free); n > 0 {
		id, s.free = s.free[n-1], s.free[:n-1]
	} else {
		id = uint32(len(s.all))
		s.all = append(s.all, session{})
		s.values.grow(len(s.all))
	}
	link := &s.heads[key]
	if previous != 0 {
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
	for _, v := range s.values {
		v.Merge(into, v, id)
	}
	s.vacate(id)
}

// vacate frees a session that is in no list any more. What the calendar has of it is out of date.
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
	s.windows = append(s.windows[:0], Window{p.start, p.end})
	s.emit(&s.steps, &s.table, s.values, s.entries, s.windows)
}

func (s *sessions) file(id uint32, at stream.Time) {
	s.all[id].filed = at
	s.calendar.file(filing{at, id, s.all[id].generation})
}

// addPending adds the rows that wait to the values.
func (s *sessions) addPending() {
	if len(s.pending) == 0 {
		return
	}
	ids := s.ids
	s.ids = s.targets
	s.add(s.pending, s.values, len(s.all))
	s.ids = ids
	s.pending, s.targets = s.pending[:0], s.targets[:0]
}

// advance fires and drops what is due. A session that has grown since it was filed is filed again.
func (s *sessions) advance() {
	s.due, s.dropped = s.due[:0], s.dropped[:0]
	w := min(s.watermark, beyond)
	for {
		f, ok := s.calendar.pop(w)
		if !ok {
			break
		}
		p := &s.all[f.id]
		if p.generation != f.generation || p.filed != f.at {
			continue
		}
		p.filed = stream.MaxTime
		last := p.end - 1
		if !p.fired && last <= w {
			p.fired = true
			s.due = append(s.due, f.id)
		}
		switch {
		case !p.fired:
			s.file(f.id, last)
		case last+s.lateness <= w:
			s.dropped = append(s.dropped, f.id)
		default:
			s.file(f.id, last+s.lateness)
		}
	}
	s.fire()
	for _, id := range s.dropped {
		s.drop(id)
	}
}

// fire writes the sessions that are due, in order of their ends.
func (s *sessions) fire() {
	if len(s.due) == 0 {
		return
	}
	slices.SortFunc(s.due, func(a, b uint32) int {
		p, q := &s.all[a], &s.all[b]
		return cmp.Or(cmp.Compare(p.end, q.end), cmp.Compare(p.start, q.start), cmp.Compare(p.first, q.first))
	})
	s.entries, s.windows = s.entries[:0], s.windows[:0]
	for _, id := range s.due {
		p := &s.all[id]
		s.entries = append(s.entries, entry{p.first, p.key, id})
		s.windows = append(s.windows, Window{p.start, p.end})
	}
	s.emit(&s.steps, &s.table, s.values, s.entries, s.windows)
}

// drop takes a session out of its key's list.
func (s *sessions) drop(id uint32) {
	key := s.all[id].key
	link := &s.heads[key]
	for *link != id+1 {
		link = &s.all[*link-1].next
	}
	*link = s.all[id].next
	if s.heads[key] == 0 {
		s.table.Remove(key)
	}
	s.vacate(id)
	if len(s.free) == len(s.all) {
		s.reset()
	}
}

// reset drops what is left when no session is.
func (s *sessions) reset() {
	s.table.Reset()
	s.values.reset()
	s.all, s.free, s.heads = s.all[:0], s.free[:0], s.heads[:0]
	s.calendar.reset()
}

// NextFire gives the end of the session that ends first, less 1.
func (s *sessions) NextFire() stream.Time {
	next := stream.MaxTime
	for i := range s.all {
		if p := &s.all[i]; p.live && !p.fired {
			next = min(next, p.end-1)
		}
	}
	return next
}

// Entries counts sessions.
func (s *sessions) Entries() int { return len(s.all) - len(s.free) }

// Unwritten counts the sessions not fired yet and their records.
func (s *sessions) Unwritten() (records, windows int) {
	for i := range s.all {
		if p := &s.all[i]; p.live && !p.fired {
			records += p.records
			windows++
		}
	}
	return records, windows
}

// Bytes gives the memory held.
func (s *sessions) Bytes() int64 {
	return s.table.Bytes() + s.values.bytes() + s.calendar.bytes() +
		int64(64*cap(s.all)+4*cap(s.free)+4*cap(s.heads))
}
