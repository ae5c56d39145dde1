package codec

import "bytes"

// CSVCutter finds the ends of records in CSV that comes piece by piece, so that files can be cut without being parsed.
// It only looks at quotes: memory is searched for them, and for the line feeds before each. A quote opens a field
// where one begins; anywhere else outside of quotes it is a byte like others.
type CSVCutter struct {
	delimiter byte
	limit     int

	inside   bool // in quotes
	closed   bool // the last byte was a quote that closed; another one makes both stand for a quote
	skipping bool // the open record is too long, and ends with its line
	length   int  // of the open record so far
	excess   int
	last     byte // of the pieces so far
}

// NewCSVCutter makes a cutter for the beginning of a file.
func NewCSVCutter(f *CSVFormat) *CSVCutter {
	return &CSVCutter{delimiter: f.Delimiter, limit: f.limit(), last: '\n'}
}

// Cut takes the next piece in, and gives the index behind the last record that ends in it, 0 if none does.
func (c *CSVCutter) Cut(piece []byte) int {
	start := -c.length // of the open record
	cut, p, closedAt := 0, 0, -2
	if c.closed {
		closedAt = -1
	}
	for p < len(piece) {
		switch {
		case c.skipping:
			i := bytes.IndexByte(piece[p:], '\n')
			if i < 0 {
				p = len(piece)
				break
			}
			p += i + 1
			cut, start, c.skipping = p, p, false
		case c.inside:
			end := min(len(piece), max(start+c.limit, p))
			i := bytes.IndexByte(piece[p:end], '"')
			switch {
			case i >= 0:
				closedAt = p + i
				p, c.inside = closedAt+1, false
			case end < len(piece):
				p, c.inside, c.skipping = end, false, true
			default:
				p = end
			}
		default:
			q := len(piece)
			if i := bytes.IndexByte(piece[p:], '"'); i >= 0 {
				q = p + i
			}
			if i := bytes.LastIndexByte(piece[p:q], '\n'); i >= 0 {
				cut = p + i + 1
				start = cut
			}
			p = q
			if q == len(piece) {
				break
			}
			if q == closedAt+1 || c.opens(piece, q) {
				c.inside = q < start+c.limit
				c.skipping = !c.inside
			}
			if !c.skipping {
				p++
			}
		}
	}
	if len(piece) > 0 {
		c.last = piece[len(piece)-1]
		c.closed = closedAt == len(piece)-1
	}
	c.length, c.excess = len(piece)-start, 0
	if c.skipping {
		c.excess = min(c.length-c.limit, len(piece))
	}
	return cut
}

// opens reports whether a field begins at q, given that there is a quote and that it is outside of quotes.
func (c *CSVCutter) opens(piece []byte, q int) bool {
	before := c.last
	if q > 0 {
		before = piece[q-1]
	}
	return before == '\n' || before == c.delimiter
}

// Excess gives the number of bytes at the end of the last piece that nobody needs: they belong to a record that is too
// long, and hold no line feed.
func (c *CSVCutter) Excess() int { return c.excess }

// Head gives the beginning of a file up to the end of its first record, blank lines included; nil if data does not
// hold that whole. Where data is all there is of the file, ended, the record may lack its end.
func (f *CSVFormat) Head(data []byte, ended bool) []byte {
	c := NewCSVCutter(f)
	begun := false
	for p := 0; p < len(data); {
		line := len(data) - p
		if i := bytes.IndexByte(data[p:], '\n'); i >= 0 {
			line = i + 1
		}
		begun = begun || !blankLine(data[p:p+line])
		cut := c.Cut(data[p : p+line])
		p += line
		if begun && (cut > 0 || ended && p == len(data)) {
			return data[:p]
		}
	}
	return nil
}

// blankLine reports whether a line has nothing but its end.
func blankLine(line []byte) bool {
	return len(bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))) == 0
}
