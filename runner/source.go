package runner

import (
	"context"
	"fmt"
	"time"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/operators/watermark"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// source is a source at work.
type source struct {
	plan       *plan.Source
	counts     *Counts
	readers    []target // those that are not in the region
	dirt       dirt
	partitions []*partition
	queue      queue // those that have not ended
	// region are the transforms and sinks that a worker prepares for a chunk before its turn.
	region []regionNode
	// deferred says that a chunk cannot be evaluated before its turn.
	deferred bool
	// record writes a record that has no text, for the dirty output.
	record *codec.JSONEncoder
	// readAll says that no chunk may be skipped.
	readAll bool
	maxLine int
	// watermark is the source's combined watermark, ended the number of partitions that have ended.
	watermark stream.Time
	free      []*work
	first     []stream.Time // event times of the first records
}

// partition is a partition at work. What the sequencer knows of it belongs to whoever holds the token, what
// concerns loading is guarded by the engine's lock.
type partition struct {
	source *source
	number int
	name   string
	input  input
	// lines or columns is what the input is, whichever it can give.
	lines   connector.Partition
	columns connector.ColumnPartition

	// queue are the claimed chunks in order; claiming says that a worker is about to claim one.
	queue    []*work
	claiming bool
	claimed  bool // the last chunk has been claimed
	err      error

	// watermark, greatest and passed, the number of lines or rows, are those of all chunks that had their turn.
	watermark stream.Time
	greatest  stream.Time
	passed    int
	// row is the next row of the first chunk in the queue, mark its next step; admitted says that the chunk's
	// turn has come.
	row, mark int
	admitted  bool
	place     int // in the source's queue
}

// input is what a partition is to the engine before it is decoded.
type input interface {
	Name() string
	Next(ctx context.Context) (connector.Chunk, error)
	Close() error
}

// UnitError is a timestamp that is a number without a unit, with its place. The line is known when the chunk's turn
// has come.
type UnitError struct {
	Source, Partition string
	Line              int
	Cause             *watermark.UnitError
}

// Error names the place, the number and the unit that would fit.
func (e *UnitError) Error() string {
	return fmt.Sprintf("%s: %s, line %d: %v; write timestamp: {expr: …, unit: …}", e.Source, e.Partition, e.Line, e.Cause)
}

// Unwrap gives the cause.
func (e *UnitError) Unwrap() error { return e.Cause }

func newSource(p *plan.Source) *source {
	s := &source{plan: p, dirt: dirt{node: p.Name, paths: p.Dirty.Paths}, watermark: stream.MinTime, deferred: p.NeedsLine}
	if p.Record != nil {
		s.record = codec.NewJSONEncoder(*p.Record, codec.RFC3339)
	}
	if m := p.Watermark.Marker; m != nil {
		for _, path := range m.Program.Uses() {
			s.deferred = s.deferred || len(path) == 1 && path[0] == "max_event_time"
		}
	}
	if l, ok := p.Options.(interface{ LongestLine() int }); ok {
		s.maxLine = l.LongestLine()
	}
	return s
}

func (s *source) unit() (watermark.Unit, *time.Location) {
	if t := s.plan.Timestamp; t != nil {
		return t.Unit, t.Zone
	}
	return watermark.NoUnit, nil
}

// steps appends the steps that a batch's event times make, and gives the greatest of them and former.
func (s *source) steps(marks []stream.Mark, b *stream.Batch, former stream.Time) ([]stream.Mark, stream.Time) {
	strategy := s.plan.Watermark.Strategy
	if k := strategy.Kind; k == watermark.Bounded || k == watermark.Monotonous {
		return strategy.AppendMarks(marks, b.Times, b.Sel, former)
	}
	each(b, func(row int32) { former = max(former, b.Times[row]) })
	return marks, former
}

// decodeStep says for the report where a line's fault was found.
func (s *source) decodeStep(field string) *plan.Step {
	if field == "" {
		return lineStep
	}
	return &plan.Step{Clause: "field", Field: field}
}

// lineStep stands for reading a line.
var lineStep = &plan.Step{Clause: "line"}

// work gives a work that is free, or a new one.
func (s *source) work(p *partition) *work {
	var w *work
	if n := len(s.free); n > 0 {
		w, s.free = s.free[n-1], s.free[:n-1]
	} else {
		w = newWork(s)
	}
	w.partition, w.done, w.err = p, false, nil
	return w
}

// decoder makes a decoder for the source's chunks.
func (s *source) decoder() decoder {
	if p := s.partitions[0]; p.columns != nil {
		return &columnDecoder{reader: p.columns.Reader()}
	}
	lines := lineDecoder{scanner: s.scanner()}
	if csv, ok := lines.scanner.(*codec.CSVScanner); ok {
		return &csvDecoder{lines, csv}
	}
	return &lines
}
