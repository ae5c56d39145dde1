package agg

import (
	"tidemark/operators/state"
	"tidemark/stream"
)

// keyed finds the values of a batch that count, and what makes them the same or different.
type keyed struct {
	keys state.Keys
	rows []int32
	ids  []uint32
}

// take gives the rows of a batch whose argument is not null, their entries, and their keys. They are valid until the next
// call.
func (k *keyed) take(in *Input) (rows []int32, ids []uint32, keys *state.Keys) {
	c := in.Args[0]
	rows, ids = in.Rows, in.IDs
	if c.Odd > 0 || c.Kind == stream.Any {
		k.rows, k.ids = k.rows[:0], k.ids[:0]
		for i, r := range in.Rows {
			if present(c, r) {
				k.rows, k.ids = append(k.rows, r), append(k.ids, in.IDs[i])
			}
		}
		rows, ids = k.rows, k.ids
	}
	if in.Keys != nil {
		return rows, ids, in.Keys
	}
	k.keys.Set(in.Args[:1], rows, c.Len())
	return rows, ids, &k.keys
}

func (k *keyed) bytes() int64 { return int64(4*cap(k.rows) + 4*cap(k.ids)) }

// dictionary numbers the values that entries have. Those that no entry has any more are dropped from time to time.
type dictionary struct {
	state.Table
	spare *state.Table
}

// smallDictionary is the number of values up to which it is not worth dropping any.
const smallDictionary = 4096

// outgrown empties the dictionary when it holds four times as many values as entries have, and gives those that there were,
// from which they are to be added again; else nil. What that costs has been paid for by as many additions before.
func (d *dictionary) outgrown(had int) (old *state.Table) {
	if d.Len() < smallDictionary || d.Len() < 4*had {
		return nil
	}
	if d.spare == nil {
		d.spare = new(state.Table)
	}
	d.Table, *d.spare = *d.spare, d.Table
	d.Reset()
	return d.spare
}

func (d *dictionary) bytes() int64 {
	b := d.Bytes()
	if d.spare != nil {
		b += d.spare.Bytes()
	}
	return b
}
