package state

// span is where a key's bytes lie in the arena: size bytes from off, then more bytes with the key's encoding
// as written where that differs.
type span struct {
	off        uint64
	size, more uint32
	hash       uint32 // the low half
}

// live reports that the key was not removed. A removed one has an offset that no key has.
func (s span) live() bool { return s.off != removed }

const removed = 1<<64 - 1

// texts holds keys of bytes by id.
type texts struct {
	spans   []span
	arena   []byte
	garbage int // bytes of removed keys in the arena
}

// key gives the bytes of a key.
func (t *texts) key(id uint32) []byte {
	s := &t.spans[id]
	return t.arena[s.off : s.off+uint64(s.size)]
}

// written gives the encoding of a key as it was first written.
func (t *texts) written(id uint32) []byte {
	s := &t.spans[id]
	if s.more == 0 {
		return t.key(id)
	}
	end := s.off + uint64(s.size)
	return t.arena[end : end+uint64(s.more)]
}

// put copies the bytes of a new key; id is at most one past the last.
func (t *texts) put(id uint32, key, written []byte, hash uint32) {
	s := span{off: uint64(len(t.arena)), size: uint32(len(key)), more: uint32(len(written)), hash: hash}
	t.arena = append(append(t.arena, key...), written...)
	if int(id) == len(t.spans) {
		t.spans = append(t.spans, s)
	} else {
		t.spans[id] = s
	}
}

// smallArena is the garbage, in bytes, that is not worth collecting.
const smallArena = 64 << 10

// remove forgets a key, and moves the others together when more than half of the arena is garbage.
func (t *texts) remove(id uint32) {
	s := &t.spans[id]
	t.garbage += int(s.size) + int(s.more)
	s.off, s.size, s.more = removed, 0, 0
	if t.garbage > smallArena && t.garbage > len(t.arena)/2 {
		t.compact()
	}
}

func (t *texts) compact() {
	live := len(t.arena) - t.garbage
	arena := make([]byte, 0, live+live/4)
	for i := range t.spans {
		s := &t.spans[i]
		if !s.live() {
			continue
		}
		from := t.arena[s.off : s.off+uint64(s.size)+uint64(s.more)]
		s.off = uint64(len(arena))
		arena = append(arena, from...)
	}
	t.arena, t.garbage = arena, 0
}

func (t *texts) reset() { t.spans, t.arena, t.garbage = t.spans[:0], t.arena[:0], 0 }
