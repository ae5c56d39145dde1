package runner

import (
	"sort"

	"tidemark/operators/agg"
	"tidemark/operators/expression"
	"tidemark/operators/state"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// prepared is what a transform does with a batch before it needs any state: the stage, and for a window the
// keys and the aggregates' arguments.
type prepared struct {
	stage
	t       *plan.Transform
	keys    state.Keys
	args    [][]*stream.Column
	argKeys []*state.Keys

	keyColumns []*stream.Column
	checks     []agg.Failure
}

func newPrepared(t *plan.Transform) *prepared {
	p := &prepared{stage: *newStage(&t.Prepare), t: t}
	if t.Window == nil {
		return p
	}
	p.keyColumns = make([]*stream.Column, len(t.Window.Keys))
	p.args = make([][]*stream.Column, len(t.Window.Aggregates))
	p.argKeys = make([]*state.Keys, len(t.Window.Aggregates))
	for i, a := range t.Window.Aggregates {
		p.args[i] = make([]*stream.Column, len(a.Args))
		if a.Kind.Keyed && len(a.Args) > 0 {
			p.argKeys[i] = new(state.Keys)
		}
	}
	return p
}

// prepare runs the stage and then computes keys and arguments.
func (p *prepared) prepare(in *stream.Batch, f facts) {
	p.run(in, f)
	if w := p.t.Window; w != nil {
		p.window(w)
	}
	sort.SliceStable(p.failed, func(i, j int) bool { return p.failed[i].row < p.failed[j].row })
}

// window computes what the window operator needs of the rows that are left.
func (p *prepared) window(w *plan.Window) {
	for i, a := range w.Aggregates {
		for j, slot := range a.Args {
			p.args[i][j] = &p.batch.Columns[slot]
		}
		p.check(a, p.args[i])
	}
	for i, slot := range w.Keys {
		p.keyColumns[i] = &p.batch.Columns[slot]
	}
	p.keys.Set(p.keyColumns, p.batch.Sel, p.batch.N)
	for i, keys := range p.argKeys {
		if keys != nil {
			keys.Set(p.args[i][:1], p.batch.Sel, p.batch.N)
		}
	}
}

// check sends the rows away whose arguments an aggregate cannot use.
func (p *prepared) check(a plan.Aggregate, args []*stream.Column) {
	p.checks = a.Kind.Check(args, allRows(&p.batch), p.checks[:0])
	if len(p.checks) == 0 {
		return
	}
	step := a.Step()
	failures := make([]expression.Failure, len(p.checks))
	for i, f := range p.checks {
		failures[i] = expression.Failure{Row: f.Row, Message: f.Message}
	}
	p.drop(step, failures)
}

// allRows gives the selected rows as a list that is never nil.
func allRows(b *stream.Batch) []int32 {
	if b.Sel != nil {
		return b.Sel
	}
	return iota32(b.N)
}
