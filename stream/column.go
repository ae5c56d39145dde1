package stream

// Tag says that a row's value in a column is not simply a value of the column's kind.
type Tag uint8

// The tags. Everything from TagParentNil up speaks of a nested path such as a.b.c, whose value cannot be
// there because something on the way is not an object; the depth of that something is added to the tag
// (0 for a, 1 for a.b).
const (
	TagOK          Tag = 0  // a value of the column's kind
	TagMissing     Tag = 1  // the record lacks the field; its parent is there
	TagNull        Tag = 2  // the field is null
	TagOther       Tag = 3  // a value of another kind, in Column.Boxed
	TagParentNil   Tag = 16 // + depth: the ancestor is null or missing
	TagParentOther Tag = 32 // + depth: the ancestor is a value without fields, in Column.Boxed
)

// Absent reports whether the tag stands for a nil value: missing or null with its parent present.
func (t Tag) Absent() bool { return t == TagMissing || t == TagNull }

// Ref is a piece of text: Len bytes at Off. Where ArenaBit is set in Off the rest of it is an offset into
// the column's arena, else into the column's data.
type Ref struct{ Off, Len uint32 }

// ArenaBit marks a Ref into the arena.
const ArenaBit = 1 << 31

// Column holds the values of one field for the rows of a batch. It stands by itself: the bytes that its
// Refs speak of come with it, so columns may be shared between batches, read-only.
//
// Exactly one of Ints, Floats, Bools, Refs and Boxed is in use for the column's kind and has an element for
// each row. Values of rows that are tagged are undefined there.
type Column struct {
	Kind   Kind
	Ints   []int64
	Floats []float64
	Bools  []bool
	Refs   []Ref
	// Data is what was read and is not ours to change; Arena is the column's own.
	Data, Arena []byte
	// Boxed has the values of a column of kind Any, and those of rows tagged TagOther or TagParentOther in
	// the others (nil when there are none, else one element a row).
	Boxed []any
	// Tags has one element a row when Odd > 0; when Odd is 0 nobody may look at it.
	Tags []Tag
	// Odd counts the rows whose tag is not TagOK.
	Odd int
}

// Reset makes the column one of n undefined, untagged values of kind k. Slices are kept and grown.
func (c *Column) Reset(k Kind, n int) {
	c.Kind, c.Odd = k, 0
	c.Data, c.Arena = nil, c.Arena[:0]
	c.Tags = c.Tags[:0]
	clear(c.Boxed)
	c.Boxed = c.Boxed[:0]
	c.Ints, c.Floats, c.Bools, c.Refs = c.Ints[:0], c.Floats[:0], c.Bools[:0], c.Refs[:0]
	switch k {
	case Int, Instant:
		c.Ints = Resize(c.Ints, n)
	case Float:
		c.Floats = Resize(c.Floats, n)
	case Bool:
		c.Bools = Resize(c.Bools, n)
	case String:
		c.Refs = Resize(c.Refs, n)
	case Any:
		c.Boxed = Resize(c.Boxed, n)
	}
}

// Len gives the number of rows.
func (c *Column) Len() int {
	switch c.Kind {
	case Int, Instant:
		return len(c.Ints)
	case Float:
		return len(c.Floats)
	case Bool:
		return len(c.Bools)
	case String:
		return len(c.Refs)
	}
	return len(c.Boxed)
}

// Tag gives the tag of a row.
func (c *Column) Tag(row int) Tag {
	if c.Odd == 0 {
		return TagOK
	}
	return c.Tags[row]
}

// SetTag tags a row of a column whose length is final.
func (c *Column) SetTag(row int, t Tag) {
	if c.Odd == 0 {
		if t == TagOK {
			return
		}
		c.Tags = Resize(c.Tags, c.Len())
		clear(c.Tags)
	}
	if old := c.Tags[row]; (old == TagOK) != (t == TagOK) {
		if t == TagOK {
			c.Odd--
		} else {
			c.Odd++
		}
	}
	c.Tags[row] = t
}

// SetBoxed tags a row with t (TagOther or TagParentOther and up) and keeps its value.
func (c *Column) SetBoxed(row int, t Tag, v any) {
	if len(c.Boxed) < c.Len() {
		n := len(c.Boxed)
		c.Boxed = Resize(c.Boxed, c.Len())
		clear(c.Boxed[n:])
	}
	c.Boxed[row] = v
	c.SetTag(row, t)
}

// Bytes gives the text of a row of a String column whose tag is TagOK. The caller must not change it, and
// it is valid as long as the column is.
func (c *Column) Bytes(row int) []byte {
	r := c.Refs[row]
	if r.Off&ArenaBit != 0 {
		off := r.Off &^ ArenaBit
		return c.Arena[off : off+r.Len : off+r.Len]
	}
	return c.Data[r.Off : r.Off+r.Len : r.Off+r.Len]
}

// SetBytes copies text into the arena as the value of a row of a String column.
func (c *Column) SetBytes(row int, text []byte) {
	c.Refs[row] = Ref{uint32(len(c.Arena)) | ArenaBit, uint32(len(text))}
	c.Arena = append(c.Arena, text...)
}

// SetString is SetBytes for a string.
func (c *Column) SetString(row int, text string) {
	c.Refs[row] = Ref{uint32(len(c.Arena)) | ArenaBit, uint32(len(text))}
	c.Arena = append(c.Arena, text...)
}

// Resize gives s with length n, its old elements kept and new ones undefined.
func Resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	grown := make([]T, n, n+n/4)
	copy(grown, s)
	return grown
}
