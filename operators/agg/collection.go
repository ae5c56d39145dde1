package agg

import (
	"cmp"
	"encoding/binary"
	"slices"
	"time"

	"tidemark/operators/state"
	"tidemark/stream"
)

// collection keeps lists of values with the places of their records in the input, for the aggregates whose result is
// made of all of them. Values come in the order of the input until lists are merged; sorted puts that right.
type collection struct {
	lists   series[element]
	arena   []byte // what does not fit into an element: its length, then the bytes
	garbage int
	scratch []byte
}

// element is a value of a list.
type element struct {
	place  uint64 // the number of the record in the input
	bits   int64  // the value's; of classes text, fine and other: where it is in the arena
	member uint32 // for collect_set: the value's number in the dictionary
	class  class
}

// inArena reports whether values of a class are kept in the arena.
func (c class) inArena() bool { return c == text || c == fine || c == other }

// add appends a value, which is not null, to a list. For class other it takes the encoding in text, or boxed.
func (c *collection) add(id uint32, place uint64, member uint32, v value) {
	e := element{place, v.bits, member, v.class}
	if v.class.inArena() {
		e.bits = int64(len(c.arena))
		c.arena = appendSized(c.arena, c.bytesOf(v))
	}
	c.lists.add(id, e)
}

// bytesOf gives what the arena has of a value.
func (c *collection) bytesOf(v value) []byte {
	switch {
	case v.class == fine:
		c.scratch = append(binary.LittleEndian.AppendUint64(c.scratch[:0], uint64(v.bits)), v.text...)
	case v.class == other && v.text == nil:
		c.scratch = state.AppendValue(c.scratch[:0], v.boxed)
	default:
		return v.text
	}
	return c.scratch
}

func appendSized(to, b []byte) []byte {
	return append(binary.AppendUvarint(to, uint64(len(b))), b...)
}

// stored gives the bytes of an element in the arena, and with their length.
func (c *collection) stored(e element) (b []byte, size int) {
	n, head := binary.Uvarint(c.arena[e.bits:])
	size = head + int(n)
	return c.arena[e.bits+int64(head) : e.bits+int64(size)], size
}

// value gives an element's value, valid until the next add.
func (c *collection) value(e element) value {
	v := value{class: e.class, bits: e.bits}
	if e.class.inArena() {
		v.text, _ = c.stored(e)
	}
	if e.class == fine {
		v.bits, v.text = int64(binary.LittleEndian.Uint64(v.text)), v.text[8:]
	}
	return v
}

// sorted gives a list in the order of the input. Among values of one place, which only copies have, those of the
// first addition stay in front.
func (c *collection) sorted(id uint32) []element {
	list := c.lists.of(id)
	byPlace := func(a, b element) int { return cmp.Compare(a.place, b.place) }
	if !slices.IsSortedFunc(list, byPlace) {
		slices.SortStableFunc(list, byPlace)
	}
	return list
}

// merge appends the values of another list.
func (c *collection) merge(dst uint32, from *collection, src uint32) {
	for i := range from.lists.of(src) {
		e := from.lists.of(src)[i]
		c.add(dst, e.place, e.member, from.value(e))
	}
}

func (c *collection) clear(id uint32) {
	for _, e := range c.lists.of(id) {
		c.forget(e)
	}
	c.lists.clear(id)
	c.collect()
}

// forget counts what an element has in the arena as garbage.
func (c *collection) forget(e element) {
	if e.class.inArena() {
		_, size := c.stored(e)
		c.garbage += size
	}
}

// collect rewrites the arena when more than half of it is garbage.
func (c *collection) collect() {
	if c.garbage <= smallArena || c.garbage <= len(c.arena)/2 {
		return
	}
	live := len(c.arena) - c.garbage
	arena := make([]byte, 0, live+live/2)
	for id := range c.lists.spans {
		list := c.lists.of(uint32(id))
		for i, e := range list {
			if e.class.inArena() {
				_, size := c.stored(e)
				list[i].bits = int64(len(arena))
				arena = append(arena, c.arena[e.bits:e.bits+int64(size)]...)
			}
		}
	}
	c.arena, c.garbage = arena, 0
}

func (c *collection) reset() {
	c.lists.reset()
	c.arena, c.garbage = c.arena[:0], 0
}

func (c *collection) bytes() int64 { return c.lists.bytes() + int64(cap(c.arena)+cap(c.scratch)) }

// box gives a value as expressions see it.
func (v value) box() any {
	switch v.class {
	case integer:
		return v.bits
	case float:
		return v.float()
	case boolean:
		return v.bits != 0
	case instant:
		return stream.Time(v.bits).Std()
	case fine:
		return stream.Time(v.bits).Std().Add(time.Duration(binary.BigEndian.Uint32(v.text)))
	case text:
		return string(v.text)
	case other:
		boxed, _ := state.DecodeValue(v.text)
		return boxed
	}
	return nil
}

// appendList appends a list of values to a builder column; null for an empty one.
func (c *collection) appendList(id uint32, out *stream.Column) {
	list := c.sorted(id)
	if len(list) == 0 {
		out.AppendNull()
		return
	}
	values := make([]any, len(list))
	for i, e := range list {
		values[i] = c.value(e).box()
	}
	out.AppendBoxed(values)
}

// listType is the type of a list of values.
func listType(args []stream.Type) stream.Type {
	return stream.Type{Shape: stream.List, Null: args[0].Null || args[0].Kind == stream.Any}
}
