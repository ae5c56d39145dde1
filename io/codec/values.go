package codec

import (
	"bytes"

	"tidemark/stream"
)

// Span is the piece of something from Start up to End.
type Span struct {
	Start, End uint32
	// Null says that there is no value. What the piece holds is an object without members.
	Null bool
}

// ScanValues reads pieces of data, which are records of their own, as Scan reads lines: a row for each, also where it is
// blank. The byte behind a value, at its End, must be a line feed; what else lies between values does not matter. A
// value's own line feeds are space, as JSON has it.
func (s *JSONScanner) ScanValues(data []byte, values []Span, b *stream.Batch) {
	s.begin(data, b)
	s.separate = true
	s.joined = s.joined[:0]
	for _, v := range values {
		if s.row == s.rows {
			s.grow()
		}
		p, behind := int(v.Start), int(v.End)+1
		if s.follow(p) == behind {
			s.take(p, behind)
			continue
		}
		s.join(v)
		s.line(p)
	}
	for _, p := range s.joined {
		s.data[p] = '\n'
	}
	s.finish(b)
}

// join makes one line of a value with several, for as long as it is read.
func (s *JSONScanner) join(v Span) {
	for p := int(v.Start); ; p++ {
		i := bytes.IndexByte(s.data[p:v.End], '\n')
		if i < 0 {
			return
		}
		p += i
		s.data[p] = '\r'
		s.joined = append(s.joined, uint32(p))
	}
}

// ScanValues reads pieces of data, each one record, as [JSONScanner.ScanValues] does. Blank lines around it
// are nothing; a value that is blank, or has more than a record, is a bad one.
func (s *CSVScanner) ScanValues(data []byte, values []Span, b *stream.Batch) {
	s.begin(data, b)
	for _, v := range values {
		s.room()
		if v.Null {
			s.takeNull(v)
		} else {
			s.value(int(v.Start), int(v.End))
		}
	}
	s.endValues(len(data), b)
}

// value reads the record from p up to end.
func (s *CSVScanner) value(p, end int) {
	s.end = end
	if p = s.begun(p); p >= end {
		s.refuse(end, end, "blank: a value is one record of CSV")
		return
	}
	q := s.split(p)
	s.keep(p, q, q < end && s.begun(q+1) < end)
}

// begun goes over blank lines from p on.
func (s *CSVScanner) begun(p int) int {
	for p < s.end {
		q := s.lineEnd(p)
		if q < 0 {
			break
		}
		p = min(q+1, s.end)
	}
	return p
}

// ScanValues reads pieces of data, each a text, as [JSONScanner.ScanValues] does. The message is all of it.
func (s *TextScanner) ScanValues(data []byte, values []Span, b *stream.Batch) {
	s.begin(data, b)
	for _, v := range values {
		s.room()
		if v.Null {
			s.takeNull(v)
		} else {
			s.message(span{from: int(v.Start), to: int(v.End)})
		}
	}
	s.endValues(len(data), b)
}

// endValues finishes a batch of values. Between these there are no lines to count.
func (t *table) endValues(end int, b *stream.Batch) {
	t.end, t.breaks, t.separate = end, t.breaks[:0], true
	t.settle(b)
}

// takeNull makes a row of a record without a value: no field of it is there.
func (t *table) takeNull(v Span) {
	for _, w := range t.targets {
		t.absent(w, stream.TagMissing)
	}
	t.place(int(v.Start), int(v.Start))
	if t.verbatim != nil && t.same {
		t.verbatim.tag(t.row, t.rows, stream.TagNull)
	}
	if t.spans = t.spans[:0]; t.spanning {
		t.takeRecord()
	}
	t.row++
}
