package state

import "tidemark/stream"

// Appearance says that a key was new: the id that it got and the batch row that brought it.
type Appearance struct {
	ID  uint32
	Row int32
}

// Table maps keys to dense ids. The zero Table is empty and ready.
//
// A table takes the mode of the first keys added. When keys of another mode come it becomes General for
// good, until Reset; ids don't change by that.
//
// The index has four bytes a slot and points to entries, so growing it moves no keys. A key's hash is the same
// in every mode, so becoming General leaves the index as it is.
type Table struct {
	mode    KeyMode
	started bool // mode is that of keys added, not only the zero value
	index   index
	ints    []int64 // mode Ints: the keys by id
	texts   texts   // modes Strings and General: the keys by id
	single  bool    // mode Single: the key is there
	length  int
	free    []uint32
	fresh   []Appearance
	scratch []byte
}

// Len gives one more than the greatest id given out since the last Reset. Without removals that is the number
// of keys.
func (t *Table) Len() int { return t.length }

// Live gives the number of keys in the table.
func (t *Table) Live() int { return t.length - len(t.free) }

// Fresh gives the keys that the last Add met for the first time, in the order of rows. It is valid until the
// next Add.
func (t *Table) Fresh() []Appearance { return t.fresh }

// Bytes gives the memory that the table holds, in bytes.
func (t *Table) Bytes() int64 {
	return int64(4*cap(t.index) + 8*cap(t.ints) + 24*cap(t.texts.spans) + cap(t.texts.arena) +
		4*cap(t.free) + 8*cap(t.fresh) + cap(t.scratch))
}

// Reset removes all keys and keeps the memory. It costs what was used, not what is there.
func (t *Table) Reset() {
	if t.mode != Single {
		t.index.clear(t)
	}
	t.ints = t.ints[:0]
	t.texts.reset()
	t.started, t.single, t.length = false, false, 0
	t.free, t.fresh = t.free[:0], t.fresh[:0]
}

// AppendKey appends a key's values, as first spelled, to builder columns, one for each key column.
func (t *Table) AppendKey(id uint32, columns []*stream.Column) {
	switch t.mode {
	case Ints:
		columns[0].AppendInt(t.ints[id])
	case Strings:
		columns[0].AppendText(t.texts.key(id))
	case General:
		b := t.texts.written(id)
		for _, c := range columns {
			b = DecodeTo(b, c)
		}
	}
}

// Remove forgets the key of an id, which must be there. The id is given out again to a later key.
func (t *Table) Remove(id uint32) {
	if t.mode == Single {
		t.single = false
	} else {
		t.index.remove(t, id)
	}
	if t.mode >= Strings {
		t.texts.remove(id)
	}
	t.free = append(t.free, id)
}

// take gives the id of a new key: one removed, or the next.
func (t *Table) take() uint32 {
	if n := len(t.free); n > 0 {
		id := t.free[n-1]
		t.free = t.free[:n-1]
		return id
	}
	t.length++
	return uint32(t.length - 1)
}

// hash gives the low half of the hash of an id's key.
func (t *Table) hash(id uint32) uint32 {
	if t.mode == Ints {
		return uint32(hashInt(t.ints[id]))
	}
	return t.texts.spans[id].hash
}

// settle makes the table fit for keys of a mode: it takes the mode if it has none, else becomes General where
// the modes differ.
func (t *Table) settle(mode KeyMode) {
	if !t.started {
		t.started, t.mode = true, mode
		if mode != Single && t.index == nil {
			t.index = make(index, smallestIndex)
		}
		return
	}
	if t.mode != mode && t.mode != General {
		t.generalize()
	}
}

// generalize turns a table of plain keys into one of encoded keys.
func (t *Table) generalize() {
	old := t.texts
	t.texts = texts{}
	for id := range uint32(t.length) {
		b := t.scratch[:0]
		var hash uint32
		if t.mode == Ints {
			b, hash = encodeInt(b, t.ints[id]), uint32(hashInt(t.ints[id]))
		} else if span := old.spans[id]; span.live() {
			b = append(encodeLength(b, codeText, len(old.key(id))), old.key(id)...)
			hash = span.hash
		}
		t.texts.put(id, b, nil, hash)
		t.scratch = b
	}
	for _, id := range t.free {
		t.texts.remove(id)
	}
	t.ints = t.ints[:0]
	t.mode = General
}
