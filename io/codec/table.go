package codec

import (
	"fmt"
	"sort"

	"tidemark/stream"
)

// table reads records that are rows of texts, their cells, into columns. Whoever finds the cells tells it where they
// are.
type table struct {
	format  CSVFormat
	columns int
	fields  []*field  // one for each different path
	copies  [][2]int  // columns that ask for what another one has: which, of which
	targets []*target // one for each different name
	nulls   nullTexts

	raw, verbatim, object, whole *field
	types                        map[string]stream.Type

	// Of the file that is read:
	names   []string
	cells   []*target // by place in the record; nil where nobody wants the cell
	lacking []*target
	keys    [][]byte // the names as members of an object begin; nil for one that comes again
	same    bool     // the names are those that Verbatim keeps to

	data     []byte
	end      int // of the data
	row      int // that is read; between scans the number of rows of the last one
	rows     int // there is room for
	from, to []uint32
	// breaks has, for each line feed that ends no row, the row that follows it or, within a record, the next one.
	breaks   []int32
	bad      []Bad
	own      []byte // the data, where it had to be copied
	chosen   []int32
	scratch  []byte
	values   valueEncoder
	troubled bool   // a field of the row has a problem
	spans    []span // the cells of the row, where all are wanted
	spanning bool
	separate bool // what was read are values, not the lines of a text
}

// span is where a cell's text is; doubled says that quotes in it are.
type span struct {
	from, to int
	doubled  bool
}

func (t *table) begin(data []byte, b *stream.Batch) {
	if uint64(len(data)) >= stream.ArenaBit {
		panic("codec: 2 GiB of data at once")
	}
	t.end = len(data)
	t.data = t.padded(data)
	t.rows = max(t.row+t.row/8, t.end/1024) + 16
	t.row, t.separate = 0, false
	t.from, t.to, t.breaks, t.bad = t.from[:0], t.to[:0], t.breaks[:0], t.bad[:0]
	b.Reset(t.columns)
	for _, f := range t.fields {
		f.begin(&b.Columns[f.at], t.data[:t.end], t.rows)
	}
}

// padded gives data with a line feed at its end, or behind it, and padding; copied if it has none.
func (t *table) padded(data []byte) []byte {
	n := len(data)
	if cap(data)-n >= Padding {
		if whole := data[:n+Padding]; n == 0 || data[n-1] == '\n' || whole[n] == '\n' {
			return whole
		}
	}
	t.own = append(append(t.own[:0], data...), make([]byte, Padding)...)
	t.own[n] = '\n'
	return t.own
}

// room sees to it that there is room for a row.
func (t *table) room() {
	if t.row < t.rows {
		return
	}
	t.rows *= 2
	for _, f := range t.fields {
		f.resize(t.rows)
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

// rejectTroubled rejects the row for the first of its fields that has a problem.
func (t *table) rejectTroubled() {
	for _, f := range t.fields {
		if f.problem != "" {
			name := f.Path.String()
			t.reject(fmt.Sprintf("field %q %s", name, f.problem), name)
			return
		}
	}
}

// reject makes the row a bad one, whose values, but for its text, are the zero values of their kinds.
func (t *table) reject(reason, field string) {
	t.bad = append(t.bad, Bad{Row: int32(t.row), Reason: reason, Field: field})
	t.troubled = false
	for _, f := range t.fields {
		if f != t.raw {
			f.blank(t.row)
		}
	}
}

// rejected reports whether the row is a bad one.
func (t *table) rejected() bool { return len(t.bad) > 0 && t.bad[len(t.bad)-1].Row == int32(t.row) }

// finish gives the batch its rows and selection.
func (t *table) finish(b *stream.Batch) {
	b.N = t.row
	for _, f := range t.fields {
		f.finish(t.row)
	}
	for _, c := range t.copies {
		copyColumn(&b.Columns[c[0]], &b.Columns[c[1]])
	}
	if len(t.bad) > 0 {
		t.chosen = AppendGood(t.chosen[:0], t.row, t.bad)
		b.Sel = t.chosen
	}
}

// Bad gives the rows of the last Scan that could not be read, ascending; valid until the next one.
func (t *table) Bad() []Bad { return t.bad }

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
