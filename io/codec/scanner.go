package codec

import (
	"bytes"
	"slices"
	"sort"

	"tidemark/stream"
)

// JSONScanner reads JSON lines into the columns that it was made for. It learns the layouts of the lines it
// meets, so keep it for the whole of a source. It is for one goroutine.
type JSONScanner struct {
	parser
	sheet
	root    place
	whole   *field // the record itself, if asked for
	maxLine int

	starts []uint32
	blanks []int32 // for each blank line the row that follows it
	feeds  int
	// separate says that what is read is not the lines of a text, so that blank ones count too.
	separate bool
	joined   []uint32 // where the line feeds within values were

	trie  trie
	steps []step
	// Of the line that the general parser reads:
	from     int          // where what stands between two values begins
	lacking  []lackingTag // what it lacks
	repeated bool         // whether a wanted name came twice
	stamp    uint64       // of the object
}

// NewJSONScanner makes a scanner for columns. Lines longer than maxLine bytes are bad; 0 sets no limit.
func NewJSONScanner(columns []Column, maxLine int) *JSONScanner {
	s := &JSONScanner{maxLine: maxLine}
	s.columns = len(columns)
	s.root.depth = -1
	for i, c := range columns {
		first := firstOf(columns[:i], c.Path)
		f := newField(c, i)
		f.troubled = &s.troubled
		switch {
		case first >= 0:
			s.copies = append(s.copies, [2]int{i, first})
			continue
		case len(c.Path) == 0:
			s.whole = f
		case c.Path.Equal(Raw):
			s.raw = f
		default:
			s.root.add(c.Path, f).field = f
		}
		s.fields = append(s.fields, f)
	}
	return s
}

// Scan reads all lines of data into b, which is reset: a row for each line that is not blank. Text columns
// refer to data, so it must stay as it is as long as they are in use. A last line without a line feed is one
// too. Within the capacity of data Padding bytes must follow, of which the first is a line feed or 0 if data
// does not end in a line feed; otherwise, and slower, the scanner works on a copy of its own. Data is
// shorter than 2 GiB.
func (s *JSONScanner) Scan(data []byte, b *stream.Batch) {
	s.begin(data, b)
	s.separate = false
	for p := 0; p < s.end; {
		if s.row == s.rows {
			s.grow()
		}
		if q := s.follow(p); q > 0 {
			s.take(p, q)
			p = q
		} else {
			p = s.line(p)
		}
	}
	s.finish(b)
}

func (s *JSONScanner) begin(data []byte, b *stream.Batch) {
	s.data = s.start(data, b, true)
	s.feeds = 0
	s.starts, s.blanks = slices.Grow(s.starts[:0], s.rows), s.blanks[:0]
}

// grow makes room for more rows.
func (s *JSONScanner) grow() {
	s.sheet.grow()
	s.starts = slices.Grow(s.starts, s.rows-len(s.starts))
}

// Line gives the bytes of a row of the last Scan, without the line's end.
func (s *JSONScanner) Line(row int) []byte { return s.lineAt(int(s.starts[row])) }

func (s *JSONScanner) lineAt(start int) []byte {
	line := s.data[start:s.end]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	return bytes.TrimSuffix(line, []byte("\r"))
}

// LineNumber gives the number of a row's line within the data of the last Scan, from 0, blank ones counted.
func (s *JSONScanner) LineNumber(row int) int {
	return row + sort.Search(len(s.blanks), func(i int) bool { return int(s.blanks[i]) > row })
}

// Lines gives the number of line feeds in the data of the last Scan, or of values of the last ScanValues.
func (s *JSONScanner) Lines() int { return s.feeds }
