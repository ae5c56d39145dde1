package codec

import (
	"fmt"

	"tidemark/stream"
)

// take ends a row whose line, from p to behind its line feed at q, was read.
func (s *JSONScanner) take(p, q int) {
	s.starts = append(s.starts, uint32(p))
	switch {
	case s.maxLine > 0 && q-p > s.maxLine && s.tooLong(p):
	case s.troubled:
		s.rejectTroubled()
	}
	if s.raw != nil || s.whole != nil {
		s.takeRecord(p)
	}
	s.row++
}

// refuse ends a row whose line, at p, is not a JSON object.
func (s *JSONScanner) refuse(p int) {
	s.starts = append(s.starts, uint32(p))
	if s.maxLine <= 0 || !s.tooLong(p) {
		s.reject(notObject(s.lineAt(p)), "")
	}
	if s.raw != nil {
		s.raw.putLine(s, p)
	}
	s.row++
}

// tooLong rejects the row if its line is longer than allowed.
func (s *JSONScanner) tooLong(p int) bool {
	n := len(s.lineAt(p))
	if n <= s.maxLine {
		return false
	}
	s.reject(fmt.Sprintf("line of %d bytes, longer than the limit of %d", n, s.maxLine), "")
	return true
}

// rejectTroubled rejects the row for the first of its fields that has a problem, if one still has.
func (s *JSONScanner) rejectTroubled() {
	s.troubled = false
	for _, f := range s.fields {
		if f.problem != "" {
			name := f.Path.String()
			s.reject(fmt.Sprintf("field %q %s", name, f.problem), name)
			return
		}
	}
}

// reject makes the row a bad one, whose values, but for its line, are the zero values of their kinds.
func (s *JSONScanner) reject(reason, field string) {
	s.bad = append(s.bad, Bad{Row: int32(s.row), Reason: reason, Field: field})
	s.troubled = false
	for _, f := range s.fields {
		if f != s.raw {
			f.blank(s.row)
		}
	}
}

// rejected reports whether the row is a bad one.
func (s *JSONScanner) rejected() bool {
	return len(s.bad) > 0 && s.bad[len(s.bad)-1].Row == int32(s.row)
}

// takeRecord gives the row its line and the record as a whole.
func (s *JSONScanner) takeRecord(p int) {
	if s.raw != nil {
		s.raw.putLine(s, p)
	}
	if s.whole == nil || s.rejected() {
		return
	}
	v, _ := s.decode(s.space(p), 0, &s.root)
	if s.unreadable {
		s.unreadable = false
		if path, problem := findUnreadable(v, nil); problem != "" {
			s.reject(fmt.Sprintf("field %q is %s", path.String(), problem), path.String())
			return
		}
	}
	s.putNested(s.whole, formObject, v, "")
}

// putLine gives the line that starts at p to the column of lines.
func (f *field) putLine(s *JSONScanner, p int) {
	if f.kind == undecided {
		f.decide(stream.String, s.row, s.rows)
	}
	f.out.Refs[s.row] = stream.Ref{Off: uint32(p), Len: uint32(len(s.lineAt(p)))}
}

// finish gives the batch its rows and selection.
func (s *JSONScanner) finish(b *stream.Batch) {
	b.N = s.row
	s.trie.count(s.row)
	s.feeds = s.row + len(s.blanks)
	if !s.separate && s.end > 0 && s.data[s.end-1] != '\n' {
		s.feeds--
	}
	for _, f := range s.fields {
		f.finish(s.row)
	}
	for _, c := range s.copies {
		copyColumn(&b.Columns[c[0]], &b.Columns[c[1]])
	}
	if len(s.bad) == 0 {
		return
	}
	s.chosen = AppendGood(s.chosen[:0], s.row, s.bad)
	b.Sel = s.chosen
}

// copyColumn makes dst hold what src does, in slices of its own.
func copyColumn(dst, src *stream.Column) {
	dst.Reset(src.Kind, 0)
	dst.Ints = append(dst.Ints, src.Ints...)
	dst.Floats = append(dst.Floats, src.Floats...)
	dst.Bools = append(dst.Bools, src.Bools...)
	dst.Refs = append(dst.Refs, src.Refs...)
	dst.Boxed = append(dst.Boxed, src.Boxed...)
	dst.Tags = append(dst.Tags, src.Tags...)
	dst.Arena = append(dst.Arena, src.Arena...)
	dst.Data, dst.Odd = src.Data, src.Odd
}
