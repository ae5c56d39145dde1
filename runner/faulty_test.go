package runner

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"tidemark/io/connector"
)

// fault is what connectors of type faulty do beside their work. Tests that use them don't run side by side.
var fault faults

// faults counts what happens to connectors, and has something happen at one stage.
type faults struct {
	mu sync.Mutex
	// stage is next, load, close, check, open, write, flush or commit; at says which time that it is come to.
	stage string
	at    int
	// happen is what is done then; its error is what the stage gives.
	happen func(ctx context.Context) error
	seen   map[string]int
	// partitions, committed and aborted count those that were opened and not closed, and how sinks ended.
	partitions         atomic.Int32
	committed, aborted atomic.Int32
}

func (f *faults) reset(stage string, at int, happen func(context.Context) error) {
	f.stage, f.at, f.happen, f.seen = stage, at, happen, map[string]int{}
	f.partitions.Store(0)
	f.committed.Store(0)
	f.aborted.Store(0)
}

// reach says that a stage was come to.
func (f *faults) reach(ctx context.Context, stage string) error {
	f.mu.Lock()
	f.seen[stage]++
	now := f.stage == stage && f.seen[stage] == f.at
	f.mu.Unlock()
	if now {
		return f.happen(ctx)
	}
	return nil
}

func init() {
	connector.Register(connector.Kind{Name: "faulty", Role: connector.SourceRole, New: func() any { return &faultySource{Chunks: 6, Rows: 20} }})
	connector.Register(connector.Kind{Name: "faulty", Role: connector.SinkRole, Formats: []string{"json"}, New: func() any { return &faultySink{} }})
}

// faultySource gives 3 partitions of a number of chunks of a number of rows.
type faultySource struct {
	Chunks int64 `spec:"chunks"`
	Rows   int64 `spec:"rows"`
}

func (s *faultySource) Validate() []connector.Problem { return nil }

func (s *faultySource) Open(ctx context.Context, _ connector.Environment) (list []connector.Partition, err error) {
	for i := range 3 {
		list = append(list, &faultyPartition{faultySource: s, number: i})
		fault.partitions.Add(1)
	}
	return list, nil
}

type faultyPartition struct {
	*faultySource
	number int
	next   int64
	closed sync.Once
}

func (p *faultyPartition) Name() string { return fmt.Sprint("p", p.number) }

func (p *faultyPartition) Next(ctx context.Context) (connector.Chunk, error) {
	if err := fault.reach(ctx, "next"); err != nil {
		return connector.Chunk{}, err
	}
	if p.next == p.Chunks {
		return connector.Chunk{}, io.EOF
	}
	p.next++
	return connector.Chunk{Index: p.next - 1}, nil
}

func (p *faultyPartition) Load(ctx context.Context, c connector.Chunk, buf []byte) ([]byte, error) {
	if err := fault.reach(ctx, "load"); err != nil {
		return nil, err
	}
	buf = buf[:0]
	for i := range p.Rows {
		n := c.Index*p.Rows + i
		buf = fmt.Appendf(buf, `{"k":%d,"ts":%d,"v":"%d"}`+"\n", n%5, 1_700_000_000_000+n*500+int64(p.number), n)
	}
	return connector.Pad(buf), nil
}

func (p *faultyPartition) Close() error {
	p.closed.Do(func() { fault.partitions.Add(-1) })
	return fault.reach(context.Background(), "close")
}

// faultySink takes lines and forgets them.
type faultySink struct{}

func (*faultySink) Validate() []connector.Problem { return nil }

func (*faultySink) Check(connector.Environment) error {
	return fault.reach(context.Background(), "check")
}

func (*faultySink) Open(ctx context.Context, _ connector.Environment) (connector.Output, error) {
	return &faultyOutput{ctx: ctx}, fault.reach(ctx, "open")
}

type faultyOutput struct {
	ctx   context.Context
	ended bool
}

func (o *faultyOutput) Write(p []byte) (int, error) { return len(p), fault.reach(o.ctx, "write") }

func (o *faultyOutput) Flush() error { return fault.reach(o.ctx, "flush") }

func (o *faultyOutput) Commit() error {
	if err := fault.reach(o.ctx, "commit"); err != nil {
		return err
	}
	fault.committed.Add(1)
	o.ended = true
	return nil
}

func (o *faultyOutput) Abort() error {
	if !o.ended {
		fault.aborted.Add(1)
	}
	o.ended = true
	return nil
}
