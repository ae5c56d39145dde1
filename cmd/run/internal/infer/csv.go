package infer

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tidemark/io/codec"
	"tidemark/stream"
)

// csvSample is CSV that is read again and again with other types.
type csvSample struct {
	pieces []piece
	format codec.CSVFormat
}

// csvTable finds the columns of CSV and their types.
func csvTable(pieces []piece, f *format) (*table, error) {
	s := &csvSample{format: codec.CSVFormat{Header: f.header, Delimiter: f.delimiter, Nulls: []string{""}}}
	for _, p := range pieces {
		if bytes.Contains(p.data, []byte("\r")) && !bytes.Contains(p.data, []byte("\n")) {
			return nil, fmt.Errorf("%s: %w", p.name, codec.ErrBareCR)
		}
		s.pieces = append(s.pieces, s.whole(p))
	}
	names, err := s.names(f)
	if err != nil {
		return nil, err
	}
	t := &table{}
	for _, name := range names {
		t.columns = append(t.columns, &column{name: name, typ: stream.Type{Kind: stream.String}})
	}
	if t.parts, err = s.scan(s.pieces, t.wanted()); err != nil {
		return nil, err
	}
	if err := t.csvTypes(s, f); err != nil {
		return nil, err
	}
	if t.parts, err = s.scan(s.pieces, t.wanted()); err != nil {
		return nil, err
	}
	t.settle()
	t.instants()
	return t, nil
}

// whole leaves out a last record that the sample has only the beginning of.
func (s *csvSample) whole(p piece) piece {
	if !p.ended {
		p.data = p.data[:codec.NewCSVCutter(&s.format).Cut(p.data)]
	}
	return p
}

// names gives the names of all columns in the order in which they first appear. Where a header has names that can't be
// told apart, or there is none, the format gets columns.
func (s *csvSample) names(f *format) ([]string, error) {
	var names, first []string
	sound := true
	width := 0
	for _, p := range s.pieces {
		records := csvRecords(s.format.Head(p.data, true), f.delimiter)
		if len(records) == 0 {
			continue
		}
		if first == nil {
			first = records[0]
		}
		width = max(width, len(records[0]))
		for i, name := range records[0] {
			sound = sound && name != "" && !slices.Contains(records[0][:i], name)
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	switch {
	case width == 0:
		return nil, fmt.Errorf("there is nothing to look at")
	case f.header && sound:
		return names, nil
	case f.header:
		f.columns = distinct(first)
	default:
		f.columns = distinct(make([]string, width))
	}
	s.format.Names = f.columns
	return f.columns, nil
}

// distinct gives names in which none is empty or comes twice.
func distinct(names []string) []string {
	var list []string
	for i, name := range names {
		if name == "" {
			name = fmt.Sprintf("column_%d", i+1)
		}
		for n, base := 2, name; slices.Contains(list, name); n++ {
			name = fmt.Sprintf("%s_%d", base, n)
		}
		list = append(list, name)
	}
	return list
}

func (s *csvSample) scan(pieces []piece, columns []codec.Column) ([]part, error) {
	scanner := codec.NewCSVScanner(columns, s.format)
	var parts []part
	for _, p := range pieces {
		head := s.format.Head(p.data, true)
		if len(head) == 0 {
			continue // of an empty file
		}
		if err := scanner.SetHead(head, true); err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		parts = append(parts, scanPiece(scanner, p))
	}
	return parts, nil
}

// nullWords are texts that often mean that there is no value.
var nullWords = []string{"NULL", "null", "NA", "N/A", "n/a", "None", "none", `\N`, "-", "--", "NaN", "nan", "#N/A", "?"}

// csvTypes gives each column the narrowest type that all of its cells have. Words that stand in the way of one, and
// often mean null, become null.
func (t *table) csvTypes(s *csvSample, f *format) error {
	var quick []piece // the beginnings, which refute most of what is wrong
	for _, p := range s.pieces {
		quick = append(quick, p.head(100))
	}
	words := make([][]string, len(t.columns))
	for i := range t.columns {
		words[i] = t.nullWords(i)
	}
	for i, c := range t.columns {
		text := t.textual(i)
		kinds := []stream.Kind{stream.Int, stream.Float, stream.Bool}
		if t.fractional(i) {
			kinds = kinds[1:]
		}
		for _, with := range [][]string{f.nulls, append(slices.Clone(f.nulls), words[i]...)} {
			s.format.Nulls = append([]string{""}, with...)
			if text != "" {
				break
			}
			kind, err := s.kind(c.name, quick, kinds)
			if err != nil {
				return err
			}
			if kind != stream.String {
				c.typ = stream.Type{Kind: kind}
				f.nulls = unique(with)
				break
			}
		}
		if c.typ.Kind == stream.String {
			c.why = text
		}
	}
	s.format.Nulls = append([]string{""}, f.nulls...)
	return nil
}

func unique(words []string) []string {
	list := slices.Clone(words)
	slices.Sort(list)
	return slices.Compact(list)
}

// kind gives the first of the kinds that all of a column's cells have, or text.
func (s *csvSample) kind(name string, quick []piece, kinds []stream.Kind) (stream.Kind, error) {
	for _, kind := range kinds {
		fits, values := true, false
		for _, pieces := range [][]piece{quick, s.pieces} {
			parts, err := s.scan(pieces, []codec.Column{{Path: stream.Path{name}, Type: stream.Type{Kind: kind}, Typed: true}})
			if err != nil {
				return 0, err
			}
			if fits, values = holdsAll(parts); !fits {
				break
			}
		}
		if fits && values {
			return kind, nil
		}
	}
	return stream.String, nil
}

// holdsAll reports whether no cell is of a wrong type, and whether one at least is not null.
func holdsAll(parts []part) (fits, values bool) {
	for _, p := range parts {
		for _, bad := range p.bad {
			if bad.Field != "" {
				return false, values
			}
		}
		for _, row := range p.rows {
			values = values || p.batch.Columns[0].Tag(int(row)) == stream.TagOK
		}
	}
	return true, values
}

// nullWords gives the words in a column of texts that may mean null.
func (t *table) nullWords(i int) []string {
	var found []string
	t.texts(i, func(text string) {
		if slices.Contains(nullWords, text) && !slices.Contains(found, text) {
			found = append(found, text)
		}
	})
	return found
}

var (
	codeLike     = regexp.MustCompile(`^\s*(?:[+-]?0\d+|\+\d+)\s*$`)
	longNumber   = regexp.MustCompile(`^\s*-?\d{16,}\s*$`)
	decimalComma = regexp.MustCompile(`^\s*-?[\d.]*\d,\d+\s*$`)
	fraction     = regexp.MustCompile(`^\s*[+-]?\d*(?:\.\d*)?(?:[eE][+-]?\d+)?\s*$`)
)

// fractional reports whether a number in a column of texts is written with a point or an exponent. Such a column has
// floats, though all that the sample shows may be whole.
func (t *table) fractional(i int) bool {
	found := false
	t.texts(i, func(text string) {
		found = found || strings.ContainsAny(text, ".eE") && fraction.MatchString(text)
	})
	return found
}

// textual says why a column of texts must not become numbers, or could not; empty where nothing speaks against it.
func (t *table) textual(i int) string {
	codes, long, int64s, commas, others := 0, 0, true, 0, 0
	points := false
	t.texts(i, func(text string) {
		points = points || strings.Contains(text, ".")
		switch {
		case codeLike.MatchString(text):
			codes++
		case longNumber.MatchString(text):
			long++
			int64s = int64s && fitsInt(text)
		case decimalComma.MatchString(text):
			commas++
		case !valueLike(text) && !slices.Contains(nullWords, text):
			others++
		}
	})
	switch {
	case others > 0:
		return ""
	case commas > 0 && points:
		return `decimal commas, and points between thousands: float(replace(replace(x, ".", ""), ",", ".")) makes numbers of them`
	case commas > 0:
		return "decimal commas: float(replace(x, \",\", \".\")) makes numbers of them"
	case codes > 0:
		return "text, so that zeros and signs in front are kept"
	case long > 0 && !int64s:
		return "integers beyond 64 bits: as text they stay exact"
	}
	return ""
}

func fitsInt(text string) bool {
	text = strings.TrimPrefix(strings.TrimSpace(text), "-")
	const greatest = "9223372036854775807"
	return len(text) < len(greatest) || len(text) == len(greatest) && text <= greatest
}
