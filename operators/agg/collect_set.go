package agg

import (
	"cmp"
	"slices"

	"tidemark/stream"
)

func init() {
	register(Kind{
		Name: "collect_set",
		Args: "x",
		Doc: "A list of the different values that are not null, each where it appeared first in the input; null if there are none. " +
			"Values are the same where keys would be: 1 and 1.0 are, 1 and \"1\" are not.",
		Example:    Example{"collect_set(user_id)", `["ann","bob","eve"]`, `["ann","bob"]`},
		MinArgs:    1,
		MaxArgs:    1,
		Keyed:      true,
		ResultType: listType,
		New:        func([]stream.Type) Accumulators { return new(different) },
	})
}

// different is the accumulators of collect_set. A dictionary numbers all values, the sets tell whether an entry has a
// number, and the collection has the values as each entry met them first.
type different struct {
	collection
	keyed
	dictionary dictionary
	sets       sets
	mixed      []bool // by entry: a value may be in the list twice, with different places
	members    []uint32
}

func (d *different) Grow(n int) {
	d.lists.grow(n)
	d.sets.heads = grow(d.sets.heads, n, head{})
	d.mixed = grow(d.mixed, n, false)
}

func (d *different) Add(in *Input) {
	d.forgetValues()
	rows, ids, keys := d.take(in)
	d.members = d.dictionary.Add(keys, rows, d.members[:0])
	d.sets.universe = d.dictionary.Len()
	for i, r := range rows {
		id, member := ids[i], d.members[i]
		if !d.sets.has(&d.sets.heads[id], member) {
			d.sets.add(id, member)
			d.add(id, in.Ordinal+uint64(r), member, valueAt(in.Args[0], r))
		}
	}
}

// Merge adds the values of src that dst has not. One that dst has already is added too if it may have come earlier in
// the input; settle leaves out the later one.
func (d *different) Merge(dst uint32, from Accumulators, src uint32) {
	other := from.(*different)
	d.forgetValues()
	greatest := uint64(0)
	for _, e := range d.lists.of(dst) {
		greatest = max(greatest, e.place)
	}
	for i := range other.lists.of(src) {
		e := other.lists.of(src)[i]
		v := other.value(e)
		if d != other {
			e.member = d.dictionary.AddFrom(&other.dictionary.Table, e.member)
			d.sets.universe = d.dictionary.Len()
		}
		switch known := d.sets.has(&d.sets.heads[dst], e.member); {
		case !known:
			d.sets.add(dst, e.member)
		case e.place >= greatest && !d.mixed[dst]:
			continue
		default:
			d.mixed[dst] = true
		}
		d.add(dst, e.place, e.member, v)
		greatest = max(greatest, e.place)
	}
}

// settle leaves the first of each value in a list.
func (d *different) settle(id uint32) {
	if !d.mixed[id] {
		return
	}
	d.mixed[id] = false
	list := d.lists.of(id)
	slices.SortFunc(list, func(a, b element) int {
		return cmp.Or(cmp.Compare(a.member, b.member), cmp.Compare(a.place, b.place))
	})
	n := 0
	for i, e := range list {
		if i > 0 && e.member == list[n-1].member {
			d.forget(e)
			continue
		}
		list[n] = e
		n++
	}
	d.lists.cut(id, n)
	d.collect()
}

// forgetValues drops values that no entry has from the dictionary, as count_distinct does.
func (d *different) forgetValues() {
	old := d.dictionary.outgrown(d.sets.total)
	if old == nil {
		return
	}
	entries := len(d.sets.heads)
	d.sets.reset()
	d.sets.heads = grow(d.sets.heads, entries, head{})
	for id := range uint32(entries) {
		list := d.lists.of(id)
		for i := range list {
			list[i].member = d.dictionary.AddFrom(old, list[i].member)
			d.sets.universe = d.dictionary.Len()
			d.sets.add(id, list[i].member)
		}
	}
	old.Reset()
}

func (d *different) Clear(id uint32) {
	d.clear(id)
	d.sets.clear(id)
	d.mixed[id] = false
}

func (d *different) Append(id uint32, out *stream.Column) error {
	d.settle(id)
	d.appendList(id, out)
	return nil
}

func (d *different) Reset() {
	d.reset()
	d.sets.reset()
	d.dictionary.Reset()
	d.mixed = d.mixed[:0]
}

func (d *different) Bytes() int64 {
	return d.collection.bytes() + d.sets.bytes() + d.dictionary.bytes() + d.keyed.bytes() + int64(cap(d.mixed)+4*cap(d.members))
}
