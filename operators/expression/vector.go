package expression

import "tidemark/stream"

// A vector is what a kernel gives: a stream.Column with an element for each row of the batch, of which only
// the rows asked for are defined. Vectors have the tags of columns and two more.
const (
	// tagRedo: no kernel knows the value; the virtual machine has to find it, or the error.
	tagRedo stream.Tag = 255
	// tagWhole: the value is an int that a Float vector holds exactly, less than 2^53 from zero. So columns
	// that mix 10 and 10.5 stay in kernels although an int and a float give different types of result.
	tagWhole stream.Tag = 254
)

// exact bounds the integers for which tagWhole may stand.
const exact = 1 << 53

// state is what a tag means to an operator.
type state uint8

const (
	hasValue state = iota // a value of the vector's kind
	isNull                // nil
	unknown               // of another kind, or anything that only the virtual machine can tell
)

// stateOf gives the state of a row. Numbers tagged as whole count as unknown.
func stateOf(c *stream.Column, row int32) state {
	if c.Odd > 0 {
		switch t := c.Tags[row]; {
		case t.Absent():
			return isNull
		case t != stream.TagOK:
			return unknown
		}
	}
	if c.Kind == stream.Any {
		if c.Boxed[row] == nil {
			return isNull
		}
		return unknown
	}
	return hasValue
}

// numberState is stateOf with whole numbers taken for values.
func numberState(c *stream.Column, row int32) state {
	if c.Odd > 0 && c.Tags[row] == tagWhole {
		return hasValue
	}
	return stateOf(c, row)
}

// plain reports that all rows have values of the vector's kind.
func plain(c *stream.Column) bool { return c.Odd == 0 && c.Kind != stream.Any }

// untag makes all rows of out odd-free but with tags allocated, for kernels that tag some of them.
func untag(out *stream.Column, n int) {
	out.Tags = stream.Resize(out.Tags, n)
	clear(out.Tags)
	out.Odd = 0
}

// tag tags a row after untag.
func tag(out *stream.Column, row int32, t stream.Tag) {
	if out.Tags[row] == stream.TagOK {
		out.Odd++
	}
	out.Tags[row] = t
}

// redoAll makes out a vector of rows that no kernel knows.
func redoAll(out *stream.Column, k stream.Kind, n int, rows []int32) *stream.Column {
	out.Reset(k, n)
	untag(out, n)
	for _, r := range rows {
		tag(out, r, tagRedo)
	}
	return out
}

// spread leaves to the virtual machine the rows of out for which one of the operands has no value.
func spread(out *stream.Column, n int, rows []int32, operands ...*stream.Column) {
	odd := false
	for _, c := range operands {
		odd = odd || !plain(c)
	}
	if !odd {
		return
	}
	untag(out, n)
	for _, c := range operands {
		if plain(c) {
			continue
		}
		for _, r := range rows {
			if stateOf(c, r) != hasValue && out.Tags[r] == stream.TagOK {
				tag(out, r, carried(operands, r))
			}
		}
	}
}

// same reports that two texts lie in the same data, so that a Ref of one is good for the other.
func sameData(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// copier copies values of one kind, of several vectors, into out.
type copier struct {
	out       *stream.Column
	from, to  stream.Ref // the last piece of arena copied
	fromArena []byte
}

// copy copies the value of a row, which must have one.
func (c *copier) copy(src *stream.Column, row int32) {
	switch c.out.Kind {
	case stream.Int, stream.Instant:
		c.out.Ints[row] = src.Ints[row]
	case stream.Float:
		c.out.Floats[row] = src.Floats[row]
	case stream.Bool:
		c.out.Bools[row] = src.Bools[row]
	case stream.String:
		c.text(src, row)
	case stream.Any:
		c.out.Boxed[row] = src.Boxed[row]
	}
}

// text copies a text by reference where it can, and a constant only once.
func (c *copier) text(src *stream.Column, row int32) {
	ref := src.Refs[row]
	if ref.Off&stream.ArenaBit == 0 {
		if len(c.out.Data) == 0 {
			c.out.Data = src.Data
		}
		if sameData(c.out.Data, src.Data) {
			c.out.Refs[row] = ref
			return
		}
	} else if ref == c.from && sameData(c.fromArena, src.Arena) {
		c.out.Refs[row] = c.to
		return
	}
	c.out.SetBytes(int(row), src.Bytes(int(row)))
	if ref.Off&stream.ArenaBit != 0 {
		c.from, c.to, c.fromArena = ref, c.out.Refs[row], src.Arena
	}
}
