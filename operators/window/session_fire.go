package window

import (
	"cmp"
	"slices"

	"tidemark/stream"
)

// waiting are rows to be written by the end of the batch: sessions that have fired and can't change any more.
// Writing them together is much faster than one by one.
type waiting struct {
	entries []entry
	places  []place
}

// advance fires and drops what is due. A session that has grown since it was filed is filed again.
func (s *sessions) advance() {
	s.due, s.dropped = s.due[:0], s.dropped[:0]
	w := min(s.watermark, beyond)
	for {
		if bucket := s.queue.turn(w); bucket != nil {
			s.sift(bucket)
			continue
		}
		f, ok := s.queue.pop(w)
		if !ok {
			break
		}
		if p := &s.all[f.id]; p.generation == f.generation && p.filed == f.at {
			s.reach(f.id, p, w)
		}
	}
	s.fire()
	for _, id := range s.dropped {
		s.drop(id)
	}
	if len(s.waiting.entries) == 0 {
		s.vacateLeaving()
	}
	if s.spelled {
		s.forget()
	}
}

// sift goes through a bucket of the queue that has become the current one: what is to be looked at in a
// later bucket goes there.
func (s *sessions) sift(bucket []filing) {
	for _, f := range bucket {
		p := &s.all[f.id]
		if p.generation != f.generation || p.filed != f.at {
			continue
		}
		if last := p.end - 1; !p.fired && last > f.at {
			p.filed, f.at = last, last
		}
		s.queue.file(f)
	}
}

// reach looks at a session whose filed time has come.
func (s *sessions) reach(id uint32, p *session, w stream.Time) {
	p.filed = stream.MaxTime
	last := p.end - 1
	if !p.fired && last <= w {
		p.fired = true
		s.due = append(s.due, id)
	}
	switch {
	case !p.fired:
		s.file(id, last)
	case last+s.lateness <= w:
		s.dropped = append(s.dropped, id)
	default:
		s.file(id, last+s.lateness)
	}
}

// fire writes the sessions that are due, in order of their ends.
func (s *sessions) fire() {
	if len(s.due) == 0 {
		return
	}
	if len(s.due) > 1 {
		slices.SortFunc(s.due, func(a, b uint32) int {
			p, q := &s.all[a], &s.all[b]
			return cmp.Or(cmp.Compare(p.end, q.end), cmp.Compare(p.start, q.start), cmp.Compare(p.first, q.first))
		})
	}
	wait := s.lateness == 0 && !s.spelled
	if wait && len(s.waiting.entries)+len(s.due) > s.room() {
		s.write()
		wait = len(s.due) <= s.room()
	}
	to := &s.waiting
	for _, id := range s.due {
		p := &s.all[id]
		to.entries = append(to.entries, entry{p.first, p.key, id})
		to.places = append(to.places, s.core.at(Window{p.start, p.end}))
	}
	if !wait {
		s.write()
	}
}

// write writes the rows that wait.
func (s *sessions) write() {
	to := &s.waiting
	if len(to.entries) == 0 {
		return
	}
	s.addPending()
	s.emit(&s.steps, &s.table, s.values, to.entries, to.places)
	to.entries, to.places = to.entries[:0], to.places[:0]
}

// vacateLeaving frees the sessions that are in no list and have been written.
func (s *sessions) vacateLeaving() {
	for _, id := range s.leaving {
		s.vacate(id)
	}
	s.leaving = s.leaving[:0]
}

// settleBatch does what was put off to the end of the batch.
func (s *sessions) settleBatch() {
	s.addPending()
	s.write()
	s.vacateLeaving()
	s.forget()
	if len(s.free) == len(s.all) {
		s.reset()
	}
}

// drop takes a session out of its key's list.
func (s *sessions) drop(id uint32) {
	key := s.all[id].key
	link := &s.heads[key]
	for *link != id+1 {
		link = &s.all[*link-1].next
	}
	if *link = s.all[id].next; s.heads[key] == none {
		s.emptied = append(s.emptied, key)
	}
	s.leaving = append(s.leaving, id)
}

// reset drops what is left when no session is.
func (s *sessions) reset() {
	s.table.Reset()
	s.values.reset()
	s.all, s.free, s.heads = s.all[:0], s.free[:0], s.heads[:0]
	s.queue.reset()
	s.spelled = false
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

// Oldest looks at all sessions.
func (s *sessions) Oldest() (ordinal uint64, ok bool) {
	for i := range s.all {
		if p := &s.all[i]; p.live && (!ok || p.first < ordinal) {
			ordinal, ok = p.first, true
		}
	}
	return ordinal, ok
}

// Bytes gives the memory held.
func (s *sessions) Bytes() int64 {
	return s.table.Bytes() + s.values.bytes() + s.queue.bytes() +
		int64(64*cap(s.all)+4*cap(s.free)+4*cap(s.heads))
}
