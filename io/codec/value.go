package codec

import (
	"unicode/utf8"

	"tidemark/stream"
)

// value reads the value at p for the columns at and below a place. What is wrong with it as a value of its
// type is noted in the field; only text that is not JSON gives -1.
func (s *JSONScanner) value(p int, w *place) int {
	switch s.data[p] {
	case '{', '[':
		return s.nested(p, w)
	case '"':
		return s.text(p, w)
	case 't', 'f', 'n':
		return s.word(p, w)
	}
	end, integer := numberEnd(s.data, p)
	if end < 0 {
		return -1
	}
	if w.field != nil {
		s.number(w.field, s.data[p:end], integer)
	}
	if len(w.below) > 0 {
		v, problem := boxNumber(s.data[p:end], integer)
		if problem != "" {
			problem = "lies in " + problem
		}
		s.spread(w, v, problem)
	}
	return end
}

func (s *JSONScanner) text(p int, w *place) int {
	end, found := stringEnd(s.data, p+1)
	if end < 0 {
		return -1
	}
	if f := w.field; f != nil {
		s.putText(f, p+1, end, found)
	}
	if len(w.below) > 0 {
		s.spread(w, s.boxText(p+1, end, found), "")
	}
	return end + 1
}

func (s *JSONScanner) putText(f *field, from, end int, found script) {
	if f.accepts&formText == 0 {
		f.wrong(formText)
		return
	}
	if f.kind == undecided {
		f.decide(stream.String, s.row, s.rows)
	}
	if f.kind != stream.String {
		f.box(s.row, s.rows, stream.TagOther, s.boxText(from, end, found))
		return
	}
	inside := s.data[from:end]
	if found&escaped == 0 && (found == 0 || utf8.Valid(inside)) {
		f.out.Refs[s.row] = stream.Ref{Off: uint32(from), Len: uint32(end - from)}
		return
	}
	arena := f.out.Arena
	f.out.Arena = appendText(arena, inside)
	f.out.Refs[s.row] = stream.Ref{Off: uint32(len(arena)) | stream.ArenaBit, Len: uint32(len(f.out.Arena) - len(arena))}
}

func (s *JSONScanner) word(p int, w *place) int {
	end := wordEnd(s.data, p)
	if end < 0 {
		return -1
	}
	if s.data[p] == 'n' {
		s.absent(w, stream.TagNull)
		return end
	}
	truth := s.data[p] == 't'
	if f := w.field; f != nil {
		s.putBool(f, truth)
	}
	if len(w.below) > 0 {
		s.spread(w, truth, "")
	}
	return end
}

func (s *JSONScanner) putBool(f *field, truth bool) {
	if f.accepts&formBool == 0 {
		f.wrong(formBool)
		return
	}
	if f.kind == undecided {
		f.decide(stream.Bool, s.row, s.rows)
	}
	if f.kind != stream.Bool {
		f.box(s.row, s.rows, stream.TagOther, truth)
		return
	}
	f.out.Bools[s.row] = truth
}

// nested reads a list or an object.
func (s *JSONScanner) nested(p int, w *place) int {
	object := s.data[p] == '{'
	if object && w.passage() {
		return s.object(p, w, false)
	}
	is := formList
	if object {
		is = formObject
	}
	if f := w.field; f != nil && f.accepts&is == 0 && (object || len(w.below) == 0) {
		f.wrong(is)
		if len(w.below) > 0 {
			return s.object(p, w, false)
		}
		return s.skip(p, w.nesting()-1)
	}
	v, end := s.decode(p, w.nesting()-1, w)
	if end < 0 {
		return -1
	}
	problem := s.trouble(v)
	if problem != "" {
		problem = "holds " + problem
	}
	if f := w.field; f != nil {
		s.putNested(f, is, v, problem)
	}
	switch {
	case len(w.below) == 0:
	case object:
		return s.object(p, w, false)
	default:
		s.spread(w, v, problem)
	}
	return end
}

func (s *JSONScanner) putNested(f *field, is form, v any, problem string) {
	switch {
	case f.accepts&is == 0:
		f.wrong(is)
		return
	case problem != "":
		f.fail(problem)
		return
	case f.kind == undecided:
		f.decide(stream.Any, s.row, s.rows)
	}
	f.box(s.row, s.rows, stream.TagOther, v)
}

// absent tags a null or missing value, and everything below it.
func (s *JSONScanner) absent(w *place, t stream.Tag) {
	if w.field != nil {
		w.field.tag(s.row, s.rows, t)
	}
	for _, f := range w.below {
		f.tag(s.row, s.rows, stream.TagParentNil+w.tagDepth())
	}
}

// spread tells the columns below a place that v, a value without fields, stands in their way.
func (s *JSONScanner) spread(w *place, v any, problem string) {
	for _, f := range w.below {
		if problem != "" {
			f.fail(problem)
		}
		f.box(s.row, s.rows, stream.TagParentOther+w.tagDepth(), v)
	}
}
