package window

// keyIndex says which of a slice's entries a key has. Keys are ids of a table that several slices share: a
// slice that has many of them keeps an array over all ids, one that has few a map.
type keyIndex struct {
	dense  []uint32 // by key id: entry + 1, or 0
	sparse map[uint32]uint32
	few    bool
}

const (
	// denseKeys is the size of a table up to which arrays cost too little to bother.
	denseKeys = 4096
	// densePart is the part of the keys that a slice must have to get an array.
	densePart = 32
)

// get gives the entry of a key.
func (x *keyIndex) get(key uint32) (uint32, bool) {
	if x.few {
		e, ok := x.sparse[key]
		return e, ok
	}
	if int(key) >= len(x.dense) || x.dense[key] == 0 {
		return 0, false
	}
	return x.dense[key] - 1, true
}

// resolve turns key ids into entries, in place; keys without an entry get the next, and are appended to keys,
// which has the key of each entry. ids is the size of the table.
func (x *keyIndex) resolve(ids []uint32, keys []uint32, table int) []uint32 {
	if !x.few && table > max(denseKeys, cap(x.dense)) && (len(keys)+len(ids))*densePart < table {
		x.narrow(keys)
	}
	if x.few {
		if keys = x.resolveFew(ids, keys); len(keys)*densePart > table {
			x.widen(keys, table)
		}
		return keys
	}
	dense := x.reach(table)
	for i, key := range ids {
		e := dense[key]
		if e == 0 {
			keys = append(keys, key)
			e = uint32(len(keys))
			dense[key] = e
		}
		ids[i] = e - 1
	}
	return keys
}

func (x *keyIndex) resolveFew(ids []uint32, keys []uint32) []uint32 {
	for i, key := range ids {
		e, ok := x.sparse[key]
		if !ok {
			e = uint32(len(keys))
			keys = append(keys, key)
			x.sparse[key] = e
		}
		ids[i] = e
	}
	return keys
}

// narrow changes to a map, which is empty as long as there is an array.
func (x *keyIndex) narrow(keys []uint32) {
	if x.sparse == nil {
		x.sparse = make(map[uint32]uint32)
	}
	for e, key := range keys {
		x.sparse[key] = uint32(e)
	}
	x.dense, x.few = nil, true
}

// widen changes to an array.
func (x *keyIndex) widen(keys []uint32, table int) {
	clear(x.sparse)
	x.few = false
	dense := x.reach(table)
	for e, key := range keys {
		dense[key] = uint32(e + 1)
	}
}

// reach makes the array long enough for a table. What is beyond len is always zero.
func (x *keyIndex) reach(table int) []uint32 {
	if table > cap(x.dense) {
		grown := make([]uint32, table, table+table/4)
		copy(grown, x.dense)
		x.dense = grown
	}
	x.dense = x.dense[:max(table, len(x.dense))]
	return x.dense
}

// clear empties the index of the keys given, which are all that it has. An array far too long is not kept.
func (x *keyIndex) clear(keys []uint32) {
	if x.few {
		clear(x.sparse)
		x.few = false
		return
	}
	for _, key := range keys {
		x.dense[key] = 0
	}
	if cap(x.dense) > 2*densePart*max(len(keys), denseKeys/densePart) {
		x.dense = nil
	}
}

func (x *keyIndex) bytes() int64 { return int64(4*cap(x.dense) + 16*len(x.sparse)) }
