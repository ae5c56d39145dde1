package fileio

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"

	"tidemark/io/connector"
)

// packed reads a compressed file. A goroutine unpacks it, some chunks ahead, and cuts its text behind lines, or CSV records, so that
// the chunks are the same in every run and whoever parses them does not wait for more than the unpacking.
type packed struct {
	file *filePartition
	from *unpacker

	start   sync.Once
	closing sync.Once
	stop    chan struct{} // closed by end
	ended   chan struct{} // closed when the goroutine ends
	chunks  chan connector.Chunk
	spare   chan []byte
	err     error // why the goroutine ended; set before chunks is closed
}

// chunksAhead is how many chunks are unpacked before they are claimed.
const chunksAhead = 2

func newPacked(file *filePartition, compression string) *packed {
	return &packed{
		file: file, from: newUnpacker(file.path, compression, &packedFile{file: file}),
		stop: make(chan struct{}), ended: make(chan struct{}),
		chunks: make(chan connector.Chunk, chunksAhead), spare: make(chan []byte, spares),
	}
}

// take gives the next chunk, whose Offset and End count the bytes of the text.
func (p *packed) take(ctx context.Context) (connector.Chunk, error) {
	p.start.Do(func() { go p.read() })
	select {
	case c, ok := <-p.chunks:
		if !ok {
			return c, p.err
		}
		return c, nil
	case <-p.stop:
		return connector.Chunk{}, fmt.Errorf("%s: %w", p.file.path, os.ErrClosed)
	case <-ctx.Done():
		return connector.Chunk{}, ctx.Err()
	}
}

// load gives the lines of a chunk and keeps buf for another one.
func (p *packed) load(c connector.Chunk, buf []byte) []byte {
	select {
	case p.spare <- buf:
	default:
	}
	return connector.Pad(c.Fetch.([]byte))
}

// read is the goroutine.
func (p *packed) read() {
	defer close(p.ended)
	defer close(p.chunks)
	defer p.from.close()
	lines := newBacklog(p.file.chunk, p.file.maxLine, p.file.format)
	buf := make([]byte, readSize)
	n, err := readHead(p.from, buf)
	if wrong := checkMagic(p.file.path, buf[:n]); wrong != nil {
		n, err = 0, wrong
	}
	for index := int64(0); ; {
		lines.add(buf[:n])
		if (lines.full() || err != nil) && !p.give(&index, &lines, err == io.EOF) {
			return
		}
		if err != nil {
			p.err = err
			return
		}
		n, err = io.ReadFull(p.from, buf)
		if err == io.ErrUnexpectedEOF {
			err = io.EOF
		}
	}
}

// give hands on the complete lines as a chunk. It reports false when the file is closed.
func (p *packed) give(index *int64, lines *backlog, ended bool) bool {
	select {
	case buf := <-p.spare:
		lines.recycle(buf)
	default:
	}
	c, ok := lines.take(ended)
	if !ok {
		return true
	}
	c.Index, c.Fetch, c.Data = *index, c.Data, nil
	select {
	case p.chunks <- c:
		*index++
		return true
	case <-p.stop:
		return false
	}
}

// end makes the goroutine end and waits for it.
func (p *packed) end() {
	p.closing.Do(func() { close(p.stop) })
	p.start.Do(func() { close(p.ended) })
	<-p.ended
}

// packedFile reads a file from front to back as far as it went when it was first opened. Between reads another file may
// take its place among the open ones.
type packedFile struct {
	file *filePartition
	at   int64
}

// Read implements [io.Reader].
func (r *packedFile) Read(buf []byte) (int, error) {
	size := r.file.seen.Size()
	if r.at >= size {
		r.file.open.drop(r.file)
		return 0, io.EOF
	}
	f, err := r.file.acquire()
	if err != nil {
		return 0, err
	}
	defer r.file.open.release(f)
	n, err := f.ReadAt(buf[:min(int64(len(buf)), size-r.at)], r.at)
	r.at += int64(n)
	switch {
	case n > 0:
		return n, nil
	case err != nil:
		return 0, r.file.readError(f, err)
	}
	return 0, io.ErrNoProgress
}
