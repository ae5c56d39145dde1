package window

import (
	"cmp"
	"slices"

	"tidemark/operators/agg"
	"tidemark/operators/state"
	"tidemark/stream"
)

// layout is what result rows are made of.
type layout struct {
	aggregates []Aggregate
	keys       int // number of key columns
}

func newLayout(aggregates []Aggregate, keys int) *layout { return &layout{aggregates, keys} }

// accumulators makes one empty set of them.
func (l *layout) accumulators() accumulators {
	set := make(accumulators, len(l.aggregates))
	for i, a := range l.aggregates {
		set[i] = a.Kind.New(a.Args)
	}
	return set
}

// accumulators has one element for each aggregate.
type accumulators []agg.Accumulators

func (set accumulators) grow(n int) {
	for _, a := range set {
		a.Grow(n)
	}
}

func (set accumulators) reset() {
	for _, a := range set {
		a.Reset()
	}
}

func (set accumulators) clear(id uint32) {
	for _, a := range set {
		a.Clear(id)
	}
}

func (set accumulators) bytes() (n int64) {
	for _, a := range set {
		n += a.Bytes()
	}
	return n
}

// entry is a result row to be: the key's id in a table, the place of its values in accumulators, and the
// ordinal of the record with which the key appeared first.
type entry struct {
	first     uint64
	key, slot uint32
}

// place is what a result row has besides its key and aggregates: its window, and what brought it about.
type place struct {
	Window
	cause, trigger uint64
}

// emitter builds result rows and passes them on in bunches.
type emitter struct {
	*layout
	rows     Rows
	bounds   bool // window_start and window_end are columns
	pointers []*stream.Column
	failures []failure
	selected []int32
	causes   []uint64
	orders   []stream.Order
	out      Output
}

type failure struct {
	row       int32
	aggregate int
	message   string
}

// nothing has one row, null.
var nothing = stream.Column{Boxed: []any{nil}, Tags: []stream.Tag{stream.TagNull}, Odd: 1}

func newEmitter(l *layout, bounds bool) emitter {
	e := emitter{layout: l, bounds: bounds}
	e.rows.Columns = make([]stream.Column, e.firstAggregate()+len(l.aggregates))
	e.clear()
	return e
}

func (e *emitter) firstAggregate() int {
	if e.bounds {
		return e.keys + 2
	}
	return e.keys
}

// clear begins a new bunch. Slices are used again.
func (e *emitter) clear() {
	e.rows.Reset(len(e.rows.Columns))
	if e.bounds {
		e.rows.Columns[e.keys].Reset(stream.Instant, 0)
		e.rows.Columns[e.keys+1].Reset(stream.Instant, 0)
	}
	e.failures = e.failures[:0]
	e.causes, e.orders, e.rows.Triggers = e.causes[:0], e.orders[:0], e.rows.Triggers[:0]
}

// emit writes a row for each of the entries, which are in their order. places has one element, or one an
// entry; then all of them must fit into the bunch at hand unless they are of one cause.
func (e *emitter) emit(s *steps, table *state.Table, values accumulators, entries []entry, places []place) {
	single := len(places) == 1
	for len(entries) > 0 {
		n := min(len(entries), BunchRows-e.rows.N)
		e.write(table, values, entries[:n], places)
		entries = entries[n:]
		if !single {
			places = places[n:]
		}
		if e.rows.N == BunchRows {
			e.flush(s)
		}
	}
}

// room gives how many rows fit into the bunch at hand.
func (e *emitter) room() int { return BunchRows - e.rows.N }

func (e *emitter) write(table *state.Table, values accumulators, entries []entry, places []place) {
	e.pointers = e.pointers[:0]
	for i := range e.keys {
		e.pointers = append(e.pointers, &e.rows.Columns[i])
	}
	if e.keys > 0 {
		for i := range entries {
			table.AppendKey(entries[i].key, e.pointers)
		}
	}
	if len(places) == 1 {
		for i := range entries {
			e.put(&places[0], entries[i].first)
		}
	} else {
		for i := range entries {
			e.put(&places[i], entries[i].first)
		}
	}
	for a, from := range values {
		column := &e.rows.Columns[e.firstAggregate()+a]
		for i := range entries {
			if err := from.Append(entries[i].slot, column); err != nil {
				column.AppendRow(&nothing, 0)
				e.failures = append(e.failures, failure{int32(e.rows.N + i), a, err.Error()})
			}
		}
	}
	e.rows.N += len(entries)
}

// put writes a row's place.
func (e *emitter) put(p *place, first uint64) {
	if e.bounds {
		starts, ends := &e.rows.Columns[e.keys], &e.rows.Columns[e.keys+1]
		starts.Ints = append(starts.Ints, int64(p.Start))
		ends.Ints = append(ends.Ints, int64(p.End))
		e.rows.Times = append(e.rows.Times, p.End-1)
	}
	e.causes = append(e.causes, p.cause)
	e.orders = append(e.orders, stream.Order{End: p.End, Start: p.Start, First: first})
	e.rows.Triggers = append(e.rows.Triggers, p.trigger)
}

// flush passes on what there is, with the marks taken so far.
func (e *emitter) flush(s *steps) {
	e.rows.Marks = s.appendMarks(e.rows.Marks)
	if e.rows.N == 0 && len(e.rows.Marks) == 0 {
		return
	}
	e.rows.Causes, e.rows.Orders = e.causes, e.orders
	if len(e.failures) > 0 {
		e.fail()
	}
	e.out.Rows(&e.rows)
	e.clear()
}

// fail takes failed rows out of the selection and reports them.
func (e *emitter) fail() {
	failures := e.failedRows()
	e.selected = slices.Grow(e.selected[:0], e.rows.N) // not nil, which would select all rows
	next := 0
	for row := range int32(e.rows.N) {
		if next < len(failures) && failures[next].row == row {
			next++
			continue
		}
		e.selected = append(e.selected, row)
	}
	e.rows.Sel = e.selected
	for _, f := range failures {
		e.out.Failed(&e.rows, f.row, f.aggregate, f.message)
	}
}

// failedRows gives the first failure of each row, in the order of the rows. They were found one aggregate after the
// other.
func (e *emitter) failedRows() []failure {
	slices.SortStableFunc(e.failures, func(a, b failure) int { return cmp.Compare(a.row, b.row) })
	return slices.CompactFunc(e.failures, func(a, b failure) bool { return a.row == b.row })
}
