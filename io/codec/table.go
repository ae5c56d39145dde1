package codec

import (
	"fmt"
	"sort"

	"tidemark/stream"
)

// table reads records that are rows of texts, their cells, into columns. Whoever finds the cells tells it where they
// are.
type table struct {
	sheet
	format  CSVFormat
	targets []*target // one for each different name
	nulls   nullTexts

	verbatim, object, whole *field
	types                   map[string]stream.Type

	// Of the file that is read:
	names   []string
	cells   []*target // by place in the record; nil where nobody wants the cell
	lacking []*target
	keys    [][]byte // the names as members of an object begin; nil for one that comes again
	same    bool     // the names are those that Verbatim keeps to

	data     []byte
	from, to []uint32
	// breaks has, for each line feed that ends no row, the row that follows it or, within a record, the next one.
	breaks  []int32
	scratch []byte
	values  valueEncoder
	// nonFinite names a field of which NaN or an infinity was written as null.
	nonFinite string
	spans     []span // the cells of the row, where all are wanted
	spanning  bool
	separate  bool // what was read are values, not the lines of a text
}

// span is where a cell's text is; doubled says that quotes in it are.
type span struct {
	from, to int
	doubled  bool
}

func (t *table) begin(data []byte, b *stream.Batch) {
	t.data = t.start(data, b, false)
	t.from, t.to, t.breaks = t.from[:0], t.to[:0], t.breaks[:0]
	t.separate = false
}

// room sees to it that there is room for a row.
func (t *table) room() {
	if t.row == t.rows {
		t.grow()
	}
}

// take ends a row whose record is from p up to q.
func (t *table) take(p, q int) {
	for _, w := range t.lacking {
		t.absent(w, stream.TagMissing)
	}
	t.place(p, q)
	switch {
	case t.tooLong(p, q):
		t.reject(fmt.Sprintf("record longer than the limit of %d bytes", t.format.MaxRecord), "")
	case t.troubled:
		t.rejectTroubled()
	}
	if t.spanning && !t.rejected() {
		t.takeRecord()
	}
	t.row++
}

// tooLong reports whether a record is longer than allowed.
func (t *table) tooLong(p, q int) bool { return t.format.MaxRecord > 0 && q-p > t.format.MaxRecord }

// refuse ends a row that is no record of the table.
func (t *table) refuse(p, q int, reason string) {
	t.place(p, q)
	t.reject(reason, "")
	t.row++
}

// place notes where the record is.
func (t *table) place(p, q int) {
	t.from, t.to = append(t.from, uint32(p)), append(t.to, uint32(q))
	if t.raw != nil {
		t.raw.out.Refs[t.row] = stream.Ref{Off: uint32(p), Len: uint32(q - p)}
	}
	if t.verbatim != nil {
		t.verbatim.out.Refs[t.row] = stream.Ref{Off: uint32(p), Len: uint32(q - p)}
		if !t.same {
			t.verbatim.tag(t.row, t.rows, stream.TagNull)
		}
	}
}

// Line gives the bytes of a row of the last Scan, without the end of its last line.
func (t *table) Line(row int) []byte { return t.data[t.from[row]:t.to[row]] }

// LineNumber gives the number of the line on which a row of the last Scan starts, from 0, within its data.
func (t *table) LineNumber(row int) int {
	return row + sort.Search(len(t.breaks), func(i int) bool { return int(t.breaks[i]) > row })
}

// Lines gives the number of line feeds in the data of the last Scan, or of values of the last ScanValues.
func (t *table) Lines() int {
	n := t.row + len(t.breaks)
	if !t.separate && t.row > 0 && t.ended() == t.end {
		n-- // the last row has no line feed
	}
	return n
}

// ended gives the place of the line feed that ends the last row, or of the end of the data.
func (t *table) ended() int {
	p := int(t.to[t.row-1])
	if p < t.end && t.data[p] == '\r' {
		p++
	}
	return p
}
