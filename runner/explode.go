package runner

import (
	"fmt"
	"sort"

	"tidemark/io/codec"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// exploder makes a row of each element of a list.
type exploder struct {
	stage
	plan    *plan.Explode
	record  *codec.JSONEncoder // of the records that came in, or nil
	out     stream.Batch
	element stream.Column
	// records has the row that each element is of, and late is that of the last one that was late; −1 for none.
	records []int32
	late    int32
}

func newExploder(p *plan.Explode) *exploder {
	x := &exploder{stage: *newStage(&p.Stage), plan: p}
	if p.Record != nil {
		x.record = codec.NewJSONEncoder(*p.Record, codec.RFC3339)
	}
	return x
}

// explode gives the rows of the elements of a batch, with the causes and times of the records that they are of, and
// counts the records that have none.
func (t *transform) explode(in *stream.Batch) *stream.Batch {
	x := t.exploder
	x.run(in, streamFacts)
	view, out := &x.batch, &x.out
	begin(out, len(view.Columns))
	x.records, x.late = x.records[:0], -1
	filtered := in.Selected() - view.Selected() - len(x.failed)
	each(view, func(row int32) {
		switch list := view.Columns[x.plan.List].Value(int(row)).(type) {
		case nil:
			filtered++
		case []any:
			for _, v := range list {
				x.add(row, v)
			}
			if len(list) == 0 {
				filtered++
			}
		default:
			x.failed = append(x.failed, failure{row, &x.plan.Step, fmt.Sprintf("explode wants a list, found %s", sortOf(list))})
		}
	})
	out.Idle = view.Idle
	for _, m := range view.Marks {
		out.Marks = append(out.Marks, stream.Mark{Cause: view.Base + m.Cause, Watermark: m.Watermark})
	}
	sort.SliceStable(x.failed, func(i, j int) bool { return x.failed[i].row < x.failed[j].row })
	for i := range x.failed {
		t.dirty(view, &x.failed[i], x.record)
	}
	t.counts.In += int64(filtered + len(x.failed))
	t.counts.Filtered += int64(filtered)
	t.counts.Dirty += int64(len(x.failed))
	return out
}

// add appends the row of an element.
func (x *exploder) add(row int32, element any) {
	view, out := &x.batch, &x.out
	for i := range out.Columns {
		if i != x.plan.Element {
			out.Columns[i].AppendRow(&view.Columns[i], int(row))
		}
	}
	x.element.Reset(stream.KindOf(element), 1)
	x.element.SetValue(0, element)
	out.Columns[x.plan.Element].AppendRow(&x.element, 0)
	out.Causes = append(out.Causes, view.Cause(int(row)))
	out.Orders = append(out.Orders, orderOf(view, int(row)))
	if len(view.Times) > 0 {
		out.Times = append(out.Times, view.Times[row])
	}
	if view.Kinds != nil {
		out.Kinds = append(out.Kinds, view.Kinds[row])
	}
	x.records = append(x.records, row)
	out.N++
}

// again reports whether an element is of the same record as the one asked for before.
func (x *exploder) again(row int32) bool {
	if x == nil {
		return false
	}
	of := x.records[row]
	again := of == x.late
	x.late = of
	return again
}

// sortOf names what a value is that is no list.
func sortOf(v any) string {
	switch v.(type) {
	case string:
		return "a text"
	case bool:
		return "true or false"
	case int64, float64:
		return "a number"
	case map[string]any:
		return "an object"
	}
	return "a time"
}
