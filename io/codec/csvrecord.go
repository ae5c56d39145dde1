package codec

import (
	"bytes"
	"fmt"
	"strconv"
)

// record reads the record at p and gives the index of the next one. It makes a row, unless the line is blank.
func (s *CSVScanner) record(p int) int {
	if q := s.lineEnd(p); q >= 0 {
		if q < s.end {
			s.breaks = append(s.breaks, int32(s.row))
		}
		return min(q+1, s.end)
	}
	s.room()
	breaks := len(s.breaks)
	q := s.split(p)
	if q-p >= s.limit {
		q = s.cutOff(p, breaks)
	}
	s.keep(p, q, false)
	return min(q+1, s.end)
}

// keep makes a row of the record that was split, from p up to q. more says that another one follows where none should.
func (s *CSVScanner) keep(p, q int, more bool) {
	to := q
	if q > p && s.data[q-1] == '\r' {
		to--
	}
	switch {
	case s.tooLong(p, to):
		s.take(p, to)
	case s.problem != "":
		s.refuse(p, to, s.problem)
	case more:
		s.refuse(p, to, "has more than one record: each is a value of its own; a line break within a field needs quotes around it")
	case s.count != len(s.names):
		s.refuse(p, to, s.miscounted())
	default:
		s.take(p, to)
	}
}

// lineEnd gives the place of the line feed, or of the end, if the line at p is blank; else −1.
func (s *CSVScanner) lineEnd(p int) int {
	if s.data[p] == '\r' {
		p++
	}
	if s.data[p] == '\n' {
		return p
	}
	return -1
}

// cutOff gives the end of a record that is too long to go by its quotes.
func (s *CSVScanner) cutOff(p, breaks int) int {
	q := s.end
	if i := bytes.IndexByte(s.data[p+s.limit:s.end], '\n'); i >= 0 {
		q = p + s.limit + i
	}
	s.breaks = s.breaks[:breaks]
	for range bytes.Count(s.data[p:q], []byte{'\n'}) {
		s.breaks = append(s.breaks, int32(s.row+1))
	}
	return q
}

// miscounted says what is wrong with the number of cells.
func (s *CSVScanner) miscounted() string {
	who := "the header"
	if s.format.Names != nil {
		who = "columns"
	}
	return fmt.Sprintf("has %s, and %s names %d", counted(s.count, "field"), who, len(s.names))
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// split reads the cells of the record at p for the columns that want them, and gives the place of the line feed behind
// it, or of the end.
func (s *CSVScanner) split(p int) int {
	data, start := s.data, p
	s.problem, s.spans = "", s.spans[:0]
	for s.count = 0; ; {
		var w *target
		if s.count < len(s.cells) {
			w = s.cells[s.count]
		}
		s.count++
		if data[p] == '"' {
			p = s.quoted(p, start, w)
		} else {
			p = s.plain(p, w)
		}
		if p >= s.end || data[p] == '\n' {
			return p
		}
		p++
	}
}

// plain reads the cell at p, which does not begin with a quote, and gives the place behind it.
func (s *CSVScanner) plain(p int, w *target) int {
	data := s.data
	if w != nil {
		switch w.quick {
		case quickInt:
			if v, q := shortInt(data, p); q >= 0 && (data[q] == s.format.Delimiter || data[q] == '\n') {
				w.field.out.Ints[s.row] = v
				return s.noted(p, q)
			}
		case quickFloat:
			if v, q, _ := shortFloat(data, p); q >= 0 && (data[q] == s.format.Delimiter || data[q] == '\n') {
				w.field.out.Floats[s.row] = v
				return s.noted(p, q)
			}
		}
	}
	q := s.cellEnd(p)
	if w == nil && !s.spanning {
		return q
	}
	to := q
	if data[q] == '\n' && q > p && data[q-1] == '\r' {
		to--
	}
	s.cell(w, span{from: p, to: to})
	return q
}

// noted notes a cell that was read from p up to q, if all cells are wanted.
func (s *CSVScanner) noted(p, q int) int {
	if s.spanning {
		s.spans = append(s.spans, span{from: p, to: q})
	}
	return q
}

// cell takes a cell whose text was found.
func (s *CSVScanner) cell(w *target, c span) {
	if s.spanning {
		s.spans = append(s.spans, c)
	}
	if w != nil {
		s.put(w, c)
	}
}

// cellEnd gives the place of the first delimiter or line feed from p.
func (s *CSVScanner) cellEnd(p int) int {
	delimiters := s.delimiters
	for {
		word0, word1 := load2(s.data, p)
		if marks := isEither(word0^delimiters, word0^each*'\n'); marks != 0 {
			return p + firstByte(marks)
		}
		if marks := isEither(word1^delimiters, word1^each*'\n'); marks != 0 {
			return p + 8 + firstByte(marks)
		}
		p += 16
	}
}

// isEither marks bytes that are zero in x or in y.
func isEither(x, y uint64) uint64 { return ((x-each)&^x | (y-each)&^y) & high }

// quoted reads the cell at p, whose record began at start, and gives the place behind it.
func (s *CSVScanner) quoted(p, start int, w *target) int {
	end := min(s.end, start+s.limit)
	c, closed := s.quote(p+1, end)
	if !closed {
		s.fault("has a quote that is not closed: " + sample(s.lineAt(p)))
		// Where the record is not too long it is the last one of the file.
		if q := s.end; end == q && s.data[q-1] == '\n' {
			s.breaks = s.breaks[:len(s.breaks)-1]
			return q - 1
		}
		return s.end
	}
	p = c.to + 1
	switch b := s.data[p]; {
	case b == s.format.Delimiter, b == '\n':
	case b == '\r' && s.data[p+1] == '\n':
		p++
	default:
		q := s.cellEnd(p)
		s.fault("goes on behind its closing quote: " + sample(s.data[c.from-1:q]) + "; a quote within quotes is written twice")
		return q
	}
	s.cell(w, c)
	return p
}

// lineAt gives what is left of the line at p.
func (s *CSVScanner) lineAt(p int) []byte {
	line := s.data[p:s.end]
	if i := bytes.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	return line
}

// quote finds the end of the text in quotes that starts at p, and counts the lines that begin in it.
func (s *CSVScanner) quote(p, end int) (c span, closed bool) {
	c.from = p
	for p < end {
		word := load(s.data, p)
		marks := isEither(word^each*'"', word^each*'\n')
		if marks == 0 {
			p += 8
			continue
		}
		if p += firstByte(marks); p >= end {
			break
		}
		switch {
		case s.data[p] == '\n':
			s.breaks = append(s.breaks, int32(s.row+1))
			p++
		case s.data[p+1] == '"':
			c.doubled = true
			p += 2
		default:
			c.to = p
			return c, true
		}
	}
	return c, false
}

// fault notes what is wrong with the quotes of the cell at hand.
func (s *CSVScanner) fault(problem string) {
	if s.problem != "" {
		return
	}
	name := "field " + strconv.Itoa(s.count)
	if s.count <= len(s.names) {
		name = "field " + strconv.Quote(s.names[s.count-1])
	}
	s.problem = name + " " + problem
}
