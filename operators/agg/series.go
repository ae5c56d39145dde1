package agg

import (
	"math/bits"
	"reflect"

	"tidemark/stream"
)

// series holds a list for each entry. Lists lie in blocks of powers of two of elements, one pool for each size, and
// blocks that are given back are used again; so entries may come and go without a word to the garbage collector.
type series[T any] struct {
	spans []span
	pools [32][]T      // by the log of the block's size: blocks one after the other
	free  [32][]uint32 // numbers of blocks not in use
}

// span is where a list is: n elements in a block of size elements, which is a power of two, or 0 without a block.
type span struct{ block, n, size uint32 }

func (l *series[T]) grow(n int) { l.spans = grow(l.spans, n, span{}) }

func (s *span) log() int { return bits.TrailingZeros32(s.size) }

// of gives an entry's list, valid until the next add or insert.
func (l *series[T]) of(id uint32) []T {
	s := &l.spans[id]
	if s.size == 0 {
		return nil
	}
	from := int(s.block) << s.log()
	return l.pools[s.log()][from : from+int(s.n)]
}

// add appends an element.
func (l *series[T]) add(id uint32, v T) {
	s := &l.spans[id]
	if s.n == s.size {
		l.extend(s)
	}
	l.pools[s.log()][int(s.block)<<s.log()+int(s.n)] = v
	s.n++
}

// make gives an entry, which has no list, one of n undefined elements; n is a power of two.
func (l *series[T]) make(id uint32, n int) []T {
	l.spans[id] = span{l.allocate(bits.TrailingZeros(uint(n))), uint32(n), uint32(n)}
	return l.of(id)
}

// insert puts an element in front of the one at a place.
func (l *series[T]) insert(id uint32, at int, v T) {
	l.add(id, v)
	list := l.of(id)
	copy(list[at+1:], list[at:])
	list[at] = v
}

// cut shortens a list to its first n elements.
func (l *series[T]) cut(id uint32, n int) { l.spans[id].n = uint32(n) }

// extend moves a list into a block of twice the size.
func (l *series[T]) extend(s *span) {
	size := max(1, 2*s.size)
	to := span{l.allocate(bits.TrailingZeros32(size)), s.n, size}
	if s.size > 0 {
		from := int(s.block) << s.log()
		copy(l.pools[to.log()][int(to.block)<<to.log():], l.pools[s.log()][from:from+int(s.n)])
		l.free[s.log()] = append(l.free[s.log()], s.block)
	}
	*s = to
}

// allocate gives a block, its elements undefined.
func (l *series[T]) allocate(log int) uint32 {
	if free := l.free[log]; len(free) > 0 {
		l.free[log] = free[:len(free)-1]
		return free[len(free)-1]
	}
	n := len(l.pools[log])
	l.pools[log] = stream.Resize(l.pools[log], n+1<<log)
	return uint32(n >> log)
}

// clear empties a list.
func (l *series[T]) clear(id uint32) {
	if s := &l.spans[id]; s.size > 0 {
		l.free[s.log()] = append(l.free[s.log()], s.block)
		*s = span{}
	}
}

func (l *series[T]) reset() {
	l.spans = l.spans[:0]
	for log := range l.pools {
		l.pools[log], l.free[log] = l.pools[log][:0], l.free[log][:0]
	}
}

func (l *series[T]) bytes() int64 {
	n, size := 12*cap(l.spans), int(reflect.TypeFor[T]().Size())
	for log := range l.pools {
		n += size*cap(l.pools[log]) + 4*cap(l.free[log])
	}
	return int64(n)
}
