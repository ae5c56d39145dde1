package runner

import (
	"context"
	"fmt"

	"tidemark/io/connector"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// open builds the nodes and opens sources and sinks.
func (e *engine) open(ctx context.Context, p *plan.Plan) error {
	if err := e.build(ctx, p); err != nil {
		return err
	}
	for _, s := range e.sources {
		if err := e.openSource(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s.plan.Name, err)
		}
	}
	e.commits.begin(e)
	return nil
}

// chunkBudget is the memory that the chunks at hand should fit in when there are many partitions, and smallChunk the
// least that a chunk is cut to for it.
const (
	chunkBudget = 32 << 20
	smallChunk  = 16 << 10
)

func (e *engine) openSource(ctx context.Context, s *source) error {
	e.watch.enter(e.meter(s.plan.Name))
	s.meter = e.meter(s.plan.Name)
	env := connector.Environment{Node: s.plan.Name, ChunkSize: e.options.ChunkSize, Stdin: e.options.Stdin, Clock: e.options.Clock, Format: s.plan.Format, CSV: s.csv(),
		Warn: func(message string) { e.warn(s.plan.Name + ": " + message) }}
	s.doubts.warn = env.Warn
	partitions, err := s.open(ctx, env)
	if size := chunkBudget / int64(max(len(partitions), 1)); err == nil && s.reader == nil && s.growing == nil && env.ChunkSize == 0 && size < connector.DefaultChunkSize {
		env.ChunkSize = max(size, smallChunk)
		partitions, err = s.open(ctx, env)
	}
	if err != nil {
		return err
	}
	e.prompt = e.prompt || s.comesAsMade()
	for i, p := range partitions {
		s.partition(p).number = i
		s.partitions = append(s.partitions, p)
		s.queue.Push(p)
	}
	if ahead := stream.Time(s.plan.Watermark.MaxAhead); ahead > 0 && !s.plan.Main.Bounded {
		s.limit = func() stream.Time { return stream.Time(e.options.now().UnixMilli()) + ahead }
	}
	if e.unbounded {
		s.clock = e.options.now
		if err := s.combine(); err != nil {
			return err
		}
	}
	if len(partitions) == 0 && s.plan.Main.Bounded {
		s.watermark = stream.MaxTime
		e.mark(s, stream.MaxTime)
	}
	return nil
}

// open gives the source's partitions, not yet at work.
func (s *source) open(ctx context.Context, env connector.Environment) ([]*partition, error) {
	var list []*partition
	if records, ok := s.plan.Options.(connector.RecordSource); ok {
		reader, err := records.OpenRecords(ctx, env, s.plan.Facts)
		if err != nil {
			return nil, err
		}
		s.reader = reader
		for _, r := range reader.Partitions() {
			list = append(list, newRecordPartition(s, r))
		}
		return list, nil
	}
	if lines, ok := s.plan.Options.(connector.Growing); ok && !lines.Bounded() {
		reader, err := lines.OpenGrowing(ctx, env)
		if err != nil {
			return nil, err
		}
		s.growing = reader
		for _, l := range reader.Partitions() {
			list = append(list, &partition{input: l, lines: l})
		}
		return list, nil
	}
	if columnar, ok := s.plan.Options.(connector.Columnar); ok {
		inputs, err := columnar.OpenColumns(ctx, env, s.plan.Columns)
		for _, p := range inputs {
			list = append(list, &partition{input: p, columns: p})
		}
		return list, err
	}
	inputs, err := s.plan.Options.(connector.Source).Open(ctx, env)
	for _, p := range inputs {
		list = append(list, &partition{input: p, lines: p})
	}
	return list, err
}
