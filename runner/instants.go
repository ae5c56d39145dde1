package runner

import (
	"fmt"
	"slices"

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

	rows    []int32 // those with a time to make
	refused []int32 // those whose value is none
	times   []stream.Time
	bad     []codec.Bad
	spare   stream.Column
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
		t.column(b, &b.Columns[column], t.names[i], column == t.own)
	}
	if len(t.bad) == 0 {
		return bad
	}
	return append(t.bad, bad...)
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

// column makes times of the values of a column. own says that they are the record's event time.
func (t *instants) column(b *stream.Batch, c *stream.Column, name string, own bool) {
	t.rows, t.refused = t.rows[:0], t.refused[:0]
	each(b, func(row int32) {
		switch kindAt(c, int(row)) {
		case stream.String:
			t.rows = append(t.rows, row)
		case stream.Int, stream.Float:
			if t.unit != watermark.NoUnit {
				t.rows = append(t.rows, row)
			} else if !own {
				t.refuse(row, name, fmt.Sprintf("field %q is a number without a unit, wants timestamp; "+
					"call it int in the schema, and write time(%s, \"ms\")", name, name))
			}
		}
	})
	t.times = stream.Resize(t.times, b.N)
	failures, _ := t.extractor.Extract(c, t.rows, t.times)
	t.write(c, b.N)
	for _, f := range failures {
		t.refuse(f.Row, name, "field \""+name+"\": "+f.Reason)
	}
	if len(t.refused) == 0 {
		return
	}
	slices.Sort(t.refused)
	kept := make([]int32, 0, b.Selected())
	refused := t.refused
	each(b, func(row int32) {
		if len(refused) > 0 && refused[0] == row {
			refused = refused[1:]
			return
		}
		kept = append(kept, row)
	})
	b.Sel = kept
}

// refuse notes a row whose value is no time.
func (t *instants) refuse(row int32, name, reason string) {
	t.refused = append(t.refused, row)
	t.bad = append(t.bad, codec.Bad{Row: row, Field: name, Reason: reason})
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
