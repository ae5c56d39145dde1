package stdoutio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"tidemark/io/connector"
)

func init() {
	connector.Register(connector.Kind{
		Name: "stdout", Role: connector.SinkRole,
		Doc:     "prints rows on standard output, as JSON lines, as CSV or as a table",
		Formats: []string{"json", "csv", "table"},
		New:     func() any { return new(Options) },
	})
}

// Options are those of a stdout sink.
type Options struct {
	Watermarks bool `spec:"watermarks" doc:"whether to show the steps of the watermark among the rows"`
}

var _ connector.Sink = (*Options)(nil)

// Validate implements [connector.Sink].
func (*Options) Validate() []connector.Problem { return nil }

// Check implements [connector.Sink].
func (*Options) Check(connector.Environment) error { return nil }

// Open implements [connector.Sink]. The output is a [*Table] if the format is table, else [*Lines].
func (o *Options) Open(_ context.Context, env connector.Environment) (connector.Output, error) {
	w := env.Stdout
	if w == nil {
		w = os.Stdout
	}
	if env.Format == "table" {
		t := NewTable(w)
		t.watermarks, t.times = o.Watermarks, env.Times
		return t, nil
	}
	return &Lines{pen: pen{w: w, buf: append([]byte(nil), env.Header...)}, watermarks: o.Watermarks}, nil
}

// bufferSize is from how many bytes on the buffer is written without being asked.
const bufferSize = 64 << 10

// pen buffers whole lines and writes them. After an error it keeps giving that.
type pen struct {
	w   io.Writer
	buf []byte
	err error
}

// Flush implements [connector.Output].
func (p *pen) Flush() error {
	if p.err == nil && len(p.buf) > 0 {
		_, err := p.w.Write(p.buf)
		p.err = wrap(err)
	}
	p.buf = p.buf[:0]
	return p.err
}

// Settle implements [connector.Settler]: what was flushed is printed, and can't be made any safer.
func (*pen) Settle(context.Context) error { return nil }

// full writes the buffer if it is large.
func (p *pen) full() error {
	if len(p.buf) < bufferSize {
		return p.err
	}
	return p.Flush()
}

// Commit implements [connector.Output].
func (p *pen) Commit() error { return p.Flush() }

// Abort implements [connector.Output]. What was printed stays, and so the lines still buffered are printed:
// a run that stops should not hide what it has found.
func (p *pen) Abort() error {
	if errors.Is(p.err, connector.ErrClosed) {
		return nil
	}
	return p.Flush()
}

func wrap(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe), errors.Is(err, os.ErrClosed):
		return fmt.Errorf("standard output: %w", connector.ErrClosed)
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("standard output: the disk is full; free some space, then run again: %w", err)
	}
	return fmt.Errorf("standard output can't be written: %w", err)
}
