package codec

import (
	"bytes"
	"math"
	"time"

	"tidemark/stream"
)

// CSVEncoder writes rows as CSV records: as RFC 4180 has it, but with line feeds. Values are as in JSON, text without
// quotes where it needs none. Null is nothing, and so are NaN and the infinities; text without characters is "". Lists
// and objects are JSON text. It is for one goroutine.
type CSVEncoder struct {
	layout    Layout
	values    valueEncoder
	nonFinite []int64
	text      []byte
}

// NewCSVEncoder makes an encoder of a layout that writes times in a format. The layout has fields; a base is the column
// of records that are written as they are, see [Verbatim], where it is not null.
func NewCSVEncoder(l Layout, times TimeFormat) *CSVEncoder {
	return &CSVEncoder{layout: l, values: valueEncoder{times: times}, nonFinite: make([]int64, len(l.Fields))}
}

// AppendCSVHeader appends the record that names a layout's columns, with its line feed.
func AppendCSVHeader(dst []byte, l Layout) []byte {
	for i, f := range l.Fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendCell(dst, bytesOf(f.Name))
	}
	return append(dst, '\n')
}

// Append appends a row of b as one record with its line feed.
func (e *CSVEncoder) Append(dst []byte, b *stream.Batch, row int) []byte {
	if e.layout.Base >= 0 {
		if c := &b.Columns[e.layout.Base]; c.Kind == stream.String && c.Tag(row) == stream.TagOK {
			return append(append(dst, c.Bytes(row)...), '\n')
		}
	}
	start := len(dst)
	for i, f := range e.layout.Fields {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = e.append(dst, &b.Columns[f.Column], i, row)
	}
	if len(dst) == start {
		dst = append(dst, `""`...) // a blank line would be no record
	}
	return append(dst, '\n')
}

// NonFinite tells of each field, by name, how many NaNs and infinities were written as nothing.
func (e *CSVEncoder) NonFinite(tell func(field string, n int64)) {
	for i, n := range e.nonFinite {
		if n > 0 {
			tell(e.layout.Fields[i].Name, n)
		}
	}
}

func (e *CSVEncoder) append(dst []byte, c *stream.Column, i, row int) []byte {
	if tag := c.Tag(row); tag != stream.TagOK {
		if tag != stream.TagOther {
			return dst
		}
		return e.boxed(dst, c.Boxed[row], i)
	}
	switch c.Kind {
	case stream.Int:
		return appendInt(dst, c.Ints[row])
	case stream.Float:
		return e.float(dst, c.Floats[row], i)
	case stream.Bool:
		if c.Bools[row] {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case stream.String:
		return appendCell(dst, c.Bytes(row))
	case stream.Instant:
		return e.bare(dst, e.values.instant(e.text[:0], c.Ints[row]))
	}
	return e.boxed(dst, c.Boxed[row], i)
}

func (e *CSVEncoder) boxed(dst []byte, v any, i int) []byte {
	switch x := v.(type) {
	case nil:
		return dst
	case string:
		return appendCell(dst, bytesOf(x))
	case float64:
		return e.float(dst, x, i)
	case time.Time:
		return e.bare(dst, e.values.time(e.text[:0], x))
	}
	e.text = e.values.append(e.text[:0], v)
	e.nonFinite[i] += e.values.nonFinite
	e.values.nonFinite = 0
	return appendCell(dst, e.text)
}

func (e *CSVEncoder) float(dst []byte, v float64, i int) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		e.nonFinite[i]++
		return dst
	}
	return e.values.float(dst, v)
}

// bare appends a time, which is a number or text in JSON's quotes, without these.
func (e *CSVEncoder) bare(dst, text []byte) []byte {
	e.text = text
	return append(dst, bytes.Trim(text, `"`)...)
}

// appendCell appends text, in quotes where it needs them.
func appendCell(dst, text []byte) []byte {
	if len(text) > 0 && text[0] != ' ' && text[0] != '\t' && !bytes.ContainsAny(text, "\",\r\n") {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			return append(append(dst, text...), '"')
		}
		dst = append(append(dst, text[:i+1]...), '"')
		text = text[i+1:]
	}
}
