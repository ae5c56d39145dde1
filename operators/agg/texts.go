package agg

import "tidemark/stream"

// texts keeps a text for some entries. A text that fits is written over the former one; else it goes to the
// end of the arena, and the arena is rewritten when more than half of it is garbage.
type texts struct {
	spans   []room // none as long as there is no text
	arena   []byte
	garbage int
}

// room is a place in the arena: size bytes in use of a capacity.
type room struct {
	off            uint64
	size, capacity uint32
}

// smallArena is the garbage, in bytes, that is not worth collecting.
const smallArena = 64 << 10

// get gives an entry's text, valid until the next set.
func (t *texts) get(id uint32) []byte {
	s := &t.spans[id]
	return t.arena[s.off : s.off+uint64(s.size)]
}

// set copies b as an entry's text. entries is the number of entries that there are.
func (t *texts) set(id uint32, b []byte, entries int) {
	if int(id) >= len(t.spans) {
		n := len(t.spans)
		t.spans = stream.Resize(t.spans, entries)
		clear(t.spans[n:])
	}
	s := &t.spans[id]
	if len(b) <= int(s.capacity) {
		copy(t.arena[s.off:], b)
		s.size = uint32(len(b))
		return
	}
	t.garbage += int(s.capacity)
	*s = room{off: uint64(len(t.arena)), size: uint32(len(b)), capacity: uint32(len(b))}
	t.arena = append(t.arena, b...)
	t.collect()
}

// drop forgets an entry's text.
func (t *texts) drop(id uint32) {
	if int(id) < len(t.spans) {
		t.garbage += int(t.spans[id].capacity)
		t.spans[id] = room{}
		t.collect()
	}
}

func (t *texts) collect() {
	if t.garbage <= smallArena || t.garbage <= len(t.arena)/2 {
		return
	}
	live := len(t.arena) - t.garbage
	arena := make([]byte, 0, live+live/2)
	for i := range t.spans {
		s := &t.spans[i]
		off := uint64(len(arena))
		arena = append(arena, t.arena[s.off:s.off+uint64(s.capacity)]...)
		s.off = off
	}
	t.arena, t.garbage = arena, 0
}

func (t *texts) reset() { t.spans, t.arena, t.garbage = t.spans[:0], t.arena[:0], 0 }

func (t *texts) bytes() int64 { return int64(16*cap(t.spans) + cap(t.arena)) }
