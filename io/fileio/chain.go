package fileio

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"

	"tidemark/io/connector"
)

// chain is files that follow each other, as one partition.
type chain struct {
	name  string
	index int64 // of the next chunk

	mu      sync.Mutex
	files   []connector.Partition
	current int
	closed  bool
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
	for {
		file, err := c.file()
		if err != nil {
			return connector.Chunk{}, err
		}
		chunk, err := file.Next(ctx)
		if err == io.EOF {
			c.advance()
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
}

// file gives the file at hand; io.EOF behind the last one.
func (c *chain) file() (connector.Partition, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return nil, fmt.Errorf("%s: %w", c.name, os.ErrClosed)
	case c.current == len(c.files):
		return nil, io.EOF
	}
	return c.files[c.current], nil
}

func (c *chain) advance() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current++
}

// Load implements [connector.Partition].
func (c *chain) Load(ctx context.Context, chunk connector.Chunk, buf []byte) ([]byte, error) {
	of := chunk.Fetch.(*link)
	return of.file.Load(ctx, of.chunk, buf)
}

// Close implements [connector.Partition].
func (c *chain) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	for _, file := range c.files {
		file.Close()
	}
	return nil
}
