package agg

import (
	"slices"

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
	keyed
	hashes    series[uint64]
	registers series[uint8] // none, or all of them
}

// mostHashes is the number of hashes up to which they are kept themselves: then they need half as much memory as the
// registers would.
const mostHashes = 256

func (c *cardinality) Grow(n int) {
	c.hashes.grow(n)
	c.registers.grow(n)
}

func (c *cardinality) Add(in *Input) {
	rows, ids, keys := c.take(in)
	for i, r := range rows {
		c.add(ids[i], stream.Mix(keys.Hash[r])) // registers look at a few bits of a hash at a time
	}
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
	observe(c.open(id), hash)
}

// open gives an entry registers, in place of its hashes.
func (c *cardinality) open(id uint32) []uint8 {
	registers := c.registers.make(id, registerCount)
	clear(registers)
	for _, h := range c.hashes.of(id) {
		observe(registers, h)
	}
	c.hashes.clear(id)
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
	return c.hashes.bytes() + c.registers.bytes() + c.keyed.bytes()
}
