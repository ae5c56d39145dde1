package expression

import (
	"time"

	"tidemark/stream"
)

// leaf reads a column of the batch.
type leaf struct {
	path   path
	column int
	asIs   bool // the column is the result, so numbers keep their types
	out    stream.Column
	floats []float64
}

func (k *leaf) eval(f frame, rows []int32) *stream.Column {
	c := &f.batch.Columns[k.column]
	if c.Odd == 0 {
		return c
	}
	mixed := !k.asIs && len(c.Boxed) > 0 && (c.Kind == stream.Int || c.Kind == stream.Float)
	if !mixed && len(k.path.names) <= 1 {
		return c
	}
	tags := k.out.Tags
	k.out = *c
	k.out.Tags = stream.Resize(tags, f.n)
	copy(k.out.Tags, c.Tags)
	if len(k.path.names) > 1 {
		k.skipNil(rows)
	}
	if mixed {
		k.mix(c, rows)
	}
	return &k.out
}

// skipNil gives nil to the rows of which a parent is nil where "?." asks for it.
func (k *leaf) skipNil(rows []int32) {
	for _, r := range rows {
		t := k.out.Tags[r]
		if t < stream.TagParentNil || t >= stream.TagParentOther {
			continue
		}
		if depth := int(t - stream.TagParentNil); depth+1 < len(k.path.optional) && k.path.optional[depth+1] {
			k.out.Tags[r] = stream.TagNull
		}
	}
}

// mix makes one Float vector of a column of ints and floats, if there are any of the other kind.
func (k *leaf) mix(c *stream.Column, rows []int32) {
	if !hasOther(c, rows) {
		return
	}
	k.floats = stream.Resize(k.floats, len(k.out.Tags))
	k.out.Kind = stream.Float
	k.out.Floats = k.floats
	k.out.Odd = 0
	for _, r := range rows {
		t := k.out.Tags[r]
		switch {
		case t == stream.TagOther:
			t = k.number(r, c.Boxed[r])
		case t != stream.TagOK:
		case c.Kind == stream.Int:
			t = k.number(r, c.Ints[r])
		default:
			k.floats[r] = c.Floats[r]
		}
		k.out.Tags[r] = t
		k.out.Odd += bit(t != stream.TagOK)
	}
}

// hasOther reports whether a column of numbers has some of the other kind.
func hasOther(c *stream.Column, rows []int32) bool {
	for _, r := range rows {
		if c.Tags[r] != stream.TagOther {
			continue
		}
		switch c.Boxed[r].(type) {
		case int64:
			return c.Kind == stream.Float
		case float64:
			return c.Kind == stream.Int
		}
	}
	return false
}

// number sets a row of a mixed vector and gives its tag.
func (k *leaf) number(row int32, v any) stream.Tag {
	switch v := v.(type) {
	case float64:
		k.floats[row] = v
		return stream.TagOK
	case int64:
		k.floats[row] = float64(v)
		if v < exact && v > -exact {
			return tagWhole
		}
		return tagRedo
	case int:
		return k.number(row, int64(v))
	}
	return stream.TagOther
}

// constant is a vector with the same value in every row.
type constant struct {
	value any
	out   stream.Column
}

// newConstant gives the kernel of a constant; nil if there can't be one.
func newConstant(v any) *constant {
	switch x := v.(type) {
	case int:
		v = int64(x)
	case nil, int64, float64, bool, string, time.Time:
	default:
		return nil
	}
	return &constant{value: v}
}

func (k *constant) kind() stream.Kind { return stream.KindOf(k.value) }

func (k *constant) eval(f frame, _ []int32) *stream.Column {
	if k.out.Kind == k.kind() && k.out.Len() >= f.n {
		return &k.out
	}
	k.out.Reset(k.kind(), f.n)
	for i := range f.n {
		switch v := k.value.(type) {
		case string:
			if i == 0 {
				k.out.SetString(0, v)
			}
			k.out.Refs[i] = k.out.Refs[0]
		default:
			k.out.SetValue(i, v)
		}
	}
	return &k.out
}

// number gives a constant number.
func (k *constant) number() (float64, bool) {
	switch v := k.value.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
