package codec

import (
	"slices"

	"tidemark/stream"
)

// overlay lays fields over the members of a record.
type overlay struct {
	parser
	special []special
	index   map[string]int // of special, when there are many
	done    []bool         // the fields that were written in place in this row
	names   []string
}

// special is a name that is dropped from the record, or replaced by the field with an index ≥ 0.
type special struct {
	name  string
	field int
}

func newOverlay(l Layout) overlay {
	o := overlay{done: make([]bool, len(l.Fields))}
	for i, f := range l.Fields {
		o.special = append(o.special, special{f.Name, i})
	}
	for _, name := range l.Drop {
		o.special = append(o.special, special{name, -1})
	}
	if len(l.Meta) > 0 {
		o.special = append(o.special, special{"meta", -1})
	}
	if len(o.special) >= manyPlaces {
		o.index = map[string]int{}
		for i, s := range slices.Backward(o.special) {
			o.index[s.name] = i
		}
	}
	return o
}

// find gives what is to be done with a name, or nil if the member stays. Where a name is both replaced and
// dropped it is replaced.
func (o *overlay) find(name []byte) *special {
	if o.index != nil {
		if i, ok := o.index[string(name)]; ok {
			return &o.special[i]
		}
		return nil
	}
	for i := range o.special {
		if s := &o.special[i]; s.name == string(name) {
			return s
		}
	}
	return nil
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
		switch s := o.find(name); {
		case s == nil:
			dst = append(comma(dst), o.data[p:end]...)
		case s.field >= 0 && !o.done[s.field]:
			dst = e.append(comma(dst), b, s.field, row)
			o.done[s.field] = true
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
		switch s := o.find(bytesOf(name)); {
		case s == nil:
			dst = append(appendQuoted(comma(dst), bytesOf(name)), ':')
			dst = e.values.append(dst, record[name])
			e.values.nonFinite = 0
		case s.field >= 0:
			dst = e.append(comma(dst), b, s.field, row)
			o.done[s.field] = true
		}
	}
	return e.rest(dst, b, row)
}

// rest appends the fields that are not yet written.
func (e *JSONEncoder) rest(dst []byte, b *stream.Batch, row int) []byte {
	for i, done := range e.overlay.done {
		if !done && !e.layout.Fields[i].InPlace {
			dst = e.append(comma(dst), b, i, row)
		}
	}
	return e.end(dst, b, row)
}
