package stream

// AppendRow appends row of src to c, which must have been Reset to zero rows. The first value that is not
// null decides c's kind; later ones of another kind are boxed. Text is copied into c's arena.
func (c *Column) AppendRow(src *Column, row int) {
	n := c.Len()
	tag := src.Tag(row)
	if tag == TagOK && src.Kind != c.Kind && c.Odd == n && n > 0 && c.plain() {
		c.retype(src.Kind, n)
	} else if n == 0 {
		c.retype(src.Kind, 0)
	}
	c.grow()
	switch {
	case tag == TagOK && src.Kind == c.Kind:
		c.copyValue(n, src, row)
		if c.Odd > 0 {
			c.Tags = append(c.Tags, TagOK)
		}
		return
	case tag == TagOK:
		c.tagLast(n, TagOther)
		c.Boxed[n] = src.Value(row)
	case tag == TagOther || tag >= TagParentOther:
		c.tagLast(n, tag)
		if len(c.Boxed) <= n {
			c.Boxed = resizeClear(c.Boxed, n+1)
		}
		c.Boxed[n] = src.Boxed[row]
	default:
		c.tagLast(n, tag)
	}
}

// plain reports that no row so far keeps a boxed value, so that the kind may still change.
func (c *Column) plain() bool {
	for _, t := range c.Tags {
		if !t.Absent() {
			return false
		}
	}
	return true
}

// retype makes c a column of n undefined values of another kind, tags kept.
func (c *Column) retype(k Kind, n int) {
	odd, tags := c.Odd, c.Tags
	c.Reset(k, n)
	c.Odd, c.Tags = odd, tags
}

func (c *Column) grow() {
	switch c.Kind {
	case Int, Instant:
		c.Ints = append(c.Ints, 0)
	case Float:
		c.Floats = append(c.Floats, 0)
	case Bool:
		c.Bools = append(c.Bools, false)
	case String:
		c.Refs = append(c.Refs, Ref{})
	case Any:
		c.Boxed = append(c.Boxed, nil)
	}
	if c.Kind != Any && len(c.Boxed) > 0 {
		c.Boxed = append(c.Boxed, nil)
	}
}

func (c *Column) copyValue(n int, src *Column, row int) {
	switch c.Kind {
	case Int, Instant:
		c.Ints[n] = src.Ints[row]
	case Float:
		c.Floats[n] = src.Floats[row]
	case Bool:
		c.Bools[n] = src.Bools[row]
	case String:
		c.SetBytes(n, src.Bytes(row))
	case Any:
		c.Boxed[n] = src.Boxed[row]
	}
}

// tagLast tags row n, the last one.
func (c *Column) tagLast(n int, t Tag) {
	if c.Odd == 0 {
		c.Tags = resizeClear(c.Tags[:0], n)
	}
	c.Tags = append(c.Tags, t)
	c.Odd++
	if t == TagOther && len(c.Boxed) <= n {
		c.Boxed = resizeClear(c.Boxed, n+1)
	}
}

func resizeClear[T any](s []T, n int) []T {
	old := len(s)
	s = Resize(s, n)
	if n > old {
		clear(s[old:])
	}
	return s
}
