package state

// index is an open-addressing hash index with linear probing over a table's entries: a slot holds an id plus
// one, or 0. Its length is a power of two, at most half of it in use.
type index []uint32

const smallestIndex = 16

func (x index) mask() uint32 { return uint32(len(x) - 1) }

// insert puts an id into a free slot, and grows the index when it is half full.
func (x *index) insert(t *Table, id, at uint32) {
	(*x)[at] = id + 1
	if 2*t.Live() > len(*x) {
		x.grow(t)
	}
}

func (x *index) grow(t *Table) {
	grown := make(index, 2*len(*x))
	mask := grown.mask()
	for _, slot := range *x {
		if slot == 0 {
			continue
		}
		at := t.hash(slot-1) & mask
		for grown[at] != 0 {
			at = (at + 1) & mask
		}
		grown[at] = slot
	}
	*x = grown
}

// remove frees the slot of an id, and moves those that were pushed behind it back, so that no search ends
// before its slot.
func (x index) remove(t *Table, id uint32) {
	mask := x.mask()
	hole := t.hash(id) & mask
	for x[hole] != id+1 {
		hole = (hole + 1) & mask
	}
	for at := (hole + 1) & mask; x[at] != 0; at = (at + 1) & mask {
		home := t.hash(x[at]-1) & mask
		if (at-home)&mask >= (at-hole)&mask {
			x[hole] = x[at]
			hole = at
		}
	}
	x[hole] = 0
}

// clear empties the index. With few keys it starts from each one's home slot and frees what follows, up to the
// first free slot. So what is left of a run of slots in use is always its beginning, and every key lies
// behind its home, hence none is missed.
func (x index) clear(t *Table) {
	if 8*t.length >= len(x) {
		clear(x)
		return
	}
	mask := x.mask()
	for id := range uint32(t.length) {
		for at := t.hash(id) & mask; x[at] != 0; at = (at + 1) & mask {
			x[at] = 0
		}
	}
}
