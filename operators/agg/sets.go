package agg

import (
	"math/bits"

	"tidemark/stream"
)

// sets holds a set of numbers for each entry. Numbers are dense, below universe. A set is what takes the
// least room: one number in the head itself, a short list, a hash set, or, when it has a good part of all
// numbers, a bitmap. Blocks of all but the first are of a power of two of words, and are used again.
type sets struct {
	heads    []head
	pools    [maxBlock + 1][]uint32 // by log of the block's size: blocks one after the other
	free     [maxBlock + 1][]uint32 // numbers of blocks not in use
	universe int
	total    int      // members of all sets
	scratch  []uint32 // of reform
	merged   []uint32 // of union
}

// maxBlock is the log of the greatest block: a bitmap of all that 32 bits can number.
const maxBlock = 27

// form is how a set is kept.
type form uint8

const (
	none   form = iota
	one         // head.block is the member
	list        // the members in the order they came
	hashed      // open addressing; a slot is a member plus one, or 0
	bitmap
)

// head is the beginning of a set: n members in a block of 2^log words.
type head struct {
	block, n uint32
	form     form
	log      uint8
}

func (s *sets) words(h *head) []uint32 {
	return s.pools[h.log][h.block<<h.log : (h.block+1)<<h.log]
}

// addAll adds members[i] to set ids[i].
func (s *sets) addAll(ids, members []uint32) {
	heads := s.heads
	for i, id := range ids {
		h, m := &heads[id], members[i]
		if h.form != bitmap || m>>5>>h.log != 0 {
			s.add(id, m)
			continue
		}
		word, bit := &s.pools[h.log][h.block<<h.log+m>>5], uint32(1)<<(m&31)
		if *word&bit == 0 {
			*word |= bit
			h.n++
			s.total++
		}
	}
}

// add adds a member, which must be below universe, to a set.
func (s *sets) add(id, member uint32) {
	h := &s.heads[id]
	if s.has(h, member) {
		return
	}
	if full := s.full(h, member); full {
		s.reform(h, int(h.n)+1)
	}
	s.insert(h, member)
	h.n++
	s.total++
}

func (s *sets) has(h *head, member uint32) bool {
	switch h.form {
	case one:
		return h.block == member
	case list:
		for _, m := range s.words(h)[:h.n] {
			if m == member {
				return true
			}
		}
	case hashed:
		words := s.words(h)
		return words[probe(words, h.log, member)] != 0
	case bitmap:
		return member>>5>>h.log == 0 && s.words(h)[member>>5]>>(member&31)&1 != 0
	}
	return false
}

// probe gives the slot of a member, or the free one that its search ends at.
func probe(slots []uint32, log uint8, member uint32) uint32 {
	mask := uint32(len(slots) - 1)
	at := member * 0x9e3779b1 >> (32 - log)
	for slots[at] != 0 && slots[at] != member+1 {
		at = (at + 1) & mask
	}
	return at
}

// full reports that a set must take another form, or a greater block, before it takes a new member.
func (s *sets) full(h *head, member uint32) bool {
	switch h.form {
	case one:
		return true
	case list:
		return h.n == 1<<h.log
	case hashed:
		return 3*(h.n+1) > 2<<h.log
	case bitmap:
		return member>>5>>h.log != 0
	}
	return false
}

// insert puts a new member where there is room for it.
func (s *sets) insert(h *head, member uint32) {
	switch h.form {
	case none:
		h.form, h.block = one, member
	case list:
		s.words(h)[h.n] = member
	case hashed:
		words := s.words(h)
		words[probe(words, h.log, member)] = member + 1
	case bitmap:
		s.words(h)[member>>5] |= 1 << (member & 31)
	}
}

// longestList is the log of the greatest list.
const longestList = 3

// fit gives the form and the block of a set of n members, two or more.
func (s *sets) fit(n int, was form) (f form, log uint8) {
	f, log = list, uint8(bits.Len(uint(n-1)))
	if log > longestList {
		f, log = hashed, uint8(bits.Len(uint(n+n/2)))
	}
	limit := log
	if was == bitmap {
		limit++ // a bitmap stays one a little longer, so that sets don't go back and forth
	}
	if dense := uint8(bits.Len(uint(s.universe-1) >> 5)); dense <= limit {
		return bitmap, dense
	}
	return f, log
}

// reform gives a set a block that has room for n members.
func (s *sets) reform(h *head, n int) {
	s.scratch = s.list(h, s.scratch[:0])
	s.release(h)
	h.form, h.log = s.fit(n, h.form)
	h.block = s.allocate(h.log)
	count := h.n
	for h.n = 0; h.n < count; h.n++ {
		s.insert(h, s.scratch[h.n])
	}
}

// allocate gives a block of zeros.
func (s *sets) allocate(log uint8) uint32 {
	if free := s.free[log]; len(free) > 0 {
		s.free[log] = free[:len(free)-1]
		return free[len(free)-1]
	}
	n := len(s.pools[log])
	s.pools[log] = stream.Resize(s.pools[log], n+1<<log)
	clear(s.pools[log][n:])
	return uint32(n >> log)
}

// release gives a set's block back, zeroed.
func (s *sets) release(h *head) {
	if h.form >= list {
		clear(s.words(h))
		s.free[h.log] = append(s.free[h.log], h.block)
	}
}

// members appends the members of a set to dst.
func (s *sets) members(id uint32, dst []uint32) []uint32 { return s.list(&s.heads[id], dst) }

func (s *sets) list(h *head, dst []uint32) []uint32 {
	switch h.form {
	case one:
		return append(dst, h.block)
	case list:
		return append(dst, s.words(h)[:h.n]...)
	case hashed:
		for _, slot := range s.words(h) {
			if slot != 0 {
				dst = append(dst, slot-1)
			}
		}
	case bitmap:
		for i, word := range s.words(h) {
			for ; word != 0; word &= word - 1 {
				dst = append(dst, uint32(i<<5+bits.TrailingZeros32(word)))
			}
		}
	}
	return dst
}

// union adds the members of src to dst.
func (s *sets) union(dst, src uint32) {
	to, from := &s.heads[dst], &s.heads[src]
	if to.form != bitmap || from.form != bitmap || to.log < from.log {
		s.merged = s.members(src, s.merged[:0])
		for _, m := range s.merged {
			s.add(dst, m)
		}
		return
	}
	into := s.words(to)
	added := 0
	for i, word := range s.words(from) {
		added += bits.OnesCount32(word &^ into[i])
		into[i] |= word
	}
	to.n += uint32(added)
	s.total += added
}

// clear empties a set.
func (s *sets) clear(id uint32) {
	h := &s.heads[id]
	s.release(h)
	s.total -= int(h.n)
	*h = head{}
}

func (s *sets) reset() {
	s.heads = s.heads[:0]
	for log := range s.pools {
		s.pools[log], s.free[log] = s.pools[log][:0], s.free[log][:0]
	}
	s.universe, s.total = 0, 0
}

func (s *sets) bytes() int64 {
	n := 12*cap(s.heads) + 4*cap(s.scratch) + 4*cap(s.merged)
	for log := range s.pools {
		n += 4*cap(s.pools[log]) + 4*cap(s.free[log])
	}
	return int64(n)
}
