package stream

import "sort"

// Batch is rows in columns, with the steps of the watermark among them.
//
// Rows are in the order of their causes. Unless it says otherwise, whoever is handed a batch may read it
// until it returns; what it needs for longer it copies.
type Batch struct {
	// N is the number of rows, selected or not.
	N int
	// Columns are the fields that the plan asked for, in its order.
	Columns []Column
	// Times are the event times, one a row; empty where the stream has no event time.
	Times []Time
	// Sel has the rows that count, ascending; nil means all of them.
	Sel []int32
	// Kinds has one element a row; nil means that all rows are inserts.
	Kinds []RowKind
	// Base and Causes give the cause of row i: Base + Causes[i], or Base + i where Causes is nil.
	Base   uint64
	Causes []uint64
	// Orders tells rows of one cause apart where streams meet; nil for rows that no window wrote.
	Orders []Order
	// Marks are the steps of the watermark, ascending in cause and watermark.
	Marks []Mark
	// Idle says that nothing will come for now, so that the stream's watermark no longer holds those of others back,
	// until the next batch.
	Idle bool
}

// Mark says that the watermark rises to Watermark after all rows with a cause up to Batch.Base + Cause.
type Mark struct {
	Cause     uint64
	Watermark Time
}

// Order is the place of a row among the rows of one cause: by the window's end, its start, and the number of
// the record with which the key first appeared in the window.
type Order struct {
	End, Start Time
	First      uint64
}

// Less reports whether a row with order a comes before one with order b.
func (a Order) Less(b Order) bool {
	if a.End != b.End {
		return a.End < b.End
	}
	if a.Start != b.Start {
		return a.Start < b.Start
	}
	return a.First < b.First
}

// Reset empties the batch and gives it a number of columns.
func (b *Batch) Reset(columns int) {
	b.N, b.Base = 0, 0
	b.Columns = Resize(b.Columns, columns)
	for i := range b.Columns {
		b.Columns[i].Reset(b.Columns[i].Kind, 0)
	}
	b.Times, b.Marks = b.Times[:0], b.Marks[:0]
	b.Sel, b.Kinds, b.Causes, b.Orders, b.Idle = nil, nil, nil, nil, false
}

// Cause gives the cause of a row.
func (b *Batch) Cause(row int) uint64 {
	if b.Causes != nil {
		return b.Base + b.Causes[row]
	}
	return b.Base + uint64(row)
}

// RowsUpTo gives the number of rows whose cause, less Base, is at most cause.
func (b *Batch) RowsUpTo(cause uint64) int {
	if b.Causes == nil {
		return int(min(cause+1, uint64(b.N)))
	}
	return sort.Search(b.N, func(i int) bool { return b.Causes[i] > cause })
}

// Selected gives the number of rows that count.
func (b *Batch) Selected() int {
	if b.Sel == nil {
		return b.N
	}
	return len(b.Sel)
}
