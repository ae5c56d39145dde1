package stream

// AppendInt appends an integer to a builder column, by the rules of AppendRow.
func (c *Column) AppendInt(v int64) {
	if row, fits := c.extend(Int); fits {
		c.Ints[row] = v
	} else {
		c.Boxed[row] = v
	}
}

// AppendInstant appends an instant to a builder column, by the rules of AppendRow.
func (c *Column) AppendInstant(t Time) {
	if row, fits := c.extend(Instant); fits {
		c.Ints[row] = int64(t)
	} else {
		c.Boxed[row] = t.Std()
	}
}

// AppendFloat appends a float to a builder column, by the rules of AppendRow.
func (c *Column) AppendFloat(v float64) {
	if row, fits := c.extend(Float); fits {
		c.Floats[row] = v
	} else {
		c.Boxed[row] = v
	}
}

// AppendBool appends a truth value to a builder column, by the rules of AppendRow.
func (c *Column) AppendBool(v bool) {
	if row, fits := c.extend(Bool); fits {
		c.Bools[row] = v
	} else {
		c.Boxed[row] = v
	}
}

// AppendText appends text, which it copies, to a builder column, by the rules of AppendRow.
func (c *Column) AppendText(text []byte) {
	if row, fits := c.extend(String); fits {
		c.SetBytes(row, text)
	} else {
		c.Boxed[row] = string(text)
	}
}

// AppendBoxed appends a list or an object, or another value that no kind but Any holds, to a builder column,
// by the rules of AppendRow.
func (c *Column) AppendBoxed(v any) {
	row, _ := c.extend(Any)
	c.Boxed[row] = v
}

// AppendNull appends a null to a builder column.
func (c *Column) AppendNull() {
	n := c.Len()
	c.grow()
	c.tagLast(n, TagNull)
}

// extend makes room for one more value, of kind k, in a builder column. Where it doesn't fit the column's
// kind the row is tagged and its value goes into Boxed.
func (c *Column) extend(k Kind) (row int, fits bool) {
	n := c.Len()
	if k != c.Kind && (n == 0 || c.Odd == n && c.plain()) {
		c.retype(k, n)
	}
	c.grow()
	if k != c.Kind {
		c.tagLast(n, TagOther)
		return n, false
	}
	if c.Odd > 0 {
		c.Tags = append(c.Tags, TagOK)
	}
	return n, true
}
