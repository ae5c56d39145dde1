package window

import "tidemark/stream"

// combination is the place where a window's slices are combined.
type combination struct {
	values  accumulators
	index   []uint32 // by key: entry + 1, or 0
	places  []uint32 // by entry of the slice at hand: the entry here
	entries []entry
	spare   []entry
}

// fire writes a window from its slices, which are the first in the heap, and files them for the next one.
func (s *sliding) fire(window stream.Time) {
	s.popped = s.popped[:0]
	for len(s.firing.items) > 0 && s.firing.items[0].at == window {
		s.popped = append(s.popped, s.firing.pop())
	}
	s.places[0] = s.at(s.window(window))
	if len(s.popped) == 1 {
		s.fireSlice(s.popped[0])
	} else {
		s.combine(s.popped)
		s.emit(&s.steps, &s.table, s.sum.values, s.sum.entries, s.places[:])
		s.sum.clear()
	}
	for _, p := range s.popped {
		if window+s.every > p.last && p.last <= s.closed {
			s.release(p)
		} else {
			s.file(p, window+s.every)
		}
	}
	clear(s.popped)
}

// fireSlice writes a window of one slice.
func (s *sliding) fireSlice(p *slice) {
	for id := 0; id < len(p.keys); {
		s.entries = s.entries[:0]
		for ; id < len(p.keys) && len(s.entries) < BunchRows; id++ {
			s.entries = append(s.entries, entry{p.firsts[id], p.keys[id], uint32(id)})
		}
		s.emit(&s.steps, &s.table, p.values, s.entries, s.places[:])
	}
}

// combine adds up slices, strictly from left to right for each key, and sorts entries by first appearance.
func (s *sliding) combine(slices []*slice) {
	c := &s.sum
	for n := s.table.Len(); len(c.index) < n; {
		c.index = append(c.index, 0)
	}
	for _, p := range slices {
		c.places = stream.Resize(c.places, len(p.keys))
		for i, key := range p.keys {
			at := c.index[key]
			if at == 0 {
				c.entries = append(c.entries, entry{p.firsts[i], key, uint32(len(c.entries))})
				at = uint32(len(c.entries))
				c.index[key] = at
			} else if e := &c.entries[at-1]; p.firsts[i] < e.first {
				e.first = p.firsts[i]
			}
			c.places[i] = at - 1
		}
		c.values.grow(len(c.entries))
		for a, to := range c.values {
			from := p.values[a]
			for i, at := range c.places {
				to.Merge(at, from, uint32(i))
			}
		}
	}
	c.entries, c.spare = sortByFirst(c.entries, c.spare)
}

func (c *combination) clear() {
	for _, e := range c.entries {
		c.index[e.key] = 0
	}
	c.entries = c.entries[:0]
	c.values.reset()
}

// sortByFirst sorts entries, which come as few ascending runs, by merging neighbouring runs. It gives them and
// the memory to use next time.
func sortByFirst(entries, spare []entry) (sorted, other []entry) {
	for {
		spare = spare[:0]
		runs := 0
		for i := 0; i < len(entries); runs++ {
			mid := runEnd(entries, i)
			end := mid
			if mid < len(entries) {
				end = runEnd(entries, mid)
			}
			if runs == 0 && mid == len(entries) {
				return entries, spare
			}
			spare = mergeRuns(spare, entries[i:mid], entries[mid:end])
			i = end
		}
		if entries, spare = spare, entries; runs <= 1 {
			return entries, spare
		}
	}
}

// runEnd gives the end of the ascending run that begins at i.
func runEnd(entries []entry, i int) int {
	for i++; i < len(entries) && entries[i-1].first <= entries[i].first; i++ {
	}
	return i
}

func mergeRuns(to, a, b []entry) []entry {
	for len(a) > 0 && len(b) > 0 {
		if b[0].first < a[0].first {
			to, b = append(to, b[0]), b[1:]
		} else {
			to, a = append(to, a[0]), a[1:]
		}
	}
	return append(append(to, a...), b...)
}

// refine adds rows to a slice some of whose windows, from first on, have fired: each row makes its key fire
// again in these.
func (s *sliding) refine(p *slice, rows []int32, keyIDs []uint32, first stream.Time) {
	for i, r := range rows {
		key := keyIDs[i]
		s.addTo(p, rows[i:i+1], keyIDs[i:i+1])
		s.rowCause(r)
		for w := first; w <= min(p.last, s.fired); w += s.every {
			s.refineWindow(w, key)
		}
	}
}

// refineWindow writes one key of a window that has fired.
func (s *sliding) refineWindow(window stream.Time, key uint32) {
	c := &s.sum
	e := entry{^uint64(0), key, 0}
	c.values.grow(1)
	for start := window; start < window+s.size; {
		_, end, _, _ := s.sliceAt(start)
		if p := s.slices[start]; p != nil {
			if id, ok := p.index.get(key); ok {
				e.first = min(e.first, p.firsts[id])
				for a, to := range c.values {
					to.Merge(0, p.values[a], id)
				}
			}
		}
		start = end
	}
	s.places[0] = s.at(s.window(window))
	s.entries = append(s.entries[:0], e)
	s.emit(&s.steps, &s.table, c.values, s.entries, s.places[:])
	c.values.reset()
}
