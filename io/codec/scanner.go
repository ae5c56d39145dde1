package codec

import "tidemark/stream"

// JSONScanner reads JSON lines into the columns that it was made for. It learns the layouts of the lines it
// meets, so keep it for the whole of a source. It is for one goroutine.
type JSONScanner struct{}

// NewJSONScanner makes a scanner for columns. Lines longer than maxLine bytes are bad; 0 sets no limit.
func NewJSONScanner(columns []Column, maxLine int) *JSONScanner { return &JSONScanner{} }

// Scan reads all lines of data into b, which is reset: a row for each line that is not blank.
func (s *JSONScanner) Scan(data []byte, b *stream.Batch) {}

// Bad gives the rows of the last Scan that could not be read, ascending; valid until the next one.
func (s *JSONScanner) Bad() []Bad { return nil }

// Line gives the bytes of a row of the last Scan, without the line's end.
func (s *JSONScanner) Line(row int) []byte { return nil }

// LineNumber gives the number of a row's line within the data of the last Scan, from 0, blank ones counted.
func (s *JSONScanner) LineNumber(row int) int { return 0 }

// Lines gives the number of line feeds in the data of the last Scan.
func (s *JSONScanner) Lines() int { return 0 }

// DecodeObject decodes a JSON object by the rules of the scanner.
func DecodeObject(text []byte) (map[string]any, error) { return nil, nil }
