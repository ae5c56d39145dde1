package runner

import (
	"tidemark/operators/expression"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// fact fills a column with something that the source knows of its records.
func (w *work) fact(name string, b *stream.Batch, column *stream.Column) {
	switch {
	case name == "max_event_time":
		w.runningMaximum(b, column)
		return
	case name != "event_time" && w.records != nil:
		w.records.loader.Fact(name, b.N, column)
		return
	}
	switch name {
	case "file":
		constant(column, w.file(), b.N)
	case "partition":
		column.Reset(stream.Int, b.N)
		for row := range b.N {
			column.Ints[row] = int64(w.partition.number)
		}
	case "line":
		column.Reset(stream.Int, b.N)
		for row := range b.N {
			column.Ints[row] = int64(w.line(row))
		}
	default:
		streamFacts(name, b, column)
	}
}

// again fills the columns of facts that speak of event times, once these are known; the others have been filled.
func (w *work) again(name string, b *stream.Batch, column *stream.Column) {
	if name == "event_time" || name == "max_event_time" {
		w.fact(name, b, column)
	}
}

// constant makes every row of a column the same text.
func constant(column *stream.Column, text string, n int) {
	column.Reset(stream.String, n)
	column.Arena = append(column.Arena, text...)
	for row := range n {
		column.Refs[row] = stream.Ref{Off: stream.ArenaBit, Len: uint32(len(text))}
	}
}

// runningMaximum gives the partition's greatest event time so far, the row included.
func (w *work) runningMaximum(b *stream.Batch, column *stream.Column) {
	column.Reset(stream.Instant, b.N)
	if len(b.Times) < b.N {
		return
	}
	greatest := w.former
	each(b, func(row int32) {
		greatest = max(greatest, b.Times[row])
		column.Ints[row] = int64(greatest)
	})
}

// markers makes the steps of a punctuated watermark from what the marker says of each row.
func (w *work) markers() {
	m, b := w.source.plan.Watermark.Marker, &w.stage.batch
	if w.marker == nil {
		w.marker = m.Program.NewEvaluator(m.Columns)
	}
	values := w.stage.evaluate(m, w.marker)
	w.takeFailed(w.stage)
	w.marked = w.marked[:0]
	each(b, func(row int32) {
		if !values.Tag(int(row)).Absent() && values.Value(int(row)) != nil {
			w.marked = append(w.marked, row)
		}
	})
	w.markerTimes = stream.Resize(w.markerTimes, b.N)
	failures, fatal := w.extractor.Extract(values, w.marked, w.markerTimes)
	if fatal != nil {
		w.err = &UnitError{Source: w.source.plan.Name, Partition: w.file(), Cause: fatal}
		return
	}
	kept := w.marked[:0]
	dropped := make([]expression.Failure, 0, len(failures))
	for _, row := range w.marked {
		if len(dropped) < len(failures) && failures[len(dropped)].Row == row {
			dropped = append(dropped, expression.Failure{Row: row, Message: "the marker gives no watermark: " + failures[len(dropped)].Reason})
			continue
		}
		kept = append(kept, row)
	}
	w.stage.drop(m, dropped)
	w.takeFailed(w.stage)
	if w.marked = kept; len(kept) > 0 { // no rows could stand for all
		w.marks, _ = w.source.plan.Watermark.Strategy.AppendMarks(w.marks[:0], w.markerTimes, kept, stream.MinTime)
	}
}

// newTimes makes the stage that computes a source's timestamps.
func newTimes(s *source) *stage {
	t := s.plan.Timestamp
	return &stage{plan: &plan.Stage{Steps: []plan.Step{t.Step}}, evaluators: []*expression.Evaluator{t.Step.Program.NewEvaluator(t.Step.Columns)}}
}
