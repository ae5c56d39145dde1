package watermark

import (
	"container/heap"

	"tidemark/stream"
)

// Values follows the watermark of a partition in which every value of an expression, such as a device, has one of its
// own: the least counts. A value that is more than idle behind the partition's greatest time is forgotten; one that
// is new, or comes back, counts from its record on.
//
// Values are numbered by the caller. It costs O(log n) a record among n values.
type Values struct {
	strategy Strategy
	idle     stream.Time
	greatest stream.Time
	current  stream.Time
	order    valueHeap
	// Forget is told of each value that is forgotten; its number may be used again. It may be nil.
	Forget func(value uint32)
}

// NewValues makes the machine for one partition. idle is in milliseconds.
func NewValues(s Strategy, idle int64) *Values {
	return &Values{strategy: s, idle: stream.Time(idle), greatest: stream.MinTime, current: stream.MinTime}
}

// Add takes a record. It gives the partition's watermark and reports whether it rose.
func (v *Values) Add(value uint32, t stream.Time) (w stream.Time, rose bool) {
	v.greatest = max(v.greatest, t)
	v.order.set(value, t)
	for v.greatest-v.order.items[0].greatest > v.idle {
		forgotten := heap.Pop(&v.order).(valueTime).value
		if v.Forget != nil {
			v.Forget(forgotten)
		}
	}
	w = v.strategy.At(v.order.items[0].greatest)
	rose = w > v.current
	v.current = max(v.current, w)
	return v.current, rose
}

// Len gives the number of values that count.
func (v *Values) Len() int { return len(v.order.items) }

// valueTime is the greatest time of a value.
type valueTime struct {
	value    uint32
	greatest stream.Time
}

// valueHeap has the value that is furthest behind first, and knows the place of each.
type valueHeap struct {
	items  []valueTime
	places []int32 // by value: the place + 1, or 0
}

// set raises a value's time, or adds the value.
func (h *valueHeap) set(value uint32, t stream.Time) {
	for int(value) >= len(h.places) {
		h.places = append(h.places, 0)
	}
	switch at := h.places[value] - 1; {
	case at < 0:
		heap.Push(h, valueTime{value, t})
	case t > h.items[at].greatest:
		h.items[at].greatest = t
		heap.Fix(h, int(at))
	}
}

// Len implements heap.Interface.
func (h *valueHeap) Len() int { return len(h.items) }

// Less implements heap.Interface.
func (h *valueHeap) Less(i, j int) bool { return h.items[i].greatest < h.items[j].greatest }

// Swap implements heap.Interface.
func (h *valueHeap) Swap(i, j int) {
	h.items[i], h.items[j] = h.items[j], h.items[i]
	h.places[h.items[i].value], h.places[h.items[j].value] = int32(i+1), int32(j+1)
}

// Push implements heap.Interface.
func (h *valueHeap) Push(x any) {
	item := x.(valueTime)
	h.items = append(h.items, item)
	h.places[item.value] = int32(len(h.items))
}

// Pop implements heap.Interface.
func (h *valueHeap) Pop() any {
	last := h.items[len(h.items)-1]
	h.items = h.items[:len(h.items)-1]
	h.places[last.value] = 0
	return last
}
