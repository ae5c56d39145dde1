package runner

import (
	"context"
	"fmt"
	"slices"
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
	// watermark is the source's combined watermark.
	watermark stream.Time
	// reader is what a source of records is read from.
	reader connector.RecordReader
	// growing is what a source of lines without an end is read from.
	growing connector.GrowingReader
	meter   *meter
	// combiner follows the watermark in a run without an end, idle says that all partitions are idle, and shown are
	// the steps of the piece at hand. limit gives the greatest event time that moves the watermark now.
	combiner *watermark.Combiner
	idle     bool
	shown    []stream.Mark
	limit    func() stream.Time
	// clock is the time of day in a run without an end; else nil.
	clock func() time.Time
	// pending is the combined watermark that the next tick gives, where watermarks are periodic.
	pending stream.Time
	leap    leap
	free    []*work
	// doubts is for sources of CSV.
	doubts doubts
	first  []stream.Time // event times of the first records
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
	records connector.RecordPartition
	// taken lets the feed of a partition go on; nil where workers wait for chunks themselves. arrived is the chunk
	// that waits to be claimed, and beat when the partition was last heard of.
	taken   chan struct{}
	arrived *connector.Chunk
	beat    time.Time

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
	ended     bool
	place     int // in the source's queue
	// ahead and values make the steps of the watermark where max_ahead or per has a say.
	ahead  *watermark.Ahead
	values *values
	// position is the offset behind the last chunk that had its turn, and passedBy the one behind the last that arrived.
	position, passedBy int64
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
	// Place names the record where it has no line.
	Place string
	Cause *watermark.UnitError
}

// Error names the place, the number and the unit that would fit.
func (e *UnitError) Error() string {
	if e.Place != "" {
		return fmt.Sprintf("%s: %s: %v; write timestamp: {expr: …, unit: …}", e.Source, e.Place, e.Cause)
	}
	return fmt.Sprintf("%s: %s, line %d: %v; write timestamp: {expr: …, unit: …}", e.Source, e.Partition, e.Line, e.Cause)
}

// Unwrap gives the cause.
func (e *UnitError) Unwrap() error { return e.Cause }

func newSource(p *plan.Source) *source {
	s := &source{plan: p, dirt: dirt{node: p.Name, paths: p.Dirty.Paths}, watermark: stream.MinTime, pending: stream.MinTime,
		deferred: p.NeedsLine || p.Watermark.OnRegress != plan.RegressIgnored}
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

// steps makes the steps of the watermark that the chunk's event times lead to, and finds the greatest of these and
// of former.
func (w *work) steps(former stream.Time) {
	strategy, b := w.source.plan.Watermark.Strategy, &w.stage.batch
	rows := b.Sel
	if w.ahead = 0; w.source.limit != nil {
		rows = w.notAhead(b, w.limit)
	}
	if k := strategy.Kind; k == watermark.Bounded || k == watermark.Monotonous {
		w.marks, w.greatest = strategy.AppendMarks(w.marks, b.Times, rows, former)
		return
	}
	w.greatest = former
	each(b, func(row int32) { w.greatest = max(w.greatest, b.Times[row]) })
}

// notAhead gives the rows up to a time, and counts the others.
func (w *work) notAhead(b *stream.Batch, limit stream.Time) []int32 {
	each(b, func(row int32) {
		if b.Times[row] > limit {
			if w.ahead == 0 {
				w.firstAhead = row
			}
			w.ahead++
		}
	})
	if w.ahead == 0 {
		return b.Sel
	}
	w.near = slices.Grow(w.near[:0], b.N) // not nil, which would stand for all rows
	each(b, func(row int32) {
		if b.Times[row] <= limit {
			w.near = append(w.near, row)
		}
	})
	return w.near[:len(w.near):len(w.near)]
}

// newRecordPartition makes a partition of records.
func newRecordPartition(s *source, r connector.RecordPartition) *partition {
	p := s.partition(&partition{input: r, records: r, position: r.Start()})
	p.taken = make(chan struct{}, 1)
	return p
}

// partition gets a partition ready. One whose input comes as it is made is fed, so that no worker waits for it.
func (s *source) partition(p *partition) *partition {
	p.source, p.name, p.watermark, p.greatest = s, p.input.Name(), stream.MinTime, stream.MinTime
	if s.comesAsMade() {
		p.taken = make(chan struct{}, 1)
	}
	return p
}

// comesAsMade reports whether the input comes as it is made, so that what it leads to should not wait for more of it.
func (s *source) comesAsMade() bool {
	paced, ok := s.plan.Options.(interface{ Paced() bool })
	return !s.plan.Main.Bounded || ok && paced.Paced()
}

// decodeStep says for the report where a line's fault was found.
func (s *source) decodeStep(field string) *plan.Step {
	if field == "" {
		return lineStep
	}
	if step := s.derivation(field); step != nil {
		return step
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
	switch p := s.partitions[0]; {
	case p.columns != nil && s.plan.Derive != nil:
		return &derivingDecoder{decoder: &columnDecoder{reader: p.columns.Reader()}, stage: newStage(s.plan.Derive)}
	case p.columns != nil:
		return &columnDecoder{reader: p.columns.Reader()}
	case p.records != nil:
		return newRecordDecoder(s)
	}
	lines := lineDecoder{scanner: s.scanner()}
	if csv, ok := lines.scanner.(*codec.CSVScanner); ok {
		return &csvDecoder{lines, csv}
	}
	return &lines
}
