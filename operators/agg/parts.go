package agg

import "tidemark/stream"

// parts separates a batch's rows by their tags, so that a kernel needs no look at them: rows with a value of
// the column's kind, and rows with one of another kind. Nulls are in neither.
type parts struct {
	plain   Input
	rows    []int32
	ids     []uint32
	oddRows []int32
	oddIDs  []uint32
}

// split gives the rows with a value of the kind of the first argument. The others are in oddRows and oddIDs
// until the next split.
func (p *parts) split(in *Input) *Input {
	c := in.Args[0]
	p.oddRows, p.oddIDs = p.oddRows[:0], p.oddIDs[:0]
	if c.Odd == 0 {
		return in
	}
	p.rows, p.ids = stream.Resize(p.rows, len(in.Rows)), stream.Resize(p.ids, len(in.Rows))
	n := 0
	for i, r := range in.Rows {
		p.rows[n], p.ids[n] = r, in.IDs[i]
		switch c.Tags[r] {
		case stream.TagOK:
			n++
		case stream.TagOther:
			p.oddRows, p.oddIDs = append(p.oddRows, r), append(p.oddIDs, in.IDs[i])
		}
	}
	p.plain = Input{Rows: p.rows[:n], IDs: p.ids[:n], Args: in.Args, Ordinal: in.Ordinal}
	return &p.plain
}

func (p *parts) bytes() int64 {
	return int64(4*cap(p.rows) + 4*cap(p.ids) + 4*cap(p.oddRows) + 4*cap(p.oddIDs))
}
