package runner

import (
	"fmt"
	"sort"

	"tidemark/io/codec"
	"tidemark/operators/window"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// transform is a query block at work.
type transform struct {
	plan    *plan.Transform
	engine  *engine
	counts  *Counts
	readers []target
	split   *dealer // in the place of readers, or nil
	late    []target
	dirt    dirt
	record  *codec.JSONEncoder
	// exploder makes the batches that own prepares, or is nil.
	exploder *exploder
	result   *codec.JSONEncoder

	// own prepares batches that no worker has prepared.
	own *prepared
	// operator and finish are for blocks with a window.
	operator window.Operator
	finish   *stage
	ordinal  uint64
	// taken is the number behind that of the last row taken; idle says that the input is.
	taken   uint64
	idle    bool
	meter   *meter
	input   window.Input
	current *stream.Batch
	lateOut stream.Batch
	// clocked is a batch by the time of day.
	clocked stream.Batch
}

// newTransform makes a transform. The error says which setting of its window is refused.
func newTransform(p *plan.Transform, lanes, workers int) (*transform, error) {
	t := &transform{plan: p, own: newPrepared(p), dirt: dirt{node: p.Name, paths: p.Dirty.Paths}}
	if p.Record != nil {
		t.record = codec.NewJSONEncoder(*p.Record, codec.RFC3339)
	}
	if p.ResultRecord != nil {
		t.result = codec.NewJSONEncoder(*p.ResultRecord, codec.RFC3339)
	}
	if p.Explode != nil {
		t.exploder = newExploder(p.Explode)
	}
	if p.Split != nil {
		t.split = newDealer(p.Split)
	}
	if p.Window == nil {
		return t, nil
	}
	t.finish = newStage(&p.Finish)
	var err error
	t.operator, err = newOperator(p.Window, lanes, workers)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	return t, nil
}

func newOperator(w *plan.Window, lanes, workers int) (window.Operator, error) {
	aggregates := make([]window.Aggregate, len(w.Aggregates))
	for i, a := range w.Aggregates {
		aggregates[i] = window.Aggregate{Kind: a.Kind, Args: a.Types}
	}
	open := func() (window.Operator, error) {
		return window.New(w.Spec, int64(w.Lateness), aggregates, len(w.Keys))
	}
	if lanes < 2 || len(w.Keys) == 0 {
		return open()
	}
	return newLanes(open, lanes, workers, w.Columns())
}

// take implements node.
func (t *transform) take(_ int, b *stream.Batch) {
	if t.exploder != nil {
		b = t.explode(b)
	}
	t.own.prepare(b, streamFacts)
	t.apply(t.own, &t.own.batch, b, 0, b.N)
}

// apply takes a batch that was prepared: rows lo up to hi of view, which is the batch with the causes and marks
// of a piece. in is the batch as it came in.
func (t *transform) apply(p *prepared, view, in *stream.Batch, lo, hi int) {
	t.current = view
	t.dirt.follow(view)
	rows := within(view, lo, hi)
	entered := len(within(in, lo, hi))
	dirty := t.failed(p, view, lo, hi)
	t.counts.In += int64(entered)
	t.counts.Dirty += int64(dirty)
	t.counts.Filtered += int64(entered - dirty - len(rows))
	if t.operator == nil {
		t.counts.Used += int64(len(rows))
		t.pass(view, rows)
		return
	}
	t.counts.Used += int64(len(rows)) // late and uncovered rows are taken off again
	if t.plan.Window.Processing {
		view = t.byTimeOfDay(view)
		t.current = view
	}
	t.input = window.Input{Batch: view, Rows: rows, Keys: &p.keys, Args: p.args, ArgKeys: p.argKeys, Ordinal: t.number(view)}
	t.operator.Process(&t.input, t)
	t.flushLate()
	if view.Idle || t.idle {
		t.idle = view.Idle
		t.tellIdle(view.Base)
	}
}

// tellIdle tells the readers whether the input is idle. Rows of windows come too seldom to tell that it is not.
func (t *transform) tellIdle(base uint64) {
	news := stream.Batch{Base: base, Idle: t.idle}
	push(t.readers, rowless(len(t.plan.Finish.Slots), news))
	if t.split != nil {
		for _, readers := range t.split.readers {
			push(readers, rowless(len(t.plan.Finish.Slots), news))
		}
	}
	push(t.late, rowless(len(t.plan.LateColumns), news))
}

// number gives the number of a batch's first row in the node's input: its cause where that tells rows apart, else
// the rows are counted. News without rows have causes, but take no numbers.
func (t *transform) number(b *stream.Batch) uint64 {
	if b.N == 0 {
		return t.taken
	}
	first := b.Base
	if b.Causes != nil {
		first = t.ordinal
		t.ordinal += uint64(b.N)
	}
	t.taken = first + uint64(b.N)
	return first
}

// pass hands rows on that no window holds back.
func (t *transform) pass(view *stream.Batch, rows []int32) {
	if t.split != nil {
		dealt := t.split.deal(view, rows, func(f *failure) { t.dirty(view, f, t.record) })
		t.counts.Out += int64(dealt)
		t.counts.Used -= int64(len(rows) - dealt)
		t.counts.Dirty += int64(len(rows) - dealt)
		return
	}
	t.counts.Out += int64(len(rows))
	if len(t.readers) == 0 {
		return
	}
	sel := view.Sel
	view.Sel = rows
	push(t.readers, view)
	view.Sel = sel
}

// failed reports the rows from lo up to hi that the prepare stage had no value for, and gives their number.
func (t *transform) failed(p *prepared, view *stream.Batch, lo, hi int) int {
	list := between(p.failed, lo, hi)
	for i := range list {
		t.dirty(view, &list[i], t.record)
	}
	return len(list)
}

// dirty reports a row of the input that cannot be used; record writes it as it came in.
func (t *transform) dirty(view *stream.Batch, f *failure, record *codec.JSONEncoder) {
	t.counts.sample(t.plan.Name, f)
	if t.engine.strict.dirty {
		t.engine.refuseDirty(t.plan.Name, exprOf(f.step)+": "+f.step.Redact(f.message))
	}
	if len(t.dirt.readers) == 0 {
		return
	}
	r := dirtyRow{cause: view.Cause(int(f.row)), reason: f.step.Redact(f.message), field: f.step.Field, expr: exprOf(f.step)}
	if record != nil {
		r.raw, r.object = line(record, view, int(f.row)), true
	}
	r.meta = t.engine.origin(view, f.row)
	t.dirt.add(r)
}

// between gives the failures of rows from lo up to hi; failures are in the order of rows.
func between(failed []failure, lo, hi int) []failure {
	from := sort.Search(len(failed), func(i int) bool { return int(failed[i].row) >= lo })
	to := sort.Search(len(failed), func(i int) bool { return int(failed[i].row) >= hi })
	return failed[from:to]
}

// exprOf gives the text of a step's expression.
func exprOf(s *plan.Step) string {
	if s.Node != nil {
		return s.Redact(s.Node.Text)
	}
	if s.Text != "" {
		return s.Text
	}
	return s.Field
}

// line encodes a row without its line feed, into memory of its own.
func line(e *codec.JSONEncoder, b *stream.Batch, row int) []byte {
	text := e.Append(nil, b, row)
	return text[:len(text)-1]
}

// flush implements node.
func (t *transform) flush() { t.dirt.flush() }

// streamFacts gives what is known of any record.
func streamFacts(name string, b *stream.Batch, column *stream.Column) {
	if name == "event_time" && len(b.Times) == b.N {
		column.Reset(stream.Instant, b.N)
		for i, t := range b.Times {
			column.Ints[i] = int64(t)
		}
		return
	}
	column.Reset(stream.Any, b.N)
	for row := range b.N {
		column.SetTag(row, stream.TagNull)
	}
}
