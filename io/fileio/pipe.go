package fileio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"tidemark/io/codec"
	"tidemark/io/connector"
)

// pipe is an input that can only be read from front to back. A goroutine reads what is there and puts it into
// a backlog; Next takes the complete lines of the backlog. So nothing waits for a chunk to fill, and while the
// engine is busy many small reads become one chunk.
type pipe struct {
	name        string
	input       input
	compression string

	start sync.Once
	stop  chan struct{} // closed by Close
	ended chan struct{} // closed when the goroutine ends
	ready chan struct{} // something to take, or the end
	space chan struct{} // something was taken

	mu     sync.Mutex
	lines  backlog
	err    error // why the goroutine ended; io.EOF for the end of the input
	closed bool

	index int64 // of the next chunk
}

var _ connector.Partition = (*pipe)(nil)

// readSize is what a pipe of Linux holds.
const readSize = 64 << 10

func newPipe(name string, chunk, maxLine int64, csv *codec.CSVFormat) *pipe {
	return &pipe{
		name:        name,
		compression: "auto",
		lines:       newBacklog(chunk, maxLine, csv),
		stop:        make(chan struct{}),
		ended:       make(chan struct{}),
		ready:       make(chan struct{}, 1),
		space:       make(chan struct{}, 1),
	}
}

// Name implements [connector.Partition].
func (p *pipe) Name() string { return p.name }

// label is the name that messages use for a path.
func label(path string) string {
	if path == "-" {
		return "standard input"
	}
	return path
}

// Next implements [connector.Partition].
func (p *pipe) Next(ctx context.Context) (connector.Chunk, error) {
	p.start.Do(func() { go p.read() })
	for {
		if err := ctx.Err(); err != nil {
			return connector.Chunk{}, err
		}
		if c, ok, err := p.take(); ok || err != nil {
			return c, err
		}
		select {
		case <-p.ready:
		case <-p.stop:
		case <-ctx.Done():
		}
	}
}

// take gives the complete lines that are there; all that is there once the input has ended.
func (p *pipe) take() (c connector.Chunk, ok bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return c, false, fmt.Errorf("%s: %w", label(p.name), os.ErrClosed)
	}
	if c, ok = p.lines.take(p.err == io.EOF); !ok {
		return c, false, p.err
	}
	signal(p.space)
	c.Index, c.Live = p.index, true
	p.index++
	return c, true, nil
}

// Load implements [connector.Partition]. The lines are in the chunk; buf is kept for another one.
func (p *pipe) Load(ctx context.Context, c connector.Chunk, buf []byte) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lines.recycle(buf)
	return connector.Pad(c.Data), ctx.Err()
}

// read is the goroutine.
func (p *pipe) read() {
	defer close(p.ended)
	buf := make([]byte, readSize)
	n, err := readHead(p.input, buf)
	var in io.Reader = p.input
	if err == nil || err == io.EOF {
		compression, wrong := compressionOf(p.compression, p.name, buf[:n])
		if compression != "none" {
			head := io.Reader(bytes.NewReader(bytes.Clone(buf[:n])))
			if err == nil {
				head = io.MultiReader(head, p.input)
			}
			u := newUnpacker(label(p.name), compression, head)
			defer u.close()
			in = u
			n, err = readHead(in, buf)
		}
		if wrong == nil {
			wrong = checkMagic(label(p.name), buf[:n])
		}
		if wrong != nil {
			p.put(nil, wrong)
			return
		}
	}
	for p.put(buf[:n], p.fault(err)) && err == nil {
		n, err = in.Read(buf)
	}
}

// readHead reads as much as it takes to know what the input is.
func readHead(in io.Reader, buf []byte) (int, error) {
	n, err := in.Read(buf)
	for err == nil && undecided(buf[:n]) {
		var more int
		more, err = in.Read(buf[n:])
		n += more
	}
	return n, err
}

// fault words an error of the input.
func (p *pipe) fault(err error) error {
	var data *dataError
	if err == nil || err == io.EOF || errors.As(err, &data) {
		return err
	}
	return openError(label(p.name), err)
}

// put adds what was read to the backlog, when there is room for it. It reports false when the pipe is closed.
func (p *pipe) put(data []byte, err error) bool {
	for {
		p.mu.Lock()
		full := p.lines.full()
		if !full || p.closed {
			p.lines.add(data)
			p.err = err
			signal(p.ready)
			defer p.mu.Unlock()
			return !p.closed
		}
		p.mu.Unlock()
		select {
		case <-p.space:
		case <-p.stop:
		}
	}
}

// Close implements [connector.Partition]. It waits for the goroutine, unless that is in a read that nothing can
// end.
func (p *pipe) Close() error {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil
	}
	p.closed = true
	p.mu.Unlock()
	close(p.stop)
	ends := p.input.end()
	p.start.Do(func() { close(p.ended) })
	if ends {
		<-p.ended
	}
	return nil
}

// signal wakes the one who waits, now or when he begins to.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
