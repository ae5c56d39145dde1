package agg

import (
	"math"

	"tidemark/stream"
)

// totals adds numbers up, for sum and avg. Integers and floats have a total each: that of the integers is
// exact, so only the floats' order matters, and it can't matter what kind a column had in which batch.
type totals struct {
	length int
	seen   []uint8   // which numbers an entry had: sawInt, sawFloat
	ints   []wide    // empty until there is an integer
	floats []float64 // empty until there is a float
	parts  parts
}

const (
	sawInt   = 1
	sawFloat = 2
)

// noFloats is the sum of no floats: -0, since -0 + x is x for every x, and 0 + -0 would be 0.
var noFloats = math.Copysign(0, -1)

func (t *totals) Grow(n int) {
	t.length = max(t.length, n)
	t.seen = grow(t.seen, n, 0)
	if len(t.ints) > 0 {
		t.ints = grow(t.ints, n, wide{})
	}
	if len(t.floats) > 0 {
		t.floats = grow(t.floats, n, noFloats)
	}
}

// useInts makes the totals of integers be there.
func (t *totals) useInts() []wide {
	if len(t.ints) == 0 {
		t.ints = grow(t.ints, t.length, wide{})
	}
	return t.ints
}

// useFloats makes the totals of floats be there.
func (t *totals) useFloats() []float64 {
	if len(t.floats) == 0 {
		t.floats = grow(t.floats, t.length, noFloats)
	}
	return t.floats
}

func (t *totals) Add(in *Input) {
	c := in.Args[0]
	switch {
	case c.Kind == stream.Int:
		t.addInts(c.Ints, t.parts.split(in))
		for i, r := range t.parts.oddRows {
			t.addValue(t.parts.oddIDs[i], valueAt(c, r))
		}
	case c.Kind == stream.Float && c.Odd == 0:
		t.addFloats(c.Floats, in)
	case c.Kind == stream.Float:
		t.addSomeFloats(c, in)
	default:
		for i, r := range in.Rows {
			t.addValue(in.IDs[i], valueAt(c, r))
		}
	}
}

func (t *totals) addInts(values []int64, in *Input) {
	sums, seen, ids := t.useInts(), t.seen, in.IDs
	for i, r := range in.Rows {
		id := ids[i]
		sums[id].add(values[r])
		seen[id] |= sawInt
	}
}

func (t *totals) addFloats(values []float64, in *Input) {
	sums, seen, ids := t.useFloats(), t.seen, in.IDs
	for i, r := range in.Rows {
		id := ids[i]
		sums[id] += values[r]
		seen[id] |= sawFloat
	}
}

// addSomeFloats adds floats with nulls or integers among them, in the order of rows.
func (t *totals) addSomeFloats(c *stream.Column, in *Input) {
	sums := t.useFloats()
	for i, r := range in.Rows {
		id := in.IDs[i]
		if c.Tags[r] == stream.TagOK {
			sums[id] += c.Floats[r]
			t.seen[id] |= sawFloat
			continue
		}
		t.addValue(id, valueAt(c, r))
	}
}

// addValue adds a value; null adds nothing.
func (t *totals) addValue(id uint32, v value) {
	switch v.class {
	case integer:
		t.useInts()[id].add(v.bits)
		t.seen[id] |= sawInt
	case float:
		t.useFloats()[id] += math.Float64frombits(uint64(v.bits))
		t.seen[id] |= sawFloat
	}
}

// merge adds what from has in src to dst, the floats in that order.
func (t *totals) merge(dst uint32, from *totals, src uint32) {
	seen := from.seen[src]
	if seen&sawInt != 0 {
		t.useInts()[dst].addWide(from.ints[src])
	}
	if seen&sawFloat != 0 {
		t.useFloats()[dst] += from.floats[src]
	}
	t.seen[dst] |= seen
}

func (t *totals) Clear(id uint32) {
	t.seen[id] = 0
	if len(t.ints) > 0 {
		t.ints[id] = wide{}
	}
	if len(t.floats) > 0 {
		t.floats[id] = noFloats
	}
}

// float gives an entry's whole total as a float. The entry must have seen a float.
func (t *totals) float(id uint32) float64 {
	sum := t.floats[id]
	if t.seen[id]&sawInt != 0 {
		return t.ints[id].float() + sum
	}
	return sum
}

func (t *totals) Reset() {
	t.length = 0
	t.seen, t.ints, t.floats = t.seen[:0], t.ints[:0], t.floats[:0]
}

func (t *totals) Bytes() int64 {
	return int64(cap(t.seen)+16*cap(t.ints)+8*cap(t.floats)) + t.parts.bytes()
}
