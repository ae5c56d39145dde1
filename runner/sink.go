package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// sink is a sink at work.
type sink struct {
	plan     *plan.Sink
	engine   *engine
	counts   *Counts
	meter    *meter
	dirt     dirt
	out      connector.Output
	records  *recordWriter
	marks    *markWriter
	bytes    connector.ByteSink
	rows     connector.RowSink
	encoders []rowEncoder         // by input
	made     []rowEncoder         // all there are, those of workers too
	objects  []*codec.JSONEncoder // by input; made when the first row can't be written
	text     []byte
	shown    stream.Batch
	keyed    stream.Batch // the rows of a batch that have a key
	names    []string
	// gathered are the lines of each input of a piece, where there is more than one input.
	gathered []gatheredLines
	order    merge
	fail     func(error)
}

// gatheredLines are lines that wait for being merged by cause.
type gatheredLines struct {
	text  []byte
	ends  []int
	ranks []rank
}

func openSink(ctx context.Context, p *plan.Sink, e *engine) (*sink, error) {
	s := &sink{plan: p, engine: e, meter: e.meter(p.Name), fail: e.fail, dirt: dirt{node: p.Name}}
	if p.Dirty != nil {
		s.dirt.paths = p.Dirty.Paths
	}
	env := environment(p, e.options)
	env.Unbounded = e.unbounded
	env.Warn = func(message string) { e.warn(p.Name + ": " + message) }
	out, err := p.Options.(connector.Sink).Open(ctx, env)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	s.out = out
	s.bytes, _ = out.(connector.ByteSink)
	s.rows, _ = out.(connector.RowSink)
	for i := range p.Layouts {
		s.encoders = append(s.encoders, s.encoder(i))
	}
	if records, ok := out.(connector.RecordSink); ok {
		s.records = newRecordWriter(s, records)
	}
	s.marks = newMarkWriter(out, len(p.Inputs))
	if s.bytes != nil && (len(p.Inputs) > 1 || p.Layouts[0].Base >= 0 || len(p.Layouts[0].Choices) > 0) {
		s.rows = nil // no columns to show
	}
	if typed, ok := out.(connector.TypedSink); ok {
		if err := typed.SetFields(p.Fields); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", p.Name, err), out.Abort())
		}
	}
	if s.rows != nil && len(p.Layouts) > 0 {
		for _, f := range p.Layouts[0].Fields {
			s.names = append(s.names, f.Name)
		}
	}
	if len(p.Inputs) > 1 && s.records == nil {
		s.gathered = make([]gatheredLines, len(p.Inputs))
	}
	return s, nil
}

// environment is what a sink's connector needs of the run.
func environment(p *plan.Sink, o Options) connector.Environment {
	return connector.Environment{Node: p.Name, Pipeline: o.pipeline, Format: p.Format, Times: p.TimeFormat, Header: header(p), Stdout: o.Stdout}
}

// encoder makes an encoder for the records of an input.
func (s *sink) encoder(input int) rowEncoder {
	e := newEncoder(s.plan, input)
	s.made = append(s.made, e)
	return e
}

// nonFinite says of each field how many numbers the format has no words for.
func (s *sink) nonFinite() []string {
	counts := map[string]int64{}
	for _, e := range s.made {
		e.NonFinite(func(field string, n int64) { counts[field] += n })
	}
	var list []string
	for _, field := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, fmt.Sprintf("%s: %s of %q %s written as %s, being NaN or infinite",
			s.plan.Name, count(counts[field], "value", "values"), field, was(int(counts[field])), nothing(s.plan)))
	}
	return list
}

// take implements node.
func (s *sink) take(input int, b *stream.Batch) {
	n := int64(b.Selected())
	s.counts.In += n
	s.counts.Used += n
	s.counts.Out += n
	switch {
	case s.marks != nil && s.gathered == nil:
		s.marks.between(s, input, b, func(rows *stream.Batch) { s.put(input, rows) })
		return
	case s.marks != nil:
		s.marks.gathered(input, b)
	}
	if n > 0 {
		s.put(input, b)
	}
}

// put writes the rows of a batch.
func (s *sink) put(input int, b *stream.Batch) {
	if s.records == nil && s.plan.Keys != nil { // which writers of records look at themselves
		b = s.withKeys(input, b)
	}
	switch {
	case s.records != nil:
		s.records.take(input, b)
	case s.rows != nil:
		s.show(b)
	case s.gathered != nil:
		s.gather(input, b)
	default:
		s.text = s.text[:0]
		each(b, func(row int32) { s.text = s.encoders[input].Append(s.text, b, int(row)) })
		s.write(s.text)
	}
}

// withKeys leaves out the rows whose key is null: nothing could take their places.
func (s *sink) withKeys(input int, b *stream.Batch) *stream.Batch {
	rows := slices.Grow(s.keyed.Sel[:0], b.N) // not nil, which would stand for all rows
	each(b, func(row int32) {
		if s.plan.Keys[input].Null(b, int(row)) {
			s.unwritten(b, input, row, "the key is null", nil)
			return
		}
		rows = append(rows, row)
	})
	s.keyed = *b
	s.keyed.Sel = rows
	return &s.keyed
}

// show gives the rows of a batch to a sink that takes values.
func (s *sink) show(b *stream.Batch) {
	if len(s.plan.Layouts) == 0 {
		s.check(s.rows.WriteRows(b, nil))
		return
	}
	columns := s.shown.Columns[:0]
	for _, f := range s.plan.Layouts[0].Fields {
		columns = append(columns, b.Columns[f.Column])
	}
	s.shown = *b
	s.shown.Columns = columns
	if s.plan.Fields != nil {
		s.fit(&s.shown, b)
	}
	s.check(s.rows.WriteRows(&s.shown, s.names))
}

// gather keeps the lines of a batch until the piece is through.
func (s *sink) gather(input int, b *stream.Batch) {
	g := &s.gathered[input]
	each(b, func(row int32) {
		g.text = s.encoders[input].Append(g.text, b, int(row))
		g.ends = append(g.ends, len(g.text))
		g.ranks = append(g.ranks, rankOf(b, int(row)))
	})
}

// takeLines takes lines that were encoded already.
func (s *sink) takeLines(text []byte, n int) {
	s.counts.In += int64(n)
	s.counts.Used += int64(n)
	s.counts.Out += int64(n)
	s.write(text)
}

func (s *sink) write(text []byte) {
	if len(text) > 0 {
		_, err := s.bytes.Write(text)
		s.check(err)
	}
}

func (s *sink) check(err error) {
	switch {
	case err == nil:
	case errors.Is(err, connector.ErrClosed):
		s.fail(err)
	default:
		s.fail(fmt.Errorf("%s: %w", s.plan.Name, err))
	}
}

// flush implements node: it writes what was gathered, and hands on what could not be written.
func (s *sink) flush() {
	if s.records != nil {
		s.records.flush()
		s.refused()
	}
	if s.gathered != nil {
		s.writeGathered()
		if s.marks != nil {
			s.marks.flush(s)
		}
	}
	s.dirt.flush()
}

// writeGathered writes the lines of all inputs merged by cause.
func (s *sink) writeGathered() {
	s.text = s.text[:0]
	s.order.each(len(s.gathered), func(i int) int { return len(s.gathered[i].ends) },
		func(a, b element) bool {
			return s.gathered[a.sequence].ranks[a.index].before(s.gathered[b.sequence].ranks[b.index])
		},
		func(e element) {
			g, start := &s.gathered[e.sequence], 0
			if e.index > 0 {
				start = g.ends[e.index-1]
			}
			s.text = append(s.text, g.text[start:g.ends[e.index]]...)
		})
	for i := range s.gathered {
		g := &s.gathered[i]
		g.text, g.ends, g.ranks = g.text[:0], g.ends[:0], g.ranks[:0]
	}
	s.write(s.text)
}

func searchRow(rows []int32, row int32) int {
	i, _ := slices.BinarySearch(rows, row)
	return i
}
