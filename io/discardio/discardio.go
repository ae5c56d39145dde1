// Package discardio is the sink that throws rows away and counts them. It takes batches, so a pipeline that
// ends in it encodes nothing: what it measures is the pipeline.
package discardio

import (
	"context"

	"tidemark/io/connector"
	"tidemark/stream"
)

func init() {
	connector.Register(connector.Kind{
		Name: "discard", Role: connector.SinkRole,
		Doc: "counts rows and throws them away",
		New: func() any { return new(Options) },
	})
}

// Options are those of a discard sink: none.
type Options struct{}

// Validate implements [connector.Sink].
func (*Options) Validate() []connector.Problem { return nil }

// Check implements [connector.Sink].
func (*Options) Check(connector.Environment) error { return nil }

// Open implements [connector.Sink]. The output is a [*Counter].
func (*Options) Open(context.Context, connector.Environment) (connector.Output, error) {
	return new(Counter), nil
}

// Counter is an output that counts.
type Counter struct{ rows int64 }

var (
	_ connector.RowSink = (*Counter)(nil)
	_ connector.Settler = (*Counter)(nil)
)

// Rows gives the number of rows written so far.
func (c *Counter) Rows() int64 { return c.rows }

// WriteRows implements [connector.RowSink].
func (c *Counter) WriteRows(b *stream.Batch, _ []string) error {
	c.rows += int64(b.Selected())
	return nil
}

// Settle implements [connector.Settler]: nothing is kept that could be lost.
func (*Counter) Settle(context.Context) error { return nil }

// Flush implements [connector.Output].
func (*Counter) Flush() error { return nil }

// Commit implements [connector.Output].
func (*Counter) Commit() error { return nil }

// Abort implements [connector.Output].
func (*Counter) Abort() error { return nil }
