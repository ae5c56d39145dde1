package parquetio

import (
	"bytes"
	"unicode/utf8"

	"tidemark/stream"
)

// sinkValues are those of a column that wait for being encoded, one a row, those of null rows undefined.
type sinkValues struct {
	kind   stream.Kind // Any is JSON text
	ints   []int64
	floats []float64
	bools  []bool
	text   []byte
	ends   []int // of each row's text
	// null has an element a row where nulls is not 0.
	null  []bool
	nulls int
	n     int
}

func (v *sinkValues) reset() {
	v.ints, v.floats, v.bools, v.text, v.ends = v.ints[:0], v.floats[:0], v.bools[:0], v.text[:0], v.ends[:0]
	v.null, v.nulls, v.n = v.null[:0], 0, 0
}

// bytes gives the text of a row.
func (v *sinkValues) bytes(row int) []byte {
	start := 0
	if row > 0 {
		start = v.ends[row-1]
	}
	return v.text[start:v.ends[row]]
}

// addNull adds a row without a value.
func (v *sinkValues) addNull() {
	v.markNulls()
	switch v.kind {
	case stream.Int, stream.Instant:
		v.ints = append(v.ints, 0)
	case stream.Float:
		v.floats = append(v.floats, 0)
	case stream.Bool:
		v.bools = append(v.bools, false)
	default:
		v.ends = append(v.ends, len(v.text))
	}
	v.null = append(v.null, true)
	v.nulls++
	v.n++
}

// markNulls makes null as long as there are rows.
func (v *sinkValues) markNulls() {
	if v.nulls == 0 {
		v.null = stream.Resize(v.null, v.n)
		clear(v.null)
	}
}

// added counts rows that have values.
func (v *sinkValues) added(n int) {
	v.n += n
	if v.nulls > 0 {
		for range n {
			v.null = append(v.null, false)
		}
	}
}

// mendText replaces bytes that are no UTF-8, which no reader takes as text, by U+FFFD.
func (v *sinkValues) mendText() {
	whole := utf8.Valid(v.text)
	for i := 0; whole && i < len(v.ends); i++ {
		whole = v.ends[i] == len(v.text) || utf8.RuneStart(v.text[v.ends[i]])
	}
	if whole {
		return
	}
	var text []byte
	start := 0
	for i, end := range v.ends {
		text = append(text, bytes.ToValidUTF8(v.text[start:end], []byte("\uFFFD"))...)
		start, v.ends[i] = end, len(text)
	}
	v.text = text
}

// slab is some rows in columns.
type slab struct {
	columns []sinkValues
	n       int
}

func newSlab(columns []sinkColumn) *slab {
	s := &slab{columns: make([]sinkValues, len(columns))}
	for i, c := range columns {
		s.columns[i].kind = c.typ.Kind
	}
	return s
}

func (s *slab) reset() {
	for i := range s.columns {
		s.columns[i].reset()
	}
	s.n = 0
}

// textSize is how many bytes of text the rows have.
func (s *slab) textSize() int64 {
	var size int64
	for i := range s.columns {
		size += int64(len(s.columns[i].text))
	}
	return size
}
