package connector

import (
	"context"
	"errors"
	"io"

	"tidemark/stream"
)

// ErrClosed says that whoever reads an output has gone away, as head does when it has seen enough. It ends a
// run quietly.
var ErrClosed = errors.New("the reader of the output has closed it")

// Sink is the decoded options of a sink kind.
type Sink interface {
	// Validate gives what is wrong with the options by themselves, without looking at the world.
	Validate() []Problem
	// Check says whether Open would fail for a reason that can be known before a run starts, such as a
	// target that exists. It changes nothing.
	Check(env Environment) error
	// Open gets ready to write.
	Open(ctx context.Context, env Environment) (Output, error)
}

// Targeted is a sink of which no two in a pipeline may have the same target.
type Targeted interface {
	// Target names what is written to; empty where sharing is harmless.
	Target() string
}

// Numbered is a [Targeted] sink that may write several files.
type Numbered interface {
	Targeted
	// Numbers reports whether one of them may be another sink's target.
	Numbers(target string) bool
}

// Replacing is a [Targeted] sink that puts its files in the place of others.
type Replacing interface {
	Targeted
	// Replaces finds a file that is there now, would be replaced, and is meant, and gives it as the options name it;
	// "" without. meant is given paths in the way of Target.
	Replaces(meant func(target string) bool) string
}

// Output is an open sink. It is a [ByteSink] or a [RowSink] too. One goroutine at a time may use it. After an
// error only Abort makes sense.
type Output interface {
	// Flush hands on what is buffered; the engine calls it when its input is idle, and at the end.
	Flush() error
	// Commit makes all that was written final and closes the output.
	Commit() error
	// Abort takes back what was written, as far as that can be done, and closes the output. After Commit it
	// does nothing.
	Abort() error
}

// ByteSink takes encoded lines. Each Write is of whole lines.
type ByteSink interface {
	Output
	io.Writer
}

// Writer is the short name of a [ByteSink].
type Writer = ByteSink

// RowSink takes rows as values. An output that is a ByteSink too can show records whose fields no column
// holds; the engine then writes encoded lines to it.
type RowSink interface {
	Output
	// WriteRows takes the selected rows of a batch; names[i] is the name of column i.
	WriteRows(b *stream.Batch, names []string) error
}

// WatermarkSink is an output that can show the steps of the watermark among the rows.
type WatermarkSink interface {
	// Watermarks reports whether the pipeline wants to see them.
	Watermarks() bool
	// WriteWatermark shows that the watermark has risen to t.
	WriteWatermark(t stream.Time) error
}
