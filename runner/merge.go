package runner

import "tidemark/stream"

// merge goes through several sequences, each of which is in order, as through one. It keeps its memory between calls.
type merge struct{ heads []head }

// element is one of several sequences' elements.
type element struct{ sequence, index int }

// head is where a sequence stands, and where it ends.
type head struct {
	element
	end int
}

// each visits the elements of n sequences of given lengths in their common order. Of two elements of which neither comes
// before the other, that of the lower sequence is visited first.
func (m *merge) each(n int, length func(sequence int) int, before func(a, b element) bool, visit func(element)) {
	heads := m.heads[:0]
	for i := range n {
		if end := length(i); end > 0 {
			heads = append(heads, head{element{i, 0}, end})
		}
	}
	m.heads = heads
	for len(heads) > 1 {
		best := 0
		for i := 1; i < len(heads); i++ {
			if before(heads[i].element, heads[best].element) {
				best = i
			}
		}
		visit(heads[best].element)
		if heads[best].index++; heads[best].index == heads[best].end {
			heads = append(heads[:best], heads[best+1:]...)
		}
	}
	for _, last := range heads {
		for ; last.index < last.end; last.index++ {
			visit(last.element)
		}
	}
}

// rank is where a row stands among those of other inputs: by cause, and of one cause by window. Rows that no window wrote
// come first.
type rank struct {
	cause uint64
	order stream.Order
}

func rankOf(b *stream.Batch, row int) rank { return rank{b.Cause(row), orderOf(b, row)} }

func (r rank) before(other rank) bool {
	switch {
	case r.cause != other.cause:
		return r.cause < other.cause
	case r.order.End != other.order.End:
		return r.order.End < other.order.End
	}
	return r.order.Start < other.order.Start
}

func orderOf(b *stream.Batch, row int) stream.Order {
	if b.Orders == nil {
		return stream.Order{End: stream.MinTime}
	}
	return b.Orders[row]
}
