package state

import "tidemark/stream"

// Add appends the id of each row's key to ids and gives the extended slice. Keys not met before get the next
// ids in the order of rows, removed ids first; Fresh tells which these are. All batches of a table must have
// the same number of key columns.
func (t *Table) Add(k *Keys, rows []int32, ids []uint32) []uint32 {
	t.fresh = t.fresh[:0]
	t.settle(k.Mode)
	n := len(ids)
	ids = stream.Resize(ids, n+len(rows))
	out := ids[n:]
	switch {
	case t.mode == Single:
		t.addSingle(rows, out)
	case t.mode == Ints:
		t.addInts(k, rows, out)
	case k.Mode == t.mode:
		t.addTexts(k, rows, out)
	default:
		t.addEncoded(k, rows, out)
	}
	return ids
}

func (t *Table) addSingle(rows []int32, out []uint32) {
	clear(out)
	if len(rows) > 0 && !t.single {
		t.single = true
		t.fresh = append(t.fresh, Appearance{t.take(), rows[0]})
	}
}

func (t *Table) addInts(k *Keys, rows []int32, out []uint32) {
	slots, mask, keys := t.index, t.index.mask(), t.ints
	for i, r := range rows {
		key := k.Ints[r]
		at := uint32(k.Hash[r]) & mask
		for {
			slot := slots[at]
			if slot == 0 {
				id := t.insertInt(key, at)
				t.fresh = append(t.fresh, Appearance{id, r})
				slots, mask, keys = t.index, t.index.mask(), t.ints
				out[i] = id
				break
			}
			if keys[slot-1] == key {
				out[i] = slot - 1
				break
			}
			at = (at + 1) & mask
		}
	}
}

// insertInt puts a new key into the free slot that its search ended at.
func (t *Table) insertInt(key int64, at uint32) uint32 {
	id := t.take()
	if int(id) == len(t.ints) {
		t.ints = append(t.ints, key)
	} else {
		t.ints[id] = key
	}
	t.index.insert(t, id, at)
	return id
}

func (t *Table) addTexts(k *Keys, rows []int32, out []uint32) {
	slots, mask, spans, arena := t.index, t.index.mask(), t.texts.spans, t.texts.arena
	for i, r := range rows {
		key, hash := k.Text.Bytes(int(r)), uint32(k.Hash[r])
		at := hash & mask
		for {
			slot := slots[at]
			if slot == 0 {
				id := t.insertText(key, k.written(r), hash, at)
				t.fresh = append(t.fresh, Appearance{id, r})
				slots, mask, spans, arena = t.index, t.index.mask(), t.texts.spans, t.texts.arena
				out[i] = id
				break
			}
			s := &spans[slot-1]
			if s.hash == hash && string(arena[s.off:s.off+uint64(s.size)]) == string(key) {
				out[i] = slot - 1
				break
			}
			at = (at + 1) & mask
		}
	}
}

// addEncoded adds plain keys to a General table.
func (t *Table) addEncoded(k *Keys, rows []int32, out []uint32) {
	for i, r := range rows {
		b := t.scratch[:0]
		if k.Mode == Ints {
			b = encodeInt(b, k.Ints[r])
		} else {
			text := k.Text.Bytes(int(r))
			b = append(encodeLength(b, codeText, len(text)), text...)
		}
		t.scratch = b
		hash := uint32(k.Hash[r])
		id, at, found := t.find(b, hash)
		if !found {
			id = t.insertText(b, nil, hash, at)
			t.fresh = append(t.fresh, Appearance{id, r})
		}
		out[i] = id
	}
}

// find gives the id of a key of bytes, or the free slot that its search ended at.
func (t *Table) find(key []byte, hash uint32) (id, at uint32, found bool) {
	mask := t.index.mask()
	for at = hash & mask; ; at = (at + 1) & mask {
		slot := t.index[at]
		if slot == 0 {
			return 0, at, false
		}
		span := &t.texts.spans[slot-1]
		if span.hash == hash && string(t.texts.arena[span.off:span.off+uint64(span.size)]) == string(key) {
			return slot - 1, at, true
		}
	}
}

// insertText puts a new key of bytes into the free slot that its search ended at. written is its encoding as
// written, or nil where that is the key itself.
func (t *Table) insertText(key, written []byte, hash, at uint32) uint32 {
	id := t.take()
	t.texts.put(id, key, written, hash)
	t.index.insert(t, id, at)
	return id
}

// AddFrom adds the key that has an id in another table, of keys of as many columns, and gives its id here.
func (t *Table) AddFrom(other *Table, id uint32) uint32 {
	t.fresh = t.fresh[:0]
	t.settle(other.mode)
	hash := uint32(0)
	if other.mode != Single {
		hash = other.hash(id)
	}
	switch {
	case t.mode == Single:
		if !t.single {
			t.single = true
			t.take()
		}
		return 0
	case t.mode == Ints:
		return t.addInt(other.ints[id], hash)
	}
	key, written := other.encoded(id, t.mode, t.scratch[:0])
	t.scratch = key
	to, at, found := t.find(key, hash)
	if !found {
		to = t.insertText(key, written, hash, at)
	}
	return to
}

func (t *Table) addInt(key int64, hash uint32) uint32 {
	mask := t.index.mask()
	for at := hash & mask; ; at = (at + 1) & mask {
		slot := t.index[at]
		if slot == 0 {
			return t.insertInt(key, at)
		}
		if t.ints[slot-1] == key {
			return slot - 1
		}
	}
}

// encoded appends the key of an id to dst in the form of a table of another mode, which is General or t's own;
// written is as for insertText.
func (t *Table) encoded(id uint32, mode KeyMode, dst []byte) (key, written []byte) {
	switch {
	case t.mode == Ints:
		return encodeInt(dst, t.ints[id]), nil
	case t.mode == mode:
		if t.texts.spans[id].more > 0 {
			written = t.texts.written(id)
		}
		return append(dst, t.texts.key(id)...), written
	}
	text := t.texts.key(id)
	return append(encodeLength(dst, codeText, len(text)), text...), nil
}
