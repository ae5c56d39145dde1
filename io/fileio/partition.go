package fileio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync/atomic"

	"tidemark/io/codec"
	"tidemark/io/connector"
)

// filePartition is a regular file. Its size is what it was when it was first opened: what is appended later is
// not read.
type filePartition struct {
	path        string
	compression string
	chunk       int64
	maxLine     int64
	format      *codec.CSVFormat // nil where records are lines
	open        *handles

	seen fs.FileInfo // nil before the first Next
	next int64       // index of the chunk to claim
	left atomic.Int64

	packed *packed // where the file is compressed
}

var _ connector.Partition = (*filePartition)(nil)

// Name implements [connector.Partition].
func (p *filePartition) Name() string { return p.path }

// Next implements [connector.Partition].
func (p *filePartition) Next(ctx context.Context) (connector.Chunk, error) {
	if err := ctx.Err(); err != nil {
		return connector.Chunk{}, err
	}
	if p.seen == nil {
		if err := p.look(); err != nil {
			return connector.Chunk{}, err
		}
	}
	if p.packed != nil {
		return p.packed.take(ctx)
	}
	size := p.seen.Size()
	start := p.next * p.chunk
	if start >= size {
		return connector.Chunk{}, io.EOF
	}
	c := connector.Chunk{Index: p.next, Offset: start, End: min(start+p.chunk, size)}
	p.next++
	return c, nil
}

// look opens the file for the first time: it takes its size and finds out what is in it.
func (p *filePartition) look() error {
	f, _, err := p.open.acquire(p)
	if err != nil {
		return err
	}
	defer p.open.release(f)
	info, err := f.Stat()
	if err != nil {
		return openError(p.path, err)
	}
	head := make([]byte, magicLength)
	n, err := f.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return openError(p.path, err)
	}
	compression, err := compressionOf(p.compression, p.path, head[:n])
	if err == nil && compression == "none" {
		err = checkMagic(p.path, head[:n])
	}
	if err != nil {
		return err
	}
	p.seen = info
	if compression != "none" {
		p.packed = newPacked(p, compression)
		return nil
	}
	p.left.Store((info.Size() + p.chunk - 1) / p.chunk)
	return nil
}

// Load implements [connector.Partition].
func (p *filePartition) Load(ctx context.Context, c connector.Chunk, buf []byte) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p.packed != nil {
		return p.packed.load(c, buf), nil
	}
	f, err := p.acquire()
	if err != nil {
		return nil, err
	}
	defer p.open.release(f)
	l := loader{in: f, size: p.seen.Size(), maxLine: p.maxLine, buf: buf[:0]}
	if err := l.load(c.Offset, c.End); err != nil {
		return nil, p.readError(f, err)
	}
	if p.left.Add(-1) == 0 {
		p.open.drop(p)
	}
	return connector.Pad(l.buf), nil
}

// acquire gives the file, which is still the one that it was.
func (p *filePartition) acquire() (*handle, error) {
	f, opened, err := p.open.acquire(p)
	if err != nil || !opened {
		return f, err
	}
	if err := p.sameFile(f); err != nil {
		p.open.release(f)
		return nil, err
	}
	return f, nil
}

// sameFile makes sure that a file that is opened again is the one that was there before.
func (p *filePartition) sameFile(f *handle) error {
	info, err := f.Stat()
	if err != nil {
		return openError(p.path, err)
	}
	if !os.SameFile(info, p.seen) {
		return fmt.Errorf("%s was replaced while it was read; run again", p.path)
	}
	return nil
}

func (p *filePartition) readError(f *handle, err error) error {
	if !errors.Is(err, io.EOF) {
		return openError(p.path, err)
	}
	now := int64(0)
	if info, err := f.Stat(); err == nil {
		now = info.Size()
	}
	return fmt.Errorf("%s shrank from %d to %d bytes while it was read; run again when nothing writes to it",
		p.path, p.seen.Size(), now)
}

// Close implements [connector.Partition].
func (p *filePartition) Close() error {
	if p.packed != nil {
		p.packed.end()
	}
	p.open.drop(p)
	return nil
}
