package agg

import (
	"slices"

	"tidemark/operators/state"
	"tidemark/stream"
)

func init() {
	register(Kind{
		Name: "approx_count_distinct",
		Args: "x",
		Doc: "The number of different values that are not null, as count_distinct, in at most 4 KiB: exact up to 256 values, beyond them with a " +
			"standard error of 1.6 % (HyperLogLog). It does not depend on the order of the records.",
		Example: Example{"approx_count_distinct(user_id)", "3", "2"},
		MinArgs: 1,
		MaxArgs: 1,
		Keyed:   true,
		ResultType: func([]stream.Type) stream.Type {
			return stream.Type{Kind: stream.Int}
		},
		New:   func([]stream.Type) Accumulators { return new(cardinality) },
		total: true,
	})
}

// cardinality is the accumulators of approx_count_distinct. An entry is the sorted list of its values' hashes, and
// the registers of HyperLogLog when that is longer than mostHashes. Either is a function of the set of hashes alone.
type cardinality struct {
	hashes    series[uint64]
	registers series[uint8] // none, or all of them
	keys      state.Keys
	rows      []int32
	ids       []uint32
}

// mostHashes is the number of hashes up to which they are kept themselves: then they need half as much memory as the
// registers would.
const mostHashes = 256

func (c *cardinality) Grow(n int) {
	c.hashes.grow(n)
	c.registers.grow(n)
}

func (c *cardinality) Add(in *Input) {
	column := in.Args[0]
	c.rows, c.ids = c.rows[:0], c.ids[:0]
	for i, r := range in.Rows {
		if present(column, r) {
			c.rows, c.ids = append(c.rows, r), append(c.ids, in.IDs[i])
		}
	}
	keys := in.Keys
	if keys == nil {
		keys = &c.keys
		keys.Set(in.Args[:1], c.rows, column.Len())
	}
	for i, r := range c.rows {
		c.add(c.ids[i], mixed(keys.Hash[r]))
	}
}

// mixed spreads a hash over all bits (the finalizer of SplitMix64): registers look at a few of them at a time.
func mixed(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

func (c *cardinality) add(id uint32, hash uint64) {
	if registers := c.registers.of(id); len(registers) > 0 {
		observe(registers, hash)
		return
	}
	list := c.hashes.of(id)
	at, found := slices.BinarySearch(list, hash)
	if found {
		return
	}
	if len(list) < mostHashes {
		c.hashes.insert(id, at, hash)
		return
	}
	registers := c.open(id)
	observe(registers, hash)
	for _, h := range list {
		observe(registers, h)
	}
	c.hashes.clear(id)
}

// open gives an entry registers, all 0.
func (c *cardinality) open(id uint32) []uint8 {
	registers := c.registers.make(id, registerCount)
	clear(registers)
	return registers
}

func (c *cardinality) Merge(dst uint32, from Accumulators, src uint32) {
	other := from.(*cardinality)
	for i := range other.hashes.of(src) {
		c.add(dst, other.hashes.of(src)[i])
	}
	if len(other.registers.of(src)) == 0 {
		return
	}
	if len(c.registers.of(dst)) == 0 {
		c.open(dst)
		for _, h := range c.hashes.of(dst) {
			observe(c.registers.of(dst), h)
		}
		c.hashes.clear(dst)
	}
	to := c.registers.of(dst)
	for i, rank := range other.registers.of(src) {
		to[i] = max(to[i], rank)
	}
}

func (c *cardinality) Clear(id uint32) {
	c.hashes.clear(id)
	c.registers.clear(id)
}

func (c *cardinality) Append(id uint32, out *stream.Column) error {
	if registers := c.registers.of(id); len(registers) > 0 {
		out.AppendInt(estimate(registers))
	} else {
		out.AppendInt(int64(len(c.hashes.of(id))))
	}
	return nil
}

func (c *cardinality) Reset() {
	c.hashes.reset()
	c.registers.reset()
}

func (c *cardinality) Bytes() int64 {
	return c.hashes.bytes() + c.registers.bytes() + int64(4*cap(c.rows)+4*cap(c.ids))
}
