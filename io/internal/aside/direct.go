package aside

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"tidemark/io/connector"
)

// directOutput writes to a pipe or a device. What was written can not be taken back.
type directOutput struct {
	path   string
	buffer *bufio.Writer
	closer io.Closer // nil for what is not ours to close
	stdout bool      // whose reader may have seen enough
	done   bool
}

var _ connector.ByteSink = (*directOutput)(nil)

// OpenDirect opens a pipe or a device; what is written to it can not be taken back. It waits for the reader of a
// named pipe until ctx is done.
func OpenDirect(ctx context.Context, path string, env connector.Environment) (connector.ByteSink, error) {
	d := &directOutput{path: path}
	var w io.Writer
	switch clean := filepath.Clean(path); {
	case clean == "/dev/stdout" && env.Stdout != nil:
		w, d.stdout = env.Stdout, true
	case clean == "/dev/stdout":
		w, d.stdout = os.Stdout, true
	case clean == "/dev/stderr":
		w = os.Stderr
	default:
		f, err := openForWriting(ctx, path)
		if err != nil {
			return nil, err
		}
		w, d.closer = f, f
	}
	d.buffer = bufio.NewWriterSize(w, bufferSize)
	return d, nil
}

// openForWriting waits for the reader of a named pipe until ctx is done.
func openForWriting(ctx context.Context, path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|syscall.O_NONBLOCK, 0)
		if !errors.Is(err, syscall.ENXIO) {
			if err != nil {
				return nil, WriteError(path, err)
			}
			return f, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%s: nobody reads this pipe: %w", path, ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Write implements [connector.ByteSink].
func (d *directOutput) Write(p []byte) (int, error) {
	n, err := d.buffer.Write(p)
	return n, d.wrap(err)
}

// Flush implements [connector.Output].
func (d *directOutput) Flush() error { return d.wrap(d.buffer.Flush()) }

// Commit implements [connector.Output].
func (d *directOutput) Commit() error {
	if err := d.Flush(); err != nil {
		return err
	}
	return d.Abort()
}

// Abort implements [connector.Output]. It drops what is buffered.
func (d *directOutput) Abort() error {
	if d.done || d.closer == nil {
		return nil
	}
	d.done = true
	return d.wrap(d.closer.Close())
}

func (d *directOutput) wrap(err error) error {
	switch {
	case errors.Is(err, syscall.EPIPE) && d.stdout:
		return fmt.Errorf("%s: %w", d.path, connector.ErrClosed)
	case errors.Is(err, syscall.EPIPE):
		return fmt.Errorf("%s: the reader of the pipe went away before all was written", d.path)
	}
	return WriteError(d.path, err)
}
