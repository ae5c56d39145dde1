package codec

import (
	"bytes"

	"tidemark/stream"
)

// Message is the one field of a record of plain text.
const Message = "message"

// TextScanner reads lines of text, each a record with one field, [Message]: the line without its end. A blank line is a
// record too. Bytes that are not UTF-8 are kept. It is for one goroutine.
type TextScanner struct{ table }

// NewTextScanner makes a scanner for columns. Lines longer than maxLine bytes are bad; 0 sets no limit.
func NewTextScanner(columns []Column, maxLine int) *TextScanner {
	s := &TextScanner{}
	s.init(columns, CSVFormat{MaxRecord: maxLine})
	s.bind([]string{Message})
	return s
}

// Scan reads all lines of data into b, which is reset: a row for each. What [CSVScanner.Scan] says of data holds here.
func (s *TextScanner) Scan(data []byte, b *stream.Batch) {
	s.begin(data, b)
	for p := 0; p < s.end; {
		p = s.line(p)
	}
	s.settle(b)
}

// line reads the line at p and gives the index of the next one.
func (s *TextScanner) line(p int) int {
	s.room()
	q := s.end
	if i := bytes.IndexByte(s.data[p:s.end], '\n'); i >= 0 {
		q = p + i
	}
	c := span{from: p, to: q}
	if q > p && s.data[q-1] == '\r' {
		c.to--
	}
	s.message(c)
	return min(q+1, s.end)
}

// message makes a row of a text.
func (s *TextScanner) message(c span) {
	if s.spans = s.spans[:0]; s.spanning {
		s.spans = append(s.spans, c)
	}
	if w := s.cells[0]; w != nil {
		s.put(w, c)
	}
	s.take(c.from, c.to)
}
