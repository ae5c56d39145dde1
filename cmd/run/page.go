package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"
)

// page is the standard output of commands that print, which are all but run. When its reader has seen enough
// (`| head`), the rest goes nowhere: the command ends quietly, with the exit code of what it found.
type page struct {
	out    io.Writer
	closed bool
}

// gone reports whether what can't be written to has lost its reader.
func gone(err error) bool { return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) }

// Write implements [io.Writer]. Its errors are an *exitError.
func (p *page) Write(text []byte) (int, error) {
	if p.closed {
		return len(text), nil
	}
	n, err := p.out.Write(text)
	switch {
	case err == nil:
		return n, nil
	case gone(err):
		p.closed = true
		return len(text), nil
	}
	cause := err
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		cause = at.Err // the path is /dev/stdout, which says no more
	}
	return n, &exitError{exitFailed, fmt.Sprintf("standard output can't be written: %v", cause)}
}
