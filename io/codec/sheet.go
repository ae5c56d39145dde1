package codec

import (
	"fmt"

	"tidemark/stream"
)

// sheet is the columns that a scan fills, and which of its rows are bad, whatever the format of its records.
type sheet struct {
	columns int
	fields  []*field // one for each different path
	copies  [][2]int // columns that ask for what another one has: which, of which
	raw     *field   // the record's bytes, if asked for

	end    int // of the data
	row    int // that is read; between scans the number of rows of the last one
	rows   int // there is room for
	bad    []Bad
	own    []byte // the data, where it had to be copied
	chosen []int32
	// troubled says that a field of the row has a problem.
	troubled bool
}

// start begins a scan of data into b and gives the data with a line feed at its end, or behind it, and padding. zero
// says that a 0 behind its end will do.
func (s *sheet) start(data []byte, b *stream.Batch, zero bool) []byte {
	if uint64(len(data)) >= stream.ArenaBit {
		panic("codec: 2 GiB of data at once")
	}
	s.end = len(data)
	s.rows = max(s.row+s.row/8, s.end/1024) + 16
	s.row, s.bad = 0, s.bad[:0]
	padded := s.padded(data, zero)
	b.Reset(s.columns)
	for _, f := range s.fields {
		f.begin(&b.Columns[f.at], padded[:s.end], s.rows)
	}
	return padded
}

// padded gives data with its padding, copied if it has none.
func (s *sheet) padded(data []byte, zero bool) []byte {
	n := len(data)
	if cap(data)-n >= Padding {
		if whole := data[:n+Padding]; n == 0 || data[n-1] == '\n' || whole[n] == '\n' || zero && whole[n] == 0 {
			return whole
		}
	}
	s.own = append(append(s.own[:0], data...), make([]byte, Padding)...)
	s.own[n] = '\n'
	return s.own
}

// grow makes room for more rows.
func (s *sheet) grow() {
	s.rows *= 2
	for _, f := range s.fields {
		f.resize(s.rows)
	}
}

// rejectTroubled rejects the row for the first of its fields that has a problem, if one still has.
func (s *sheet) rejectTroubled() {
	s.troubled = false
	for _, f := range s.fields {
		if f.problem != "" {
			name := f.Path.String()
			s.reject(fmt.Sprintf("field %q %s", name, f.problem), name)
			return
		}
	}
}

// reject makes the row a bad one, whose values, but for its text, are the zero values of their kinds.
func (s *sheet) reject(reason, field string) {
	s.bad = append(s.bad, Bad{Row: int32(s.row), Reason: reason, Field: field})
	s.troubled = false
	for _, f := range s.fields {
		if f != s.raw {
			f.blank(s.row)
		}
	}
}

// rejected reports whether the row is a bad one.
func (s *sheet) rejected() bool { return len(s.bad) > 0 && s.bad[len(s.bad)-1].Row == int32(s.row) }

// settle gives the batch its rows and selection.
func (s *sheet) settle(b *stream.Batch) {
	b.N = s.row
	for _, f := range s.fields {
		f.finish(s.row)
	}
	for _, c := range s.copies {
		copyColumn(&b.Columns[c[0]], &b.Columns[c[1]])
	}
	if len(s.bad) > 0 {
		s.chosen = AppendGood(s.chosen[:0], s.row, s.bad)
		b.Sel = s.chosen
	}
}

// Bad gives the rows of the last Scan that could not be read, ascending; valid until the next one.
func (s *sheet) Bad() []Bad { return s.bad }

// copyColumn makes dst hold what src does, in slices of its own.
func copyColumn(dst, src *stream.Column) {
	dst.Reset(src.Kind, 0)
	dst.Ints = append(dst.Ints, src.Ints...)
	dst.Floats = append(dst.Floats, src.Floats...)
	dst.Bools = append(dst.Bools, src.Bools...)
	dst.Refs = append(dst.Refs, src.Refs...)
	dst.Boxed = append(dst.Boxed, src.Boxed...)
	dst.Tags = append(dst.Tags, src.Tags...)
	dst.Arena = append(dst.Arena, src.Arena...)
	dst.Data, dst.Odd = src.Data, src.Odd
}
