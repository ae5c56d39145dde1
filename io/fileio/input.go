package fileio

import (
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// input is what a pipe reads.
type input interface {
	io.Reader
	// end makes a blocked Read return and all later ones fail. It reports false if that can't be done.
	end() bool
}

// plainInput is a reader that is open already. Without closer nothing ends a blocked read of it.
type plainInput struct {
	io.Reader
	closer io.Closer
}

func newPlainInput(r io.Reader) *plainInput {
	c, _ := r.(io.Closer)
	return &plainInput{r, c}
}

func (p *plainInput) end() bool {
	switch c := p.closer.(type) {
	case nil:
		return false
	case *os.File:
		return endFile(c)
	}
	p.closer.Close()
	return true
}

// endFile closes a file and reports whether that ends a blocked read of it: it does where the runtime waits for
// the file by itself (pipes, sockets, terminals), which are also the files that can have a deadline.
func endFile(f *os.File) bool {
	ends := f.SetReadDeadline(time.Now()) == nil
	f.Close()
	return ends
}

// namedInput is a named pipe or a device, opened at the first read since opening a pipe waits for its writer.
type namedInput struct {
	path string

	mu      sync.Mutex
	opening bool
	file    *os.File
	ended   bool
}

func fifo(path string) *namedInput { return &namedInput{path: path} }

// Read implements [io.Reader].
func (n *namedInput) Read(buf []byte) (int, error) {
	file, err := n.opened()
	if err != nil {
		return 0, err
	}
	return file.Read(buf)
}

// opened gives the file, opening it if need be.
func (n *namedInput) opened() (*os.File, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.file != nil || n.ended {
		return n.file, n.closedError()
	}
	n.opening = true
	n.mu.Unlock()
	file, err := os.Open(n.path)
	n.mu.Lock()
	n.opening = false
	if err != nil {
		return nil, err
	}
	n.file = file
	if n.ended {
		file.Close()
	}
	return file, n.closedError()
}

func (n *namedInput) closedError() error {
	if n.ended {
		return os.ErrClosed
	}
	return nil
}

// end closes the file. Whoever still waits for the pipe's writer is let go by being one for a moment.
func (n *namedInput) end() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ended = true
	for n.opening {
		n.mu.Unlock()
		if w, err := os.OpenFile(n.path, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
			w.Close()
		}
		time.Sleep(time.Millisecond)
		n.mu.Lock()
	}
	if n.file == nil {
		return true
	}
	return endFile(n.file)
}
