package codec

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"tidemark/stream"
)

// CSVScanner reads CSV records into the columns that it was made for, each a text unless its schema says otherwise. It
// is for one goroutine. What encoding/csv takes it takes too and gives the same texts, but that line ends within quotes
// are kept as they are. Besides, quotes within a field that does not begin with one are bytes like others.
type CSVScanner struct {
	table
	delimiters uint64 // the delimiter in each byte
	limit      int
	head       []byte
	skip       int
	bound      bool
	// Of the record that is read:
	count   int    // of cells
	problem string // what is wrong with its quotes
}

// NewCSVScanner makes a scanner for columns.
func NewCSVScanner(columns []Column, format CSVFormat) *CSVScanner {
	s := &CSVScanner{delimiters: each * uint64(format.Delimiter), limit: format.limit()}
	s.init(columns, format)
	if !format.Header {
		s.bind(format.Names)
	}
	return s
}

// SetHead says what the file begins with whose records come next; see [CSVFormat.Head]. It must be called before Scan
// where files have a header, and does nothing where they have none. First says that the data of the next Scan begins
// with it.
func (s *CSVScanner) SetHead(head []byte, first bool) error {
	s.skip = 0
	if !s.format.Header {
		return nil
	}
	if first {
		s.skip = len(head)
	}
	if s.bound && bytes.Equal(head, s.head) {
		return nil
	}
	names, err := s.format.header(head)
	if err != nil {
		return err
	}
	if s.format.Names != nil {
		names = s.format.Names
	}
	s.head, s.bound = append(s.head[:0], head...), true
	s.bind(names)
	return nil
}

// Names gives the names of the columns of the file that is read.
func (s *CSVScanner) Names() []string { return s.names }

// Lacking gives the names that columns ask for and the file does not have: their values are missing.
func (s *CSVScanner) Lacking() []string {
	var names []string
	for _, w := range s.lacking {
		names = append(names, w.name)
	}
	return names
}

// NonFinite names a field of which NaN or an infinity became null in a record's JSON, see [Object]; "" if there is none.
func (s *CSVScanner) NonFinite() string { return s.nonFinite }

// ErrBareCR says that a file's lines end as those of old Macs did, so that all of it is one record.
var ErrBareCR = errors.New("lines end in CR alone; make them end in LF, as in: tr '\\r' '\\n' < FILE")

// header reads the names of a header, which blank lines may stand before.
func (f *CSVFormat) header(head []byte) ([]string, error) {
	s := NewCSVScanner([]Column{{Path: Object}}, CSVFormat{Delimiter: f.Delimiter, MaxRecord: f.MaxRecord})
	var b stream.Batch
	s.begin(head, &b)
	p := s.begun(0)
	q := s.split(p)
	switch text := bytes.TrimSpace(head); {
	case bytes.HasPrefix(text, []byte("{")) && json.Valid(text):
		return nil, errors.New("the first line is JSON; write format: json")
	case s.tooLong(p, q):
		return nil, fmt.Errorf("the header is longer than the limit of %d bytes", f.MaxRecord)
	case s.problem != "":
		return nil, fmt.Errorf("the header: %s", s.problem)
	}
	var names []string
	for _, c := range s.spans {
		name := string(s.text(c))
		if strings.Contains(name, "\r") {
			return nil, ErrBareCR
		}
		names = append(names, name)
	}
	return names, nil
}

// Scan reads all records of data into b, which is reset: a row for each, blank lines aside. Text columns refer to data,
// so it must stay as it is as long as they are in use. The last record may lack its line feed. Within the capacity of
// data Padding bytes should follow, of which the first is a line feed if data does not end in one; otherwise, and
// slower, the scanner works on a copy of its own. Data is shorter than 2 GiB.
func (s *CSVScanner) Scan(data []byte, b *stream.Batch) {
	s.begin(data, b)
	for range bytes.Count(data[:s.skip], []byte{'\n'}) {
		s.breaks = append(s.breaks, 0)
	}
	for p := s.skip; p < s.end; {
		p = s.record(p)
	}
	s.settle(b)
}
