package agg

import "tidemark/stream"

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
	keyed
	dictionary dictionary
	sets       sets
	members    []uint32
}

func (d *distinct) Grow(n int) {
	d.sets.heads = grow(d.sets.heads, n, head{})
}

func (d *distinct) Add(in *Input) {
	d.forget()
	rows, ids, keys := d.take(in)
	d.members = d.dictionary.Add(keys, rows, d.members[:0])
	d.sets.universe = d.dictionary.Len()
	d.sets.addAll(ids, d.members)
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
		member := d.dictionary.AddFrom(&other.dictionary.Table, m)
		d.sets.universe = d.dictionary.Len()
		d.sets.add(dst, member)
	}
}

// forget drops values that no entry has from the dictionary, when it has become too large for what the sets hold.
func (d *distinct) forget() {
	old := d.dictionary.outgrown(d.sets.total)
	if old == nil {
		return
	}
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
	d.dictionary.Reset()
}

func (d *distinct) Bytes() int64 {
	return d.sets.bytes() + d.dictionary.bytes() + d.keyed.bytes() + int64(4*cap(d.members))
}
