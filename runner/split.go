package runner

import (
	"fmt"
	"slices"

	"tidemark/operators/expression"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// dealer gives each row of a transform to the readers of the first output whose condition is true.
type dealer struct {
	plan        *plan.Split
	evaluators  []*expression.Evaluator
	readers     [][]target // by output, the rest last
	rows        []int64    // by output: how many it was given
	left, dealt []int32
}

func newDealer(p *plan.Split) *dealer {
	d := &dealer{plan: p, readers: make([][]target, len(p.Outputs)), rows: make([]int64, len(p.Outputs))}
	for _, c := range p.Conditions {
		d.evaluators = append(d.evaluators, c.Program.NewEvaluator(c.Columns))
	}
	return d
}

// deal hands rows of a batch on, and the batch's marks to every output. fail is told of the rows for which a condition
// has no value; they go nowhere.
func (d *dealer) deal(b *stream.Batch, rows []int32, fail func(*failure)) (dealt int) {
	sel := b.Sel
	d.left = append(d.left[:0], rows...)
	for i := range d.plan.Conditions {
		if len(d.left) == 0 {
			d.push(i, b, nil)
			continue
		}
		kept, failures := d.evaluators[i].Filter(b, d.left, d.dealt[:0])
		d.dealt = kept
		d.left = without(d.left, kept)
		for _, f := range failures {
			d.left = slices.DeleteFunc(d.left, func(row int32) bool { return row == f.Row })
			fail(&failure{f.Row, &d.plan.Conditions[i], f.Message})
		}
		dealt += len(kept)
		d.push(i, b, kept)
	}
	d.push(len(d.plan.Conditions), b, d.left)
	b.Sel = sel
	return dealt + len(d.left)
}

func (d *dealer) push(output int, b *stream.Batch, rows []int32) {
	if rows == nil {
		rows = []int32{} // nil would be all
	}
	b.Sel = rows
	d.rows[output] += int64(len(rows))
	push(d.readers[output], b)
}

// warnings says how many rows went to outputs that nobody reads.
func (d *dealer) warnings() []string {
	var list []string
	for i, o := range d.plan.Outputs {
		if d.rows[i] > 0 && len(d.readers[i]) == 0 {
			list = append(list, fmt.Sprintf("%s: nobody reads %s: %s; a sink that reads %s gets them", o.Node, o.Name, count(d.rows[i], "row", "rows"), o.Name))
		}
	}
	return list
}

// without takes rows out of a list, both ascending, in place.
func without(list, rows []int32) []int32 {
	kept := list[:0]
	for _, row := range list {
		if len(rows) > 0 && rows[0] == row {
			rows = rows[1:]
			continue
		}
		kept = append(kept, row)
	}
	return kept
}
