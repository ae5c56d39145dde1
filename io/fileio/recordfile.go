package fileio

import (
	"context"
	"io"
	"sync"

	"tidemark/io/connector"
)

// recordFile is a regular file of CSV. Where a record ends depends on all quotes before it, so its chunks are cut one
// after the other, each read as it is cut; they are parsed side by side. Compressed ones are cut as they are unpacked.
type recordFile struct {
	*filePartition
	read int64 // bytes read of the file

	mu      sync.Mutex // of backlog, whose buffers Load gives back
	backlog backlog
}

var _ connector.Partition = (*recordFile)(nil)

// leastPiece is what is read at least at once: it holds a byte order mark.
const leastPiece = 16

func newRecordFile(p *filePartition) *recordFile {
	return &recordFile{filePartition: p, backlog: newBacklog(p.chunk, p.maxLine, p.format)}
}

// Next implements [connector.Partition].
func (p *recordFile) Next(ctx context.Context) (connector.Chunk, error) {
	if p.seen == nil {
		if err := p.look(); err != nil {
			return connector.Chunk{}, err
		}
	}
	if p.packed != nil {
		return p.packed.take(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		if err := ctx.Err(); err != nil {
			return connector.Chunk{}, err
		}
		if p.read < p.seen.Size() {
			if err := p.more(); err != nil {
				return connector.Chunk{}, err
			}
		}
		ended := p.read == p.seen.Size()
		if ended {
			p.open.drop(p.filePartition)
		}
		if c, ok := p.backlog.take(ended); ok {
			c.Index = p.next
			p.next++
			return c, nil
		}
		if ended {
			return connector.Chunk{}, io.EOF
		}
	}
}

// more reads on.
func (p *recordFile) more() error {
	f, err := p.acquire()
	if err != nil {
		return err
	}
	defer p.open.release(f)
	n := int(min(max(p.chunk, leastPiece), p.seen.Size()-p.read))
	if read, err := f.ReadAt(p.backlog.room(n), p.read); read < n {
		return p.readError(f, err)
	}
	p.backlog.extend(n)
	p.read += int64(n)
	return nil
}

// Load implements [connector.Partition]. The records are in the chunk; buf is kept for another one.
func (p *recordFile) Load(ctx context.Context, c connector.Chunk, buf []byte) ([]byte, error) {
	if p.packed != nil {
		return p.packed.load(c, buf), ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.backlog.recycle(buf)
	return connector.Pad(c.Data), ctx.Err()
}
