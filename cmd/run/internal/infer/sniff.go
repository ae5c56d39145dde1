package infer

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// format is how records are written.
type format struct {
	name string // json, csv or text
	// Of CSV:
	delimiter byte
	header    bool
	columns   []string // where the header has none to go by
	nulls     []string // besides the empty text
}

// sniffed is how many lines are looked at to tell formats apart.
const sniffed = 1000

// sniff finds the format of the pieces, which is the same for all of them.
func sniff(pieces []piece) (*format, error) {
	var found *format
	from := ""
	for _, p := range pieces {
		head := p.head(sniffed)
		if len(bytes.TrimSpace(head.data)) == 0 {
			continue
		}
		f, err := sniffPiece(head)
		if err != nil {
			return nil, err
		}
		switch {
		case found == nil:
			found, from = f, p.name
		case found.name != f.name || found.delimiter != f.delimiter:
			return nil, fmt.Errorf("%s is %s and %s is %s; name files of one kind", from, found, p.name, f)
		}
	}
	if found == nil {
		return &format{name: "json"}, nil
	}
	return found, nil
}

// String names the format.
func (f *format) String() string {
	if f.name == "csv" {
		return fmt.Sprintf("csv with %q between fields", f.delimiter)
	}
	return f.name
}

func sniffPiece(p piece) (*format, error) {
	objects, begun, lines := 0, 0, 0
	for line := range bytes.Lines(p.data) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		lines++
		if line[0] == '{' {
			begun++
			if json.Valid(line) {
				objects++
			}
		}
	}
	switch first := bytes.TrimSpace(p.data)[0]; {
	case objects > 0 && 2*begun >= lines:
		return &format{name: "json"}, nil
	case first == '[' && beginsJSON(p.data), first == '{' && beginsJSON(p.data):
		return nil, fmt.Errorf("%s is JSON, but not one object a line; jq -c '.[]' %s makes that of a list, jq -c . of objects over several lines", p.name, p.name)
	}
	if f := sniffCSV(p); f != nil {
		return f, nil
	}
	return &format{name: "text"}, nil
}

// beginsJSON reports whether data begins with JSON, perhaps cut short.
func beginsJSON(data []byte) bool {
	d := json.NewDecoder(bytes.NewReader(data))
	for range 8 {
		if _, err := d.Token(); err != nil {
			return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		}
	}
	return true
}

// sniffCSV finds the delimiter that cuts the most records into the same number of cells, at least two; nil where none
// does, unless the file is called CSV.
func sniffCSV(p piece) *format {
	var best *format
	const enough = 0.8
	top, topTyped := enough, 0.0
	for _, delimiter := range []byte{',', ';', '\t', '|'} {
		records := csvRecords(p.data, delimiter)
		share, typed := regular(records)
		if share > top || share == top && (best == nil || typed > topTyped) {
			best, top, topTyped = &format{name: "csv", delimiter: delimiter, header: hasHeader(records)}, share, typed
		}
	}
	if best != nil {
		return best
	}
	name := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(p.name), ".gz"), ".zst")
	switch filepath.Ext(name) {
	case ".csv":
		return &format{name: "csv", delimiter: ',', header: hasHeader(csvRecords(p.data, ','))}
	case ".tsv":
		return &format{name: "csv", delimiter: '\t', header: hasHeader(csvRecords(p.data, '\t'))}
	}
	return nil
}

// csvRecords cuts data into records, as far as its quotes are closed.
func csvRecords(data []byte, delimiter byte) [][]string {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = rune(delimiter), true, -1
	var records [][]string
	for {
		record, err := r.Read()
		if err != nil {
			return records
		}
		records = append(records, record)
	}
}

// regular gives the share of records that have the most common number of cells, 0 where that is below two, and the
// share of their cells that are numbers, times or empty.
func regular(records [][]string) (share, typed float64) {
	counts := map[int]int{}
	most := 0
	for _, r := range records {
		counts[len(r)]++
		if n := counts[len(r)]; n > counts[most] || n == counts[most] && len(r) > most {
			most = len(r)
		}
	}
	if most < 2 {
		return 0, 0
	}
	cells, plain := 0, 0
	for _, r := range records {
		for _, cell := range r {
			cells++
			if len(r) == most && (cell == "" || valueLike(cell)) {
				plain++
			}
		}
	}
	return float64(counts[most]) / float64(len(records)), float64(plain) / float64(cells)
}

// hasHeader reports whether the first record names the columns: its cells are different texts, none of them a value,
// and no column has its own name as a value.
func hasHeader(records [][]string) bool {
	if len(records) == 0 {
		return true
	}
	first := records[0]
	for i, cell := range first {
		if cell == "" && len(first) > 1 {
			continue // a column of row numbers, as some tools write it, has no name
		}
		if valueLike(cell) || slices.Contains(first[:i], cell) && len(records) > 1 && slices.Contains(records[1], cell) {
			return false
		}
		for _, r := range records[1:] {
			if i < len(r) && r[i] == cell && cell != "" {
				return false
			}
		}
	}
	return true
}

// valueLike reports whether a cell is a number, a truth value or a time, as names are not.
func valueLike(cell string) bool {
	if strings.EqualFold(cell, "true") || strings.EqualFold(cell, "false") {
		return true
	}
	digits := 0
	for _, r := range cell {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case !strings.ContainsRune("+-.,:/TZ eE", r):
			return false
		}
	}
	return digits > 0
}
