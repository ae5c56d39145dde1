package infer

import (
	"fmt"
	"strconv"

	"tidemark/io/codec"
	"tidemark/stream"
)

// table is the sample in columns.
type table struct {
	columns []*column
	parts   []part
	broken  int // lines that are no records, whatever the schema
	reason  string
}

// column is a column with the type that all of its values have.
type column struct {
	name string
	typ  stream.Type
	// nulls is in how many records it is null or missing.
	nulls int
	// why is what a person should know of the guess; it may be empty.
	why string
}

// part is the sample of a file, or a piece of it.
type part struct {
	file  string
	batch stream.Batch
	rows  []int32 // those that could be read
	bad   []codec.Bad
}

// scanner is what reads lines of any format.
type scanner interface {
	Scan(data []byte, b *stream.Batch)
	Bad() []codec.Bad
}

// scanPiece reads a piece, with no more rows than were asked for.
func scanPiece(s scanner, p piece) part {
	out := part{file: p.name}
	s.Scan(p.data, &out.batch)
	limit := int32(min(p.records, out.batch.N))
	for _, bad := range s.Bad() {
		if bad.Row < limit {
			out.bad = append(out.bad, bad)
		}
	}
	out.rows = codec.AppendGood(nil, int(limit), out.bad)
	return out
}

// records gives the number of records that were looked at.
func (t *table) records() int {
	n := t.broken
	for _, p := range t.parts {
		n += len(p.rows)
	}
	return n
}

// good gives the number of records that could be read.
func (t *table) good() int { return t.records() - t.broken }

// settle counts what is null and what is no record.
func (t *table) settle() {
	for _, p := range t.parts {
		for _, bad := range p.bad {
			t.broken++
			if t.reason == "" {
				t.reason = bad.Reason
			}
		}
		for i, c := range t.columns {
			for _, row := range p.rows {
				if tag := p.batch.Columns[i].Tag(int(row)); tag != stream.TagOK && tag != stream.TagOther {
					c.nulls++
				}
			}
		}
	}
	for _, c := range t.columns {
		c.typ.Null = c.typ.Null || c.nulls > 0
	}
}

// wanted gives the columns as scanners are asked for them.
func (t *table) wanted() []codec.Column {
	list := make([]codec.Column, len(t.columns))
	for i, c := range t.columns {
		list[i] = codec.Column{Path: stream.Path{c.name}, Type: c.typ, Typed: true}
	}
	return list
}

// troubled gives the column that a bad row is bad for; nil where that is the line itself.
func (t *table) troubled(bad codec.Bad) *column {
	for _, c := range t.columns {
		if bad.Field != "" && stream.Path([]string{c.name}).String() == bad.Field {
			return c
		}
	}
	return nil
}

// textTable reads lines of plain text.
func textTable(pieces []piece) *table {
	t := &table{columns: []*column{{name: codec.Message, typ: stream.Type{Kind: stream.String}}}}
	s := codec.NewTextScanner(t.wanted(), 0)
	for _, p := range pieces {
		t.parts = append(t.parts, scanPiece(s, p))
	}
	t.settle()
	return t
}

// percent says which part n is of total.
func percent(n, total int) string {
	switch p := 100 * float64(n) / float64(total); {
	case n == total:
		return "100 %"
	case p < 0.1:
		return "less than 0.1 %"
	case p > 99.9:
		return "more than 99.9 %"
	case p < 10:
		return strconv.FormatFloat(p, 'f', 1, 64) + " %"
	default:
		return strconv.FormatFloat(p, 'f', 0, 64) + " %"
	}
}

// counted gives a number with its noun, and commas between thousands.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return fmt.Sprintf("%s %ss", text, noun)
}
