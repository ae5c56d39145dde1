package runner

import (
	"context"
	"fmt"
	"sort"
	"time"

	"tidemark/io/connector"
	"tidemark/operators/expression"
	"tidemark/operators/state"
	"tidemark/operators/watermark"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// work is a chunk and everything that can be done with it before its turn comes. Works are used again for other
// chunks of the same source.
type work struct {
	source    *source
	partition *partition
	chunk     connector.Chunk
	decoder   decoder
	// records is the decoder where it reads records that know their places; else nil. arrival orders chunks of
	// inputs that have no end.
	records   *recordDecoder
	arrival   uint64
	scanned   stream.Batch
	stage     *stage
	times     *stage
	extractor *watermark.Extractor
	region    []regionWork
	// failed are lines and timestamps that could not be used, in the order of rows.
	failed []failure
	marks  []stream.Mark
	// former is the partition's greatest event time before the chunk, where evaluation had to wait for it;
	// greatest is that of the chunk and of former.
	former, greatest stream.Time
	// marker evaluates a punctuated strategy's expression; marked are the rows with one.
	marker      *expression.Evaluator
	marked      []int32
	markerTimes []stream.Time
	// before is the number of lines, or rows of columns, before the chunk, known when its turn comes.
	before int
	// limit is the greatest event time that moves the watermark, where the clock says so.
	limit stream.Time
	// ahead are the rows whose times were too far ahead to move the watermark, the first of them firstAhead; near are
	// the others.
	ahead      int
	firstAhead int32
	near       []int32
	// regressed are the rows behind others where none should be, the first of them firstRegress, by regressedBy.
	regressed    int
	firstRegress int32
	regressedBy  stream.Time
	// valueOf evaluates whose watermark a record counts for; valueKeys are its values.
	valueOf   *expression.Evaluator
	valueKeys state.Keys
	// prepared is the time that evaluate spent for other nodes.
	prepared time.Duration
	// skipped says that the chunk was not read, since none of its rows count.
	skipped bool
	// done says that the work waits for its turn; err is why it cannot go on.
	done bool
	err  error
}

func newWork(s *source) *work {
	w := &work{
		source: s, decoder: s.decoder(),
		stage: newStage(&s.plan.Stage), extractor: watermark.NewExtractor(s.unit()),
	}
	w.records, _ = w.decoder.(*recordDecoder)
	for _, r := range s.region {
		w.region = append(w.region, r.open())
	}
	return w
}

// decode decodes the chunk and, unless that has to wait for its turn, evaluates it.
func (w *work) decode(ctx context.Context, c connector.Chunk) {
	w.chunk, w.err, w.prepared = c, nil, 0
	if w.skipped = w.skip(c); w.skipped {
		return
	}
	bad, err := w.decoder.decode(ctx, w.partition, c, &w.scanned)
	if err != nil {
		w.err = fmt.Errorf("%s: %w", w.source.plan.Name, err)
		return
	}
	w.failed = w.failed[:0]
	for _, b := range bad {
		w.failed = append(w.failed, failure{row: b.Row, step: w.source.decodeStep(b.Field), message: b.Reason})
	}
	if !w.source.deferred {
		w.evaluate(stream.MinTime)
	}
}

// evaluate reads event times, makes the steps of the watermark and prepares the region. former is the greatest
// time of the partition before the chunk, as far as that matters.
func (w *work) evaluate(former stream.Time) {
	w.former, w.greatest, w.marks = former, former, w.marks[:0]
	if w.source.limit != nil {
		w.limit = w.source.limit()
	}
	w.stage.load(&w.scanned, w.fact)
	if w.source.plan.Timestamp != nil {
		if !w.timestamps() {
			return
		}
		w.stage.load(&w.scanned, w.again)
		if !w.regress(former) {
			return
		}
	}
	w.stage.steps()
	if per := w.source.plan.Watermark.Per; per != nil && w.source.plan.Timestamp != nil {
		w.valuesOf(per)
	}
	if w.source.plan.Timestamp != nil {
		w.steps(former)
	}
	if w.source.plan.Watermark.Marker != nil && w.source.plan.Timestamp != nil {
		w.markers()
	}
	sort.SliceStable(w.failed, func(i, j int) bool { return w.failed[i].row < w.failed[j].row })
	for i := range w.region {
		in := &w.stage.batch
		if from := w.source.region[i].from; from >= 0 {
			in = &w.region[from].transform.batch
		}
		began := time.Now()
		w.region[i].prepare(in)
		spent := time.Since(began)
		w.source.region[i].meter().add(spent)
		w.prepared += spent
	}
}

// valuesOf evaluates whose watermark each record counts for. What is read of it is the chunk's, so it stays.
func (w *work) valuesOf(per *plan.Step) {
	if w.valueOf == nil {
		w.valueOf = per.Program.NewEvaluator(per.Columns)
	}
	column := w.stage.evaluate(per, w.valueOf)
	w.takeFailed(w.stage)
	w.valueKeys.Set([]*stream.Column{column}, w.stage.batch.Sel, w.stage.batch.N)
}

// timestamps sets the batch's event times. It reports false where the run cannot go on.
func (w *work) timestamps() bool {
	t := w.source.plan.Timestamp
	if t.Arrival && w.source.clock != nil {
		now := stream.Time(w.source.clock().UnixMilli())
		w.scanned.Times = stream.Resize(w.scanned.Times, w.scanned.N)
		for i := range w.scanned.Times {
			w.scanned.Times[i] = now
		}
		return true
	}
	if w.times == nil {
		w.times = newTimes(w.source)
	}
	w.times.batch = w.stage.batch
	column := w.times.evaluate(&t.Step, w.times.evaluators[0])
	w.takeFailed(w.times)
	w.scanned.Sel = w.times.batch.Sel
	w.scanned.Times = stream.Resize(w.scanned.Times, w.scanned.N)
	failures, fatal := w.extractor.Extract(column, w.scanned.Sel, w.scanned.Times)
	if fatal != nil {
		w.err = &UnitError{Source: w.source.plan.Name, Partition: w.file(), Cause: fatal}
		return false
	}
	if len(failures) > 0 {
		w.dropUndated(failures)
	}
	return true
}

// takeFailed takes over the rows that a stage had no value for.
func (w *work) takeFailed(s *stage) {
	w.failed = append(w.failed, s.failed...)
	s.failed = s.failed[:0]
}

// dropUndated takes the rows without an event time out of the batch.
func (w *work) dropUndated(failures []watermark.Failure) {
	kept := w.times.selection()
	next := 0
	each(&w.scanned, func(row int32) {
		if next < len(failures) && failures[next].Row == row {
			w.failed = append(w.failed, failure{row, &w.source.plan.Timestamp.Step, failures[next].Reason})
			next++
			return
		}
		kept = append(kept, row)
	})
	w.times.selected(kept)
	w.scanned.Sel = kept
}

// line gives the number of a row's line in its file, from 1, once the work's turn has come.
func (w *work) line(row int) int { return w.before + w.decoder.place(row) + 1 }

// file gives the name of the file that the chunk is of.
func (w *work) file() string { return w.partition.fileOf(w.chunk) }

// fileOf gives the name of the file that a chunk is of.
func (p *partition) fileOf(c connector.Chunk) string {
	if c.File != "" {
		return c.File
	}
	return p.name
}

// describe says of a row that could not be used where it is and why, with the expression if one is to blame.
func (w *work) describe(f *failure) string {
	text := fmt.Sprintf("%s: %s", w.where(int(f.row)), f.step.Redact(f.message))
	if f.step.Program != nil && f.step.Node != nil && !f.step.Node.Secret() {
		text += fmt.Sprintf(" (%s: %s)", f.step.Clause, f.step.Node.Text)
	}
	return text
}

// where names a row for people.
func (w *work) where(row int) string {
	if w.records != nil {
		return w.records.loader.Place(row)
	}
	return fmt.Sprintf("%s line %d", w.file(), w.line(row))
}

// meta gives where a row was read.
func (w *work) meta(row int) map[string]any {
	if w.records != nil {
		return w.records.loader.Meta(row)
	}
	return map[string]any{"file": w.file(), "line": int64(w.line(row)), "partition": int64(w.partition.number)}
}

// longSample is how much is shown of a line that is longer than lines may be.
const longSample = 1 << 10

// sample gives the text of a row for the dirty output, in memory of its own. Of a line that was too long it is the
// beginning: how much of such a line was read is no part of a result.
func (w *work) sample(row int) []byte {
	text := w.decoder.text(row)
	if text == nil {
		return nil
	}
	if most := w.source.maxLine; most > 0 && len(text) > most {
		text = text[:min(longSample, most)]
	}
	return append([]byte{}, text...)
}
