package parquetio

import (
	"errors"

	"tidemark/stream"
)

// errTooMuchText is about a column whose text a batch can't address.
var errTooMuchText = errors.New("more than 2 GiB of text in one piece of a column; write the file with smaller row groups")

// flat reads a leaf that is there at most once a row into a column.
type flat struct {
	leafReader
	// tags are those of a row by its definition level, where that is less than the leaf's.
	tags []stream.Tag
	// reject is told of rows whose value can't be given.
	reject func(row int32, reason string)
}

// load reads the rows from up to of the row group into out.
func (f *flat) load(out *stream.Column, from, to int64) error {
	out.Reset(f.kind(), int(to-from))
	for number := f.table.find(from); from < to; number++ {
		if number >= len(f.table.pages) {
			return errDamaged
		}
		if err := f.decode(number); err != nil {
			return err
		}
		p := &f.table.pages[number]
		n := min(p.first+p.rows, to) - from
		s := span{at: int(from - p.first), n: int(n), row: out.Len() - int(to-from)}
		if err := f.place(out, s); err != nil {
			return err
		}
		from += n
	}
	return nil
}

// kind gives the kind of the column.
func (f *flat) kind() stream.Kind {
	k := f.leaf.typ.kind()
	if f.want.float && k == stream.Int {
		return stream.Float
	}
	return k
}

// span is n rows of the decoded page from at on, which become those of a column from row on. The first of their
// values is the page's value number.
type span struct {
	at, n, row, value int
}

// place puts the values of a span of the page at their rows.
func (f *flat) place(out *stream.Column, s span) error {
	defs := f.defs
	if s.value = s.at; f.full {
		defs = nil
	} else {
		s.value = countLevel(f.defs[:s.at], f.leaf.def)
		defs = defs[s.at : s.at+s.n]
		f.tag(out, s.row, defs)
	}
	values, indexes := &f.page, []int32(nil)
	if f.indexed {
		values, indexes = &f.dictionary, f.indexes
	}
	switch out.Kind {
	case stream.Int, stream.Instant:
		scatter(out.Ints, values.Ints, indexes, defs, s, f.leaf.def)
	case stream.Float:
		scatter(out.Floats, values.Floats, indexes, defs, s, f.leaf.def)
	case stream.Bool:
		scatter(out.Bools, values.Bools, indexes, defs, s, f.leaf.def)
	case stream.String:
		if err := f.placeText(out, values, indexes, defs, s); err != nil {
			return err
		}
	}
	if values.Odd > 0 {
		f.placeOdd(out, values, indexes, defs, s)
	}
	return nil
}

// tag tags the rows that have no value.
func (f *flat) tag(out *stream.Column, row int, defs []byte) {
	for i, d := range defs {
		if d != f.leaf.def {
			out.SetTag(row+i, f.tags[min(int(d), len(f.tags)-1)])
		}
	}
}

// scatter copies values to their rows: those at indexes where there are any, else one after the other.
func scatter[T any](out, values []T, indexes []int32, defs []byte, s span, def uint8) {
	out = out[s.row : s.row+s.n]
	switch {
	case defs == nil && indexes == nil:
		copy(out, values[s.value:s.value+s.n])
	case defs == nil:
		for i, x := range indexes[s.value : s.value+s.n] {
			out[i] = values[x]
		}
	case indexes == nil:
		next := s.value
		for i, d := range defs {
			if d == def {
				out[i] = values[next]
				next++
			}
		}
	default:
		next := s.value
		for i, d := range defs {
			if d == def {
				out[i] = values[indexes[next]]
				next++
			}
		}
	}
}

// placeText puts text at its rows. A dictionary becomes the column's data; the text of another page is copied into
// the arena, unless the page has all rows.
func (f *flat) placeText(out, values *stream.Column, indexes []int32, defs []byte, s span) error {
	if indexes != nil {
		out.Data = values.Data
		scatter(out.Refs, values.Refs, indexes, defs, s, f.leaf.def)
		return nil
	}
	scatter(out.Refs, values.Refs, nil, defs, s, f.leaf.def)
	if s.n == out.Len() {
		out.Data = values.Data
		return nil
	}
	first, last := s.value, s.value+s.n
	if defs != nil {
		last = s.value + countLevel(defs, f.leaf.def)
	}
	if first == last {
		return nil
	}
	low, high := values.Refs[first].Off, values.Refs[last-1].Off+values.Refs[last-1].Len
	base := uint64(len(out.Arena))
	if base+uint64(high-low) >= stream.ArenaBit {
		return errTooMuchText
	}
	out.Arena = append(out.Arena, values.Data[low:high]...)
	for i := range s.n {
		if defs == nil || defs[i] == f.leaf.def {
			ref := &out.Refs[s.row+i]
			ref.Off = ref.Off - low + uint32(base) | stream.ArenaBit
		}
	}
	return nil
}

// placeOdd does so for values that have a tag.
func (f *flat) placeOdd(out, values *stream.Column, indexes []int32, defs []byte, s span) {
	next := s.value
	for i := range s.n {
		if defs != nil && defs[i] != f.leaf.def {
			continue
		}
		at := next
		if indexes != nil {
			at = int(indexes[next])
		}
		next++
		switch row := s.row + i; values.Tags[at] {
		case stream.TagOther:
			out.SetBoxed(row, stream.TagOther, values.Boxed[at])
		case tagBad:
			out.SetTag(row, stream.TagNull)
			f.reject(int32(row), values.Boxed[at].(string))
		}
	}
}
