package fileio

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"tidemark/io/connector"
)

// chain is files that follow each other, as one partition.
type chain struct {
	name  string
	index int64 // of the next chunk

	files   []connector.Partition
	current int // belongs to Next
	closed  atomic.Bool
}

// link is what a chunk of a chain is loaded from.
type link struct {
	file  connector.Partition
	chunk connector.Chunk
}

var _ connector.Partition = (*chain)(nil)

func newChain(name string, files []connector.Partition) *chain {
	return &chain{name: name, files: files}
}

// Name implements [connector.Partition].
func (c *chain) Name() string { return c.name }

// Next implements [connector.Partition]. A file is opened when those before it have been claimed to their ends.
func (c *chain) Next(ctx context.Context) (connector.Chunk, error) {
	for ; c.current < len(c.files); c.current++ {
		if c.closed.Load() {
			return connector.Chunk{}, fmt.Errorf("%s: %w", c.name, os.ErrClosed)
		}
		file := c.files[c.current]
		chunk, err := file.Next(ctx)
		if err == io.EOF {
			continue
		}
		if err != nil {
			return connector.Chunk{}, err
		}
		of := &link{file, chunk}
		chunk.File, chunk.Index, chunk.Fetch = file.Name(), c.index, of
		c.index++
		return chunk, nil
	}
	return connector.Chunk{}, io.EOF
}

// Load implements [connector.Partition].
func (c *chain) Load(ctx context.Context, chunk connector.Chunk, buf []byte) ([]byte, error) {
	of := chunk.Fetch.(*link)
	return of.file.Load(ctx, of.chunk, buf)
}

// Close implements [connector.Partition].
func (c *chain) Close() error {
	c.closed.Store(true)
	for _, file := range c.files {
		file.Close()
	}
	return nil
}
