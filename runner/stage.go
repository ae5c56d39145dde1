package runner

import (
	"tidemark/operators/expression"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// stage runs a plan.Stage on one batch at a time. What it makes is valid until its next run.
type stage struct {
	plan *plan.Stage
	// batch has the stage's slots as columns; rows, times, causes and marks are those of the input.
	batch stream.Batch
	// failed are the rows that a step could not be evaluated for, in the order of steps.
	failed []failure

	evaluators []*expression.Evaluator
	own        []stream.Column
	nothing    stream.Column
	selections [2][]int32
	flip       int
}

// failure is a row that left the stream because an expression has no value for it.
type failure struct {
	row     int32
	step    *plan.Step
	message string
}

func newStage(p *plan.Stage) *stage {
	s := &stage{plan: p, own: make([]stream.Column, len(p.Slots)), evaluators: make([]*expression.Evaluator, len(p.Steps))}
	for i := range p.Steps {
		if step := &p.Steps[i]; step.Program != nil {
			s.evaluators[i] = step.Program.NewEvaluator(step.Columns)
		}
	}
	return s
}

// facts fills a column with something that no column of the input has.
type facts func(name string, b *stream.Batch, column *stream.Column)

// run does the steps on a batch.
func (s *stage) run(in *stream.Batch, f facts) {
	s.load(in, f)
	s.steps()
}

// load takes a batch over and fills the slots that need no step.
func (s *stage) load(in *stream.Batch, f facts) {
	s.failed = s.failed[:0]
	columns := s.batch.Columns
	s.batch = *in
	s.batch.Columns = stream.Resize(columns, len(s.plan.Slots))
	for i := range s.plan.Slots {
		switch slot := &s.plan.Slots[i]; slot.From {
		case plan.FromInput:
			s.batch.Columns[i] = in.Columns[slot.Input]
		case plan.FromNothing:
			s.batch.Columns[i] = s.missing(in.N)
		case plan.FromMeta:
			f(slot.Fact, &s.batch, &s.own[i])
			s.batch.Columns[i] = s.own[i]
		}
	}
}

// steps does the steps on the batch that was loaded.
func (s *stage) steps() {
	for i := range s.plan.Steps {
		step := &s.plan.Steps[i]
		switch step.Kind {
		case plan.Compute:
			s.batch.Columns[step.Target] = *s.evaluate(step, s.evaluators[i])
		case plan.Filter:
			kept, failures := s.evaluators[i].Filter(&s.batch, s.batch.Sel, s.selection())
			s.fail(step, failures)
			s.selected(kept)
		case plan.Extract:
			extract(&s.own[step.Target], &s.batch.Columns[step.Columns[0]], step.Path[1:], s.batch.N)
			s.batch.Columns[step.Target] = s.own[step.Target]
		case plan.Gather:
			gatherRecords(&s.own[step.Target], &s.batch, step)
			s.batch.Columns[step.Target] = s.own[step.Target]
		}
	}
}

// evaluate computes a column for the selected rows. Rows without a value leave the selection.
func (s *stage) evaluate(step *plan.Step, e *expression.Evaluator) *stream.Column {
	column, failures := e.Eval(&s.batch, s.batch.Sel)
	s.drop(step, failures)
	return column
}

// drop takes rows that failed out of the selection.
func (s *stage) drop(step *plan.Step, failures []expression.Failure) {
	if len(failures) == 0 {
		return
	}
	s.fail(step, failures)
	kept := s.selection()
	next := 0
	each(&s.batch, func(row int32) {
		if next < len(failures) && failures[next].Row == row {
			next++
			return
		}
		kept = append(kept, row)
	})
	s.selected(kept)
}

func (s *stage) fail(step *plan.Step, failures []expression.Failure) {
	for _, f := range failures {
		s.failed = append(s.failed, failure{f.Row, step, f.Message})
	}
}

// selection gives an empty selection to append to, apart from the one in use.
func (s *stage) selection() []int32 {
	s.flip ^= 1
	if cap(s.selections[s.flip]) < s.batch.N {
		s.selections[s.flip] = make([]int32, 0, s.batch.N+s.batch.N/4+1)
	}
	return s.selections[s.flip][:0]
}

// selected makes a slice begun by selection the batch's selection.
func (s *stage) selected(kept []int32) {
	s.selections[s.flip] = kept
	s.batch.Sel = kept
}

// missing gives a column of n missing values.
func (s *stage) missing(n int) stream.Column {
	if s.nothing.Len() < n {
		s.nothing.Reset(stream.Any, n)
		for row := range n {
			s.nothing.SetTag(row, stream.TagMissing)
		}
	}
	return s.nothing
}

// each calls f for the selected rows.
func each(b *stream.Batch, f func(row int32)) {
	if b.Sel != nil {
		for _, row := range b.Sel {
			f(row)
		}
		return
	}
	for row := range int32(b.N) {
		f(row)
	}
}
