package runner

import (
	"fmt"

	"tidemark/io/codec"
	"tidemark/operators/watermark"
	"tidemark/stream"
)

// instants makes times of the fields that the schema calls timestamps. Text is read as that of the source's own
// timestamp is, numbers count its unit. Without a unit a number is no time; but one that is the record's event time stays a
// number, and who reads the event time says which unit would fit.
type instants struct {
	columns   []int
	names     []string
	own       int // the column of the event time, −1 where that is computed
	extractor *watermark.Extractor
	unit      watermark.Unit

	rows  []int32
	times []stream.Time
	bad   []codec.Bad
	spare stream.Column
}

func newInstants(s *source) *instants {
	t := &instants{rows: []int32{}, own: -1} // never nil, which would stand for all rows
	t.unit, _ = s.unit()
	t.extractor = watermark.NewExtractor(s.unit())
	for i, c := range s.plan.Columns {
		if c.Typed && c.Type.Kind == stream.Instant {
			t.columns, t.names = append(t.columns, i), append(t.names, c.Path.String())
			if s.plan.Timestamp != nil && c.Path.Equal(s.plan.TimePath()) {
				t.own = i
			}
		}
	}
	return t
}

// convert changes a batch that was scanned, and adds the rows that hold no time to those that are bad.
func (t *instants) convert(b *stream.Batch, bad []codec.Bad) []codec.Bad {
	t.bad = t.bad[:0]
	for i, column := range t.columns {
		c := &b.Columns[column]
		if column != t.own && t.unit == watermark.NoUnit {
			t.refuseNumbers(b, c, t.names[i])
		}
		t.column(b, c, t.names[i])
	}
	if len(t.bad) == 0 {
		return bad
	}
	return append(t.bad, bad...)
}

// refuseNumbers drops the rows in which a column has a number, of which nobody knows what it counts.
func (t *instants) refuseNumbers(b *stream.Batch, c *stream.Column, name string) {
	if c.Kind == stream.String && c.Odd == 0 {
		return
	}
	kept := make([]int32, 0, b.Selected())
	each(b, func(row int32) {
		if k := kindAt(c, int(row)); k != stream.Int && k != stream.Float {
			kept = append(kept, row)
			return
		}
		t.bad = append(t.bad, codec.Bad{Row: row, Field: name, Reason: fmt.Sprintf("field %q is a number without a unit, wants timestamp; "+
			"call it int in the schema, and write time(%s, \"ms\")", name, name)})
	})
	b.Sel = kept
}

// kindAt gives the kind of a row's value; Any where it is null or missing.
func kindAt(c *stream.Column, row int) stream.Kind {
	switch c.Tag(row) {
	case stream.TagOK:
		return c.Kind
	case stream.TagOther:
		return stream.KindOf(c.Boxed[row])
	}
	return stream.Any
}

func (t *instants) column(b *stream.Batch, c *stream.Column, name string) {
	t.rows = t.rows[:0]
	each(b, func(row int32) {
		if t.convertible(c, int(row)) {
			t.rows = append(t.rows, row)
		}
	})
	t.times = stream.Resize(t.times, b.N)
	failures, _ := t.extractor.Extract(c, t.rows, t.times)
	t.write(c, b.N)
	if len(failures) == 0 {
		return
	}
	for _, f := range failures {
		t.bad = append(t.bad, codec.Bad{Row: f.Row, Field: name, Reason: "field \"" + name + "\": " + f.Reason})
	}
	kept := make([]int32, 0, b.Selected())
	each(b, func(row int32) {
		if len(failures) > 0 && failures[0].Row == row {
			failures = failures[1:]
			return
		}
		kept = append(kept, row)
	})
	b.Sel = kept
}

// convertible says whether a row holds text, or a number of which the unit is known.
func (t *instants) convertible(c *stream.Column, row int) bool {
	kind := kindAt(c, row)
	return kind == stream.String || (kind == stream.Int || kind == stream.Float) && t.unit != watermark.NoUnit
}

// write puts the times into a column in place of c, which becomes the spare one for the next.
func (t *instants) write(c *stream.Column, n int) {
	out := &t.spare
	out.Reset(stream.Instant, n)
	next := 0
	for row := range n {
		out.Ints[row] = 0
		switch tag := c.Tag(row); {
		case next < len(t.rows) && int(t.rows[next]) == row:
			out.Ints[row] = int64(t.times[row])
			next++
		case tag == stream.TagOK:
			out.SetBoxed(row, stream.TagOther, c.Value(row))
		case tag == stream.TagOther:
			out.SetBoxed(row, tag, c.Boxed[row])
		default:
			out.SetTag(row, tag)
		}
	}
	*c, t.spare = t.spare, *c
}
