package window_test

import (
	"fmt"
	"slices"

	"tidemark/operators/agg"
	"tidemark/operators/state"
	"tidemark/operators/window"
	"tidemark/stream"
)

// testAggregates are those that golden rows have, in their order.
func testAggregates() []window.Aggregate {
	list := []window.Aggregate{{Kind: aggregate("count")}}
	for _, name := range []string{"sum", "min", "max", "first", "last"} {
		list = append(list, window.Aggregate{Kind: aggregate(name), Args: []stream.Type{{Kind: stream.Int}}})
	}
	return append(list, window.Aggregate{Kind: &agg.Kind{New: func([]stream.Type) agg.Accumulators { return new(listing) }}})
}

func aggregate(name string) *agg.Kind {
	k, ok := agg.Lookup(name)
	if !ok {
		panic("no aggregate " + name)
	}
	return k
}

// listing is an aggregate that lists integers in ascending order.
type listing struct{ lists [][]int64 }

func (l *listing) Grow(n int) {
	for len(l.lists) < n {
		l.lists = append(l.lists, nil)
	}
}

func (l *listing) Add(in *agg.Input) {
	for i, r := range in.Rows {
		l.lists[in.IDs[i]] = append(l.lists[in.IDs[i]], in.Args[0].Ints[r])
	}
}

func (l *listing) Merge(dst uint32, from agg.Accumulators, src uint32) {
	l.lists[dst] = append(l.lists[dst], from.(*listing).lists[src]...)
}

func (l *listing) Clear(id uint32) { l.lists[id] = nil }
func (l *listing) Reset()          { l.lists = nil }
func (l *listing) Bytes() int64    { return 0 }

func (l *listing) Append(id uint32, out *stream.Column) error {
	list := slices.Sorted(slices.Values(l.lists[id]))
	var box stream.Column
	box.Reset(stream.Any, 1)
	box.Boxed[0] = list
	out.AppendRow(&box, 0)
	return nil
}

// drive packs events and marks into batches.
type drive struct {
	op    window.Operator
	keyed bool
	recorder
	batch    stream.Batch
	key      stream.Column
	value    stream.Column
	step     stream.Column // the number of the event's step
	keys     state.Keys
	ordinal  uint64
	base     int // the step of the batch's first row
	at       int // the step at hand
	rowSteps []int
}

// begin begins a step.
func (d *drive) begin(step int) {
	if d.at = step; len(d.rowSteps) == 0 && len(d.batch.Marks) == 0 {
		d.base = step
	}
}

func (d *drive) event(key string, at stream.Time, value int64) {
	d.batch.Times = append(d.batch.Times, at)
	d.rowSteps = append(d.rowSteps, d.at)
	n := len(d.rowSteps)
	for _, c := range []*stream.Column{&d.key, &d.value, &d.step} {
		if n == 1 {
			c.Reset(stream.Int, 0)
		}
	}
	if n == 1 {
		d.key.Reset(stream.String, 0)
	}
	d.key.Refs = append(d.key.Refs, stream.Ref{})
	d.key.SetString(n-1, key)
	d.value.Ints = append(d.value.Ints, value)
	d.step.Ints = append(d.step.Ints, int64(d.at))
}

func (d *drive) mark(w stream.Time, rose bool) {
	if rose {
		d.batch.Marks = append(d.batch.Marks, stream.Mark{Cause: uint64(d.at - d.base), Watermark: w})
	}
}

// flush gives the operator what there is.
func (d *drive) flush() {
	if len(d.rowSteps) == 0 && len(d.batch.Marks) == 0 {
		return
	}
	d.batch.N, d.batch.Base = len(d.rowSteps), uint64(d.base)
	rows := make([]int32, d.batch.N)
	for i := range rows {
		rows[i] = int32(i)
	}
	var columns []*stream.Column
	if d.keyed {
		columns = append(columns, &d.key)
	}
	d.keys.Set(columns, rows, d.batch.N)
	value, step := []*stream.Column{&d.value}, []*stream.Column{&d.step}
	in := window.Input{
		Batch: &d.batch, Rows: rows, Keys: &d.keys, Ordinal: d.ordinal,
		Args: [][]*stream.Column{nil, value, value, value, value, value, step},
	}
	d.lateSteps = d.rowSteps
	d.op.Process(&in, d)
	d.check(d.op.Watermark())
	d.ordinal += uint64(d.batch.N)
	d.rowSteps, d.batch.Times, d.batch.Marks = d.rowSteps[:0], d.batch.Times[:0], d.batch.Marks[:0]
}

// recorder keeps an operator's output in the form of golden rows.
type recorder struct {
	global    bool
	rows      []goldenRow
	late      []int
	lateSteps []int
	passed    stream.Time
	wrong     string // the first thing that is not as it should be
}

func (r *recorder) Rows(b *window.Rows) {
	keys := len(b.Columns) - 7
	if !r.global {
		keys -= 2
	}
	for i := range b.N {
		columns := b.Columns
		row := goldenRow{After: int(b.Cause(i))}
		if keys > 0 {
			key := columns[0].Value(i).(string)
			row.Key = &key
		}
		columns = columns[keys:]
		if !r.global {
			start, end := columns[0].Ints[i], columns[1].Ints[i]
			row.Start, row.End, columns = &start, &end, columns[2:]
			if b.Times[i] != stream.Time(end-1) {
				r.fault("the row of [%d, %d) has time %d", start, end, b.Times[i])
			}
		}
		for a, to := range []*int64{&row.Count, &row.Sum, &row.Min, &row.Max, &row.First, &row.Last} {
			*to = columns[a].Value(i).(int64)
		}
		row.Events = columns[6].Value(i).([]int64)
		r.rows = append(r.rows, row)
	}
	for _, m := range b.Marks {
		r.passed = m.Watermark
	}
}

func (r *recorder) Late(row int32, w, end stream.Time) { r.late = append(r.late, r.lateSteps[row]) }
func (r *recorder) Uncovered(int32)                    {}

func (r *recorder) Failed(_ *window.Rows, _ int32, _ int, message string) { r.fault("%s", message) }

// check says whether the marks were passed on.
func (r *recorder) check(w stream.Time) {
	if w != stream.MinTime && r.passed != w {
		r.fault("watermark %v was not passed on", w)
	}
}

func (r *recorder) fault(format string, args ...any) {
	if r.wrong == "" {
		r.wrong = fmt.Sprintf(format, args...)
	}
}
