package runner

import (
	"tidemark/io/codec"
	"tidemark/operators/watermark"
	"tidemark/stream"
)

// instants makes times of the fields that the schema calls timestamps. Text is read as that of the source's own
// timestamp is, numbers count its unit. Without a unit a number stays a number, and whoever wants a time of it says
// what is wrong.
type instants struct {
	columns   []int
	names     []string
	extractor *watermark.Extractor
	unit      watermark.Unit

	rows  []int32
	times []stream.Time
	bad   []codec.Bad
	spare stream.Column
}

func newInstants(s *source) *instants {
	t := &instants{rows: []int32{}} // never nil, which would stand for all rows
	t.unit, _ = s.unit()
	t.extractor = watermark.NewExtractor(s.unit())
	for i, c := range s.plan.Columns {
		if c.Typed && c.Type.Kind == stream.Instant {
			t.columns, t.names = append(t.columns, i), append(t.names, c.Path.String())
		}
	}
	return t
}

// convert changes a batch that was scanned, and adds the rows that hold no time to those that are bad.
func (t *instants) convert(b *stream.Batch, bad []codec.Bad) []codec.Bad {
	t.bad = t.bad[:0]
	for i, column := range t.columns {
		t.column(b, &b.Columns[column], t.names[i])
	}
	if len(t.bad) == 0 {
		return bad
	}
	return append(t.bad, bad...)
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
	kind := c.Kind
	switch c.Tag(row) {
	case stream.TagOK:
	case stream.TagOther:
		kind = stream.KindOf(c.Boxed[row])
	default:
		return false
	}
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
