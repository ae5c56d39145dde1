package codec

import (
	"bytes"

	"tidemark/stream"
)

// JSONEncoder writes rows as JSON lines. It is for one goroutine.
type JSONEncoder struct {
	layout    Layout
	fields    []member // Fields, then meta's
	meta      int      // where those begin
	values    valueEncoder
	nonFinite []int64
	overlay   overlay
	choices   []*JSONEncoder
	keepLines bool
}

// member is a field to write, with the bytes of its name.
type member struct {
	column int
	name   []byte // quoted, with its colon
}

// NewJSONEncoder makes an encoder of a layout that writes times in a format.
func NewJSONEncoder(l Layout, times TimeFormat) *JSONEncoder {
	e := &JSONEncoder{layout: l, meta: len(l.Fields), values: valueEncoder{times: times}}
	for _, f := range append(append([]LayoutField{}, l.Fields...), l.Meta...) {
		name := append(appendQuoted(nil, bytesOf(f.Name)), ':')
		e.fields = append(e.fields, member{f.Column, name})
	}
	e.nonFinite = make([]int64, len(e.fields))
	e.overlay = newOverlay(l)
	for _, choice := range l.Choices {
		e.choices = append(e.choices, NewJSONEncoder(choice, times))
	}
	return e
}

// Append appends a row of b as one line with its line feed, see [JSONEncoder.KeepLines]. A value that is missing, or that a path through
// something else than objects leads to, is null.
func (e *JSONEncoder) Append(dst []byte, b *stream.Batch, row int) []byte {
	if e.choices != nil {
		return e.choices[b.Columns[e.layout.Choice].Ints[row]].Append(dst, b, row)
	}
	if e.layout.Base >= 0 {
		start := len(dst)
		if dst = e.laidOver(dst, b, row); !e.keepLines {
			joinLines(dst[start:])
		}
	} else {
		dst = append(dst, '{')
		for i := range e.meta {
			dst = e.append(comma(dst), b, i, row)
		}
		dst = e.end(dst, b, row)
	}
	return append(dst, '\n')
}

// KeepLines lets records that are written as they were read keep the line feeds between their tokens, which else become
// spaces. It is for records that are told apart by something else than line feeds.
func (e *JSONEncoder) KeepLines() {
	e.keepLines = true
	for _, choice := range e.choices {
		choice.KeepLines()
	}
}

// joinLines makes one line of valid JSON.
func joinLines(text []byte) {
	for i := bytes.IndexByte(text, '\n'); i >= 0; i = bytes.IndexByte(text, '\n') {
		text[i] = ' '
		text = text[i+1:]
	}
}

// NonFinite tells of each field, by name, how many NaNs and infinities were written as null.
func (e *JSONEncoder) NonFinite(tell func(field string, n int64)) {
	fields := append(append([]LayoutField{}, e.layout.Fields...), e.layout.Meta...)
	for i, n := range e.nonFinite {
		if n > 0 {
			tell(fields[i].Name, n)
		}
	}
	for _, choice := range e.choices {
		choice.NonFinite(tell)
	}
}

// comma appends a comma unless an object has just begun.
func comma(dst []byte) []byte {
	if dst[len(dst)-1] == '{' {
		return dst
	}
	return append(dst, ',')
}

// append appends member i.
func (e *JSONEncoder) append(dst []byte, b *stream.Batch, i, row int) []byte {
	m := &e.fields[i]
	dst = append(dst, m.name...)
	c := &b.Columns[m.column]
	if c.Odd > 0 && c.Tags[row] != stream.TagOK {
		if c.Tags[row] != stream.TagOther {
			return append(dst, "null"...)
		}
		return e.boxed(dst, c.Boxed[row], i)
	}
	switch c.Kind {
	case stream.Int:
		return appendInt(dst, c.Ints[row])
	case stream.Float:
		dst = e.values.float(dst, c.Floats[row])
		e.settle(i)
		return dst
	case stream.Bool:
		if c.Bools[row] {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case stream.String:
		return appendQuoted(dst, c.Bytes(row))
	case stream.Instant:
		return e.values.instant(dst, c.Ints[row])
	}
	return e.boxed(dst, c.Boxed[row], i)
}

func (e *JSONEncoder) boxed(dst []byte, v any, i int) []byte {
	dst = e.values.append(dst, v)
	e.settle(i)
	return dst
}

// settle books what was written as null to member i.
func (e *JSONEncoder) settle(i int) {
	if e.values.nonFinite > 0 {
		e.nonFinite[i] += e.values.nonFinite
		e.values.nonFinite = 0
	}
}

// end appends meta, if there is any, and closes the object.
func (e *JSONEncoder) end(dst []byte, b *stream.Batch, row int) []byte {
	if e.meta < len(e.fields) {
		dst = append(comma(dst), `"meta":{`...)
		for i := e.meta; i < len(e.fields); i++ {
			dst = e.append(comma(dst), b, i, row)
		}
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

// laidOver appends the row's base with the fields over it.
func (e *JSONEncoder) laidOver(dst []byte, b *stream.Batch, row int) []byte {
	c := &b.Columns[e.layout.Base]
	if c.Kind == stream.String && c.Tag(row) == stream.TagOK {
		record := trimSpace(c.Bytes(row))
		if len(e.fields) == 0 && len(e.layout.Drop) == 0 {
			return append(dst, record...)
		}
		return e.overText(dst, record, b, row)
	}
	record, _ := c.Value(row).(map[string]any)
	return e.overObject(dst, record, b, row)
}

// trimSpace cuts what JSON calls white space off both ends.
func trimSpace(text []byte) []byte {
	for len(text) > 0 && isSpace(text[0]) {
		text = text[1:]
	}
	for len(text) > 0 && isSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
