package agg

import "tidemark/stream"

// chosen is the accumulators of min_by and max_by: the best ranking value of each entry, and the value that stands
// beside it. Of equal ones the record that came first in the input counts.
type chosen struct {
	by     extreme
	beside occurrence
}

func chosenKind(name, doc string, example Example, flip int64) Kind {
	return Kind{
		Name:    name,
		Args:    "x, by",
		Doc:     doc,
		Example: example,
		MinArgs: 2,
		MaxArgs: 2,
		ResultType: func(args []stream.Type) stream.Type {
			t := args[0]
			t.Null = t.Null || t.Kind == stream.Any || sameOrNull(args[1:]).Null
			return t
		},
		New:     func([]stream.Type) Accumulators { return &chosen{by: extreme{name: name, flip: flip}} },
		accepts: orderable,
		judged:  1,
	}
}

func (c *chosen) Grow(n int) {
	c.by.Grow(n)
	c.beside.Grow(n)
}

func (c *chosen) Add(in *Input) {
	by := in.Args[1]
	if by.Odd == 0 && (by.Kind == stream.Int || by.Kind == stream.Instant) {
		c.addInts(by, in)
		return
	}
	for i, r := range in.Rows {
		if v := rankedAlike(valueAt(by, r)); v.class != empty {
			c.offer(in.IDs[i], v, in.Ordinal+uint64(r), in.Args[0], r)
		}
	}
}

// addInts looks closer only at rows that are not plainly worse than what there is.
func (c *chosen) addInts(by *stream.Column, in *Input) {
	as := integer
	if by.Kind == stream.Instant {
		as = instant
	}
	for i, r := range in.Rows {
		id, v := in.IDs[i], by.Ints[r]
		if c.by.class[id] != as || v^c.by.flip <= c.by.best[id] {
			c.offer(id, value{class: as, bits: v}, in.Ordinal+uint64(r), in.Args[0], r)
		}
	}
}

// rankedAlike gives a value its rank; 0 and -0 have one.
func rankedAlike(v value) value {
	if v.class == float && v.float() == 0 {
		v.bits = 0
	}
	return ranked(v)
}

// offer takes a row if its ranking value is better than the entry's, or equal and of an earlier record.
func (c *chosen) offer(id uint32, by value, ordinal uint64, column *stream.Column, row int32) {
	if c.wins(id, by, ordinal) {
		c.by.take(id, by)
		c.keep(id, ordinal, valueAt(column, row))
	}
}

// wins reports whether a ranking value replaces the entry's. Values that can't be compared make the entry a clash.
func (c *chosen) wins(id uint32, by value, ordinal uint64) bool {
	was := c.by.class[id]
	switch {
	case was == empty:
		return true
	case was == clash || by.class == clash || was.family() != by.class.family():
		c.by.offer(id, by)
		return false
	}
	order := c.by.compare(by, c.by.held(id))
	return order < 0 || order == 0 && ordinal < c.place(id)
}

// keep makes a value the entry's, null too.
func (c *chosen) keep(id uint32, ordinal uint64, v value) {
	c.beside.class[id], c.beside.place[id] = empty, ordinal+1
	c.beside.take(id, ordinal+1, v)
}

// place gives the number of the record whose value an entry holds.
func (c *chosen) place(id uint32) uint64 { return c.beside.place[id] - 1 }

func (c *chosen) Merge(dst uint32, from Accumulators, src uint32) {
	other := from.(*chosen)
	if other.by.class[src] == empty {
		return
	}
	if by := other.by.held(src); c.wins(dst, by, other.place(src)) {
		c.by.take(dst, by)
		c.keep(dst, other.place(src), other.beside.held(src))
	}
}

func (c *chosen) Clear(id uint32) {
	c.by.Clear(id)
	c.beside.Clear(id)
}

func (c *chosen) Append(id uint32, out *stream.Column) error {
	if c.by.class[id] == clash {
		return c.by.Append(id, out)
	}
	return c.beside.Append(id, out)
}

func (c *chosen) Reset() {
	c.by.Reset()
	c.beside.Reset()
}

func (c *chosen) Bytes() int64 { return c.by.Bytes() + c.beside.Bytes() }
