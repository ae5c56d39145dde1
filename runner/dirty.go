package runner

import (
	"sort"

	"tidemark/io/codec"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// dirt collects the records that a node could not use, until the piece that they came with is through.
type dirt struct {
	node    string
	paths   []stream.Path // what readers want besides the fields
	readers []target
	rows    []dirtyRow
	batch   stream.Batch
	line    []byte
	// ending says that the output ends with the next flush, by cause end: no more records can come. Before that
	// nothing is known of its time, as its records have none.
	ending bool
	end    uint64
}

// follow looks for the end of the input in what the node takes.
func (d *dirt) follow(b *stream.Batch) {
	if n := len(b.Marks); n > 0 && b.Marks[n-1].Watermark == stream.MaxTime {
		d.ending, d.end = len(d.readers) > 0, b.Base+b.Marks[n-1].Cause
	}
}

// dirtyRow is one of them.
type dirtyRow struct {
	cause               uint64
	reason, field, expr string
	// raw is the source's text, or the record as a JSON object.
	raw    []byte
	object bool
	meta   map[string]any
}

// add takes a record. Nothing is kept where nobody reads the output.
func (d *dirt) add(r dirtyRow) {
	if len(d.readers) > 0 {
		d.rows = append(d.rows, r)
	}
}

// flush hands on what was collected, by cause, and the end.
func (d *dirt) flush() {
	if len(d.rows) == 0 && !d.ending {
		return
	}
	sort.SliceStable(d.rows, func(i, j int) bool { return d.rows[i].cause < d.rows[j].cause })
	b := &d.batch
	begin(b, len(plan.DirtyFields)+2+len(d.paths))
	b.N = len(d.rows)
	b.Orders = nil
	for i := range b.Columns {
		kind := stream.String
		if i >= rawColumn {
			kind = stream.Any
		}
		b.Columns[i].Reset(kind, b.N)
	}
	for i := range d.rows {
		d.write(b, i, &d.rows[i])
	}
	for i, path := range d.paths {
		d.fill(&b.Columns[len(plan.DirtyFields)+2+i], path)
	}
	d.rows = d.rows[:0]
	if d.ending {
		d.ending = false
		b.Marks = append(b.Marks, stream.Mark{Cause: d.end, Watermark: stream.MaxTime})
	}
	push(d.readers, b)
}

// rawColumn and metaColumn are the columns of raw and meta.
const rawColumn, metaColumn = 5, 6

// fill makes column what is at a path: within raw or meta, or the whole record.
func (d *dirt) fill(column *stream.Column, path stream.Path) {
	b := &d.batch
	switch {
	case len(path) == 0:
		for row := range b.N {
			if object, err := codec.DecodeObject(b.Columns[0].Bytes(row)); err == nil {
				column.SetValue(row, object)
			}
		}
	case path[0] == "raw":
		extract(column, &b.Columns[rawColumn], path[1:], b.N)
	default:
		extract(column, &b.Columns[metaColumn], path[1:], b.N)
	}
}

func (d *dirt) write(b *stream.Batch, i int, r *dirtyRow) {
	b.Causes = append(b.Causes, r.cause)
	for j, v := range []string{r.reason, d.node, r.field, r.expr} {
		b.Columns[1+j].SetString(i, v)
		if v == "" {
			b.Columns[1+j].SetTag(i, stream.TagNull)
		}
	}
	var raw any
	if r.object {
		if object, err := codec.DecodeObject(r.raw); err == nil {
			raw = object
		}
	} else if r.raw != nil {
		raw = string(r.raw)
	}
	b.Columns[rawColumn].SetValue(i, raw)
	var meta any
	if r.meta != nil {
		meta = r.meta
	}
	b.Columns[metaColumn].SetValue(i, meta)
	b.Columns[7].SetTag(i, stream.TagMissing)
	d.line = d.record(d.line[:0], r)
	b.Columns[0].SetBytes(i, d.line)
}

// record appends the dirty record as a JSON object.
func (d *dirt) record(dst []byte, r *dirtyRow) []byte {
	text := func(dst []byte, name, v string) []byte {
		dst = append(append(append(dst, '"'), name...), `":`...)
		if v == "" {
			return append(dst, "null,"...)
		}
		return append(codec.AppendValue(dst, v), ',')
	}
	dst = text(append(dst, '{'), "reason", r.reason)
	dst = text(dst, "node", d.node)
	dst = text(dst, "field", r.field)
	dst = text(dst, "expr", r.expr)
	dst = append(dst, `"raw":`...)
	switch {
	case r.object:
		dst = append(dst, r.raw...)
	case r.raw != nil:
		dst = codec.AppendValue(dst, string(r.raw))
	default:
		dst = append(dst, "null"...)
	}
	dst = append(dst, `,"meta":`...)
	if r.meta == nil {
		return append(dst, "null}"...)
	}
	return append(codec.AppendValue(dst, r.meta), '}')
}
