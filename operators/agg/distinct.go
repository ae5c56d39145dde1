package agg

import (
	"tidemark/operators/state"
	"tidemark/stream"
)

func init() {
	register(Kind{
		Name: "count_distinct",
		Doc: "The number of different values that are not null, counted exactly. Values are the same where keys " +
			"would be: 1 and 1.0 are, 1 and \"1\" are not.",
		Args:    "x",
		Example: Example{"count_distinct(user_id)", "3", "2"},
		MinArgs: 1,
		MaxArgs: 1,
		Keyed:   true,
		ResultType: func([]stream.Type) stream.Type {
			return stream.Type{Kind: stream.Int}
		},
		New:   func([]stream.Type) Accumulators { return new(distinct) },
		total: true,
	})
}

// distinct is the accumulators of count_distinct: a dictionary numbers all values, and each entry has the set
// of its values' numbers.
type distinct struct {
	dictionary *state.Table
	spare      *state.Table
	sets       sets
	keys       state.Keys
	members    []uint32
	rows       []int32
	ids        []uint32
}

func (d *distinct) Grow(n int) {
	d.sets.heads = grow(d.sets.heads, n, head{})
	if d.dictionary == nil {
		d.dictionary = new(state.Table)
	}
}

func (d *distinct) Add(in *Input) {
	d.forget()
	c, rows, ids := in.Args[0], in.Rows, in.IDs
	if c.Odd > 0 || c.Kind == stream.Any {
		rows, ids = d.present(c, in)
	}
	keys := in.Keys
	if keys == nil {
		keys = &d.keys
		keys.Set(in.Args[:1], rows, c.Len())
	}
	d.members = d.dictionary.Add(keys, rows, d.members[:0])
	d.sets.universe = d.dictionary.Len()
	d.sets.addAll(ids, d.members)
}

// present gives the rows whose value isn't null, and their entries.
func (d *distinct) present(c *stream.Column, in *Input) (rows []int32, ids []uint32) {
	rows, ids = d.rows[:0], d.ids[:0]
	for i, r := range in.Rows {
		if present(c, r) {
			rows, ids = append(rows, r), append(ids, in.IDs[i])
		}
	}
	d.rows, d.ids = rows, ids
	return rows, ids
}

// Merge numbers the values of src in d's own dictionary, unless that is the one they come from.
func (d *distinct) Merge(dst uint32, from Accumulators, src uint32) {
	other := from.(*distinct)
	if other == d {
		d.sets.union(dst, src)
		return
	}
	d.forget()
	d.members = other.sets.members(src, d.members[:0])
	for _, m := range d.members {
		member := d.dictionary.AddFrom(other.dictionary, m)
		d.sets.universe = d.dictionary.Len()
		d.sets.add(dst, member)
	}
}

// smallDictionary is the number of values up to which it is not worth forgetting any.
const smallDictionary = 4096

// forget drops values that no entry has from the dictionary, when it holds four times as many as the sets do
// together. What that costs has been paid for by as many additions before.
func (d *distinct) forget() {
	if d.dictionary.Len() < smallDictionary || d.dictionary.Len() < 4*d.sets.total {
		return
	}
	old := d.dictionary
	if d.spare == nil {
		d.spare = new(state.Table)
	}
	d.dictionary, d.spare = d.spare, old
	d.dictionary.Reset()
	var kept sets
	kept.heads = grow(kept.heads, len(d.sets.heads), head{})
	for id := range d.sets.heads {
		d.members = d.sets.members(uint32(id), d.members[:0])
		for _, m := range d.members {
			member := d.dictionary.AddFrom(old, m)
			kept.universe = d.dictionary.Len()
			kept.add(uint32(id), member)
		}
	}
	d.sets = kept
	old.Reset()
}

func (d *distinct) Clear(id uint32) { d.sets.clear(id) }

func (d *distinct) Append(id uint32, out *stream.Column) error {
	out.AppendInt(int64(d.sets.heads[id].n))
	return nil
}

func (d *distinct) Reset() {
	d.sets.reset()
	if d.dictionary != nil {
		d.dictionary.Reset()
	}
}

func (d *distinct) Bytes() int64 {
	b := d.sets.bytes() + int64(4*cap(d.members)+4*cap(d.rows)+4*cap(d.ids))
	for _, t := range []*state.Table{d.dictionary, d.spare} {
		if t != nil {
			b += t.Bytes()
		}
	}
	return b
}
