package runner

import (
	"sort"
	"sync/atomic"

	"tidemark/stream"
)

// counting is 0, 1, 2, …, shared by all who need to name all rows of a batch.
var counting atomic.Pointer[[]int32]

// iota32 gives the list 0 … n−1, which nobody may change.
func iota32(n int) []int32 {
	if list := counting.Load(); list != nil && len(*list) >= n {
		return (*list)[:n:n]
	}
	list := make([]int32, n+n/2+1024)
	for i := range list {
		list[i] = int32(i)
	}
	counting.Store(&list)
	return list[:n:n]
}

// within gives the selected rows of a batch from row lo up to row hi, exclusive.
func within(b *stream.Batch, lo, hi int) []int32 {
	rows := allRows(b)
	if lo == 0 && hi == b.N {
		return rows
	}
	if b.Sel == nil {
		return rows[lo:hi:hi]
	}
	from := sort.Search(len(rows), func(i int) bool { return int(rows[i]) >= lo })
	to := from + sort.Search(len(rows)-from, func(i int) bool { return int(rows[from+i]) >= hi })
	return rows[from:to:to]
}

// begin empties a batch that rows are appended to, with causes and orders of their own.
func begin(b *stream.Batch, columns int) {
	causes, orders := b.Causes[:0], b.Orders[:0]
	b.Reset(columns)
	b.Causes, b.Orders = causes, orders
}
