package agg

import "tidemark/stream"

func init() {
	register(Kind{
		Name:       "collect",
		Args:       "x",
		Doc:        "A list of the values that are not null, in the order of the input; null if there are none. All of them are kept in memory.",
		Example:    Example{"collect(amount)", "[20,50,35]", "[20,50]"},
		MinArgs:    1,
		MaxArgs:    1,
		ResultType: listType,
		New:        func([]stream.Type) Accumulators { return new(collected) },
	})
}

// collected is the accumulators of collect.
type collected struct{ collection }

func (c *collected) Grow(n int) { c.lists.grow(n) }

func (c *collected) Add(in *Input) {
	column := in.Args[0]
	for i, r := range in.Rows {
		if v := valueAt(column, r); v.class != empty {
			c.add(in.IDs[i], in.Ordinal+uint64(r), 0, v)
		}
	}
}

func (c *collected) Merge(dst uint32, from Accumulators, src uint32) {
	c.merge(dst, &from.(*collected).collection, src)
}

func (c *collected) Clear(id uint32) { c.clear(id) }

func (c *collected) Append(id uint32, out *stream.Column) error {
	c.appendList(id, out)
	return nil
}

func (c *collected) Reset() { c.reset() }

func (c *collected) Bytes() int64 { return c.bytes() }
