package codec

import (
	"slices"

	"tidemark/stream"
)

// overlay lays fields over the members of a record.
type overlay struct {
	parser
	// places has, for each name that is dropped or replaced, the index of the field that takes its place, or −1.
	places map[string]int
	done   []bool // the fields that were written in place in this row
	names  []string
}

func newOverlay(l Layout) overlay {
	o := overlay{places: map[string]int{}, done: make([]bool, len(l.Fields))}
	for _, name := range l.Drop {
		o.places[name] = -1
	}
	for i, f := range l.Fields {
		o.places[f.Name] = i
	}
	if len(l.Meta) > 0 {
		o.places["meta"] = -1
	}
	return o
}

// overText appends the members of a record's text, which is valid: those that stay as they were read, the
// replaced ones in place, then the other fields.
func (e *JSONEncoder) overText(dst, record []byte, b *stream.Batch, row int) []byte {
	o := &e.overlay
	clear(o.done)
	o.document = true
	o.data = append(append(o.data[:0], record...), make([]byte, Padding)...)
	dst = append(dst, '{')
	for p := o.space(1); o.data[p] == '"'; {
		name, at := o.name(p)
		end := o.skip(at, 1)
		if end < 0 {
			break
		}
		field, special := o.places[string(name)]
		switch {
		case !special:
			dst = append(comma(dst), o.data[p:end]...)
		case field >= 0 && !o.done[field]:
			dst = e.append(comma(dst), b, field, row)
			o.done[field] = true
		}
		if p = o.space(end); o.data[p] == ',' {
			p = o.space(p + 1)
		}
	}
	return e.rest(dst, b, row)
}

// overObject does the same to a record that was decoded, its members sorted by name.
func (e *JSONEncoder) overObject(dst []byte, record map[string]any, b *stream.Batch, row int) []byte {
	o := &e.overlay
	clear(o.done)
	o.names = o.names[:0]
	for name := range record {
		o.names = append(o.names, name)
	}
	slices.Sort(o.names)
	dst = append(dst, '{')
	for _, name := range o.names {
		field, special := o.places[name]
		switch {
		case !special:
			dst = append(appendQuoted(comma(dst), bytesOf(name)), ':')
			dst = e.values.append(dst, record[name])
			e.values.nonFinite = 0
		case field >= 0:
			dst = e.append(comma(dst), b, field, row)
			o.done[field] = true
		}
	}
	return e.rest(dst, b, row)
}

// rest appends the fields that are not yet written.
func (e *JSONEncoder) rest(dst []byte, b *stream.Batch, row int) []byte {
	for i, done := range e.overlay.done {
		if !done {
			dst = e.append(comma(dst), b, i, row)
		}
	}
	return e.end(dst, b, row)
}
