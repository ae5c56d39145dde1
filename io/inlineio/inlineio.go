// Package inlineio reads records that stand in the pipeline file itself.
package inlineio

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"sync/atomic"

	"tidemark/io/connector"
)

func init() {
	connector.Register(connector.Kind{
		Name: "inline", Role: connector.SourceRole,
		Doc:     "gives the records that stand in the pipeline file",
		Formats: []string{"json"},
		New:     func() any { return &Options{} },
	})
}

// Options are those of an inline source.
type Options struct {
	Rows [][]byte `spec:"rows,required,records" example:"rows: [{user: a, n: 1}]" doc:"the records, in order"`
}

var _ connector.Source = (*Options)(nil)

// Validate implements [connector.Source]. What can be wrong with a record was seen when it was decoded.
func (o *Options) Validate() []connector.Problem { return nil }

// Open implements [connector.Source]: the records are one partition, each a line of JSON.
func (o *Options) Open(_ context.Context, env connector.Environment) ([]connector.Partition, error) {
	return []connector.Partition{&partition{rows: o.Rows, chunk: env.Chunk()}}, nil
}

// partition is the records. Its chunks are whole records, as many as it takes to fill one.
type partition struct {
	rows  [][]byte
	chunk int64

	index, row, offset int64 // of the next chunk
	closed             atomic.Bool
}

// Name implements [connector.Partition].
func (p *partition) Name() string { return "rows" }

// Next implements [connector.Partition].
func (p *partition) Next(ctx context.Context) (connector.Chunk, error) {
	if err := ctx.Err(); err != nil {
		return connector.Chunk{}, err
	}
	if p.closed.Load() {
		return connector.Chunk{}, fmt.Errorf("rows: %w", os.ErrClosed)
	}
	if p.row == int64(len(p.rows)) {
		return connector.Chunk{}, io.EOF
	}
	c := connector.Chunk{Index: p.index, Offset: p.offset, End: p.offset}
	first := p.row
	for ; p.row < int64(len(p.rows)) && c.End-c.Offset < p.chunk; p.row++ {
		c.End += int64(len(p.rows[p.row])) + 1
	}
	c.Fetch = p.rows[first:p.row]
	p.index, p.offset = p.index+1, c.End
	return c, nil
}

// Load implements [connector.Partition].
func (p *partition) Load(ctx context.Context, c connector.Chunk, buf []byte) ([]byte, error) {
	buf = slices.Grow(buf[:0], int(c.End-c.Offset)+connector.Padding)
	for _, row := range c.Fetch.([][]byte) {
		buf = append(append(buf, row...), '\n')
	}
	return connector.Pad(buf), ctx.Err()
}

// Close implements [connector.Partition].
func (p *partition) Close() error {
	p.closed.Store(true)
	return nil
}
