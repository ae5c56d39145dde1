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

// finish ends a scan.
func (s *JSONScanner) finish(b *stream.Batch) {
	s.trie.count(s.row)
	s.feeds = s.row + len(s.blanks)
	if !s.separate && s.end > 0 && s.data[s.end-1] != '\n' {
		s.feeds--
	}
	s.settle(b)
}
