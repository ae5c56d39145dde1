package parquetio

import (
	"fmt"
	"time"

	"tidemark/io/codec"
	"tidemark/stream"
)

// picked is the rows of a batch that are taken: rows, or where that is nil those from one up to another.
type picked struct {
	rows     []int32
	from, to int
}

func (s picked) len() int {
	if s.rows != nil {
		return len(s.rows)
	}
	return s.to - s.from
}

// row gives the batch's row of the i-th one taken.
func (s picked) row(i int) int {
	if s.rows != nil {
		return int(s.rows[i])
	}
	return s.from + i
}

// slice gives those from the i-th up to the j-th.
func (s picked) slice(i, j int) picked {
	if s.rows != nil {
		return picked{rows: s.rows[i:j]}
	}
	return picked{from: s.from + i, to: s.from + j}
}

// add adds rows of a batch.
func (s *slab) add(b *stream.Batch, columns []sinkColumn, sel picked) error {
	for i := range columns {
		c := &columns[i]
		v := &s.columns[i]
		if err := v.add(&b.Columns[c.at], sel); err != nil {
			return fmt.Errorf("column %q is %s, %w", c.name, c.typ, err)
		}
		if c.required && v.nulls > 0 {
			return fmt.Errorf("column %q is %s, got null; write %s: \"%s|null\" in the schema, or keep such rows out with where", c.name, c.typ, c.name, c.typ)
		}
	}
	s.n += sel.len()
	return nil
}

// add adds a column's rows.
func (v *sinkValues) add(src *stream.Column, sel picked) error {
	if v.kind == stream.Float && src.Kind == stream.Int && src.Odd == 0 {
		for i := range sel.len() {
			v.floats = append(v.floats, float64(src.Ints[sel.row(i)]))
		}
		v.added(sel.len())
		return nil
	}
	if src.Odd > 0 || src.Kind != v.kind || v.kind == stream.Any {
		return v.addEach(src, sel)
	}
	switch v.kind {
	case stream.Int, stream.Instant:
		v.ints = gather(v.ints, src.Ints, sel)
	case stream.Float:
		v.floats = gather(v.floats, src.Floats, sel)
	case stream.Bool:
		v.bools = gather(v.bools, src.Bools, sel)
	case stream.String:
		for i := range sel.len() {
			v.text = append(v.text, src.Bytes(sel.row(i))...)
			v.ends = append(v.ends, len(v.text))
		}
	}
	v.added(sel.len())
	return nil
}

func gather[T any](dst, src []T, sel picked) []T {
	if sel.rows == nil {
		return append(dst, src[sel.from:sel.to]...)
	}
	for _, row := range sel.rows {
		dst = append(dst, src[row])
	}
	return dst
}

// addEach adds rows one by one, as their tags and the column's kind have it.
func (v *sinkValues) addEach(src *stream.Column, sel picked) error {
	for i := range sel.len() {
		row := sel.row(i)
		switch tag := src.Tag(row); {
		case tag == stream.TagOther, tag == stream.TagOK && (src.Kind != v.kind || v.kind == stream.Any):
			if err := v.addBoxed(src.Value(row)); err != nil {
				return err
			}
			continue
		case tag != stream.TagOK:
			v.addNull()
			continue
		}
		switch v.kind {
		case stream.Int, stream.Instant:
			v.ints = append(v.ints, src.Ints[row])
		case stream.Float:
			v.floats = append(v.floats, src.Floats[row])
		case stream.Bool:
			v.bools = append(v.bools, src.Bools[row])
		case stream.String:
			v.addText(src.Bytes(row))
		}
		v.added(1)
	}
	return nil
}

func (v *sinkValues) addText(text []byte) {
	v.text = append(v.text, text...)
	v.ends = append(v.ends, len(v.text))
}

// addBoxed adds a boxed value. Of another kind than the column's it takes only integers as floats, which beyond 2^53
// are the nearest ones.
func (v *sinkValues) addBoxed(x any) error {
	if x == nil {
		v.addNull()
		return nil
	}
	switch v.kind {
	case stream.Any:
		v.text = codec.AppendValue(v.text, x)
		v.ends = append(v.ends, len(v.text))
		v.added(1)
		return nil
	case stream.Float:
		switch x := x.(type) {
		case float64:
			v.floats = append(v.floats, x)
			v.added(1)
			return nil
		case int64:
			v.floats = append(v.floats, float64(x))
			v.added(1)
			return nil
		}
	}
	return v.addSame(x)
}

// addSame adds a boxed value of the column's kind.
func (v *sinkValues) addSame(x any) error {
	ok := false
	switch v.kind {
	case stream.Int:
		var i int64
		if i, ok = x.(int64); ok {
			v.ints = append(v.ints, i)
		}
	case stream.Bool:
		var b bool
		if b, ok = x.(bool); ok {
			v.bools = append(v.bools, b)
		}
	case stream.String:
		var s string
		if s, ok = x.(string); ok {
			v.text = append(v.text, s...)
			v.ends = append(v.ends, len(v.text))
		}
	case stream.Instant:
		var t time.Time
		if t, ok = x.(time.Time); ok {
			v.ints = append(v.ints, t.UnixMilli()) // rounded down
		}
	}
	if !ok {
		return wrongKind(x)
	}
	v.added(1)
	return nil
}

// wrongKind says what was found.
func wrongKind(x any) error {
	kind := stream.KindOf(x).String()
	switch x.(type) {
	case time.Time:
		kind = "timestamp"
	case []any:
		kind = "list"
	case map[string]any:
		kind = "object"
	}
	text := codec.AppendValue(nil, x)
	if len(text) > 40 {
		text = append(text[:40], "…"...)
	}
	return fmt.Errorf("got %s %s; convert it with set, or name another type in the schema", kind, text)
}
