package window

import "tidemark/stream"

// heap gives out what was pushed by time, then by a second time.
type heap[T any] struct{ items []heapItem[T] }

type heapItem[T any] struct {
	at, then stream.Time
	value    T
}

func (a *heapItem[T]) less(b *heapItem[T]) bool {
	return a.at < b.at || a.at == b.at && a.then < b.then
}

// due reports whether the first item's time has come.
func (h *heap[T]) due(now stream.Time) bool { return len(h.items) > 0 && h.items[0].at <= now }

func (h *heap[T]) push(at, then stream.Time, value T) {
	h.items = append(h.items, heapItem[T]{at, then, value})
	i := len(h.items) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !h.items[i].less(&h.items[parent]) {
			return
		}
		h.items[i], h.items[parent] = h.items[parent], h.items[i]
		i = parent
	}
}

func (h *heap[T]) pop() T {
	first, last := h.items[0], len(h.items)-1
	h.items[0] = h.items[last]
	h.items[last] = heapItem[T]{}
	h.items = h.items[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			return first.value
		}
		if child+1 < last && h.items[child+1].less(&h.items[child]) {
			child++
		}
		if !h.items[child].less(&h.items[i]) {
			return first.value
		}
		h.items[i], h.items[child] = h.items[child], h.items[i]
		i = child
	}
}
