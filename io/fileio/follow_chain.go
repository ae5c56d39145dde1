package fileio

import (
	"context"
	"strings"

	"tidemark/io/connector"
)

// followedChain is files that follow each other by name, as one partition. The last of them is followed, until there is
// one with a greater name.
type followedChain struct {
	set     *followedSet
	name    string
	current *followed
	leaving bool // a file with a greater name was there before the current one was read to its end
	index   int64
	waiting waiting
}

var _ connector.Partition = (*followedChain)(nil)

func newFollowedChain(s *followedSet) *followedChain {
	return &followedChain{set: s, name: strings.Join(s.options.Path, ", "), waiting: newWaiting()}
}

// Name implements [connector.Partition].
func (c *followedChain) Name() string { return c.name }

// Next implements [connector.Partition].
func (c *followedChain) Next(ctx context.Context) (connector.Chunk, error) {
	chunk, err := c.waiting.next(ctx, c.name, c.step, c.nothing)
	chunk.Index = c.index
	c.index++
	return chunk, err
}

// nothing is a chunk without lines, of the file at hand.
func (c *followedChain) nothing() connector.Chunk {
	if c.current == nil {
		return connector.Chunk{Data: []byte{}}
	}
	chunk := c.current.nothing()
	chunk.File = c.current.path
	return chunk
}

// step gives complete lines of the file at hand, or goes on to the next.
func (c *followedChain) step() (chunk connector.Chunk, ok bool, err error) {
	for {
		if f := c.current; f != nil {
			if chunk, ok, err = f.step(); ok || err != nil {
				chunk.File = f.path
				return chunk, ok, err
			}
		}
		next, found := c.after()
		switch {
		case !found:
			c.leaving = false
			return chunk, false, nil
		case c.current == nil:
			c.current = c.set.follow(next)
		case !c.leaving:
			c.leaving = true // what was written before is there now, and is read first
		default:
			f := c.current
			c.current, c.leaving = c.set.follow(next), false
			if chunk, ok = f.finish(); ok {
				chunk.File = f.path
				return chunk, ok, nil
			}
		}
	}
}

// after gives the first name behind that of the file at hand.
func (c *followedChain) after() (string, bool) {
	for _, f := range c.set.files() {
		if c.current == nil || f.path > c.current.path {
			return f.path, true
		}
	}
	return "", false
}

// Load implements [connector.Partition].
func (c *followedChain) Load(ctx context.Context, chunk connector.Chunk, _ []byte) ([]byte, error) {
	return connector.Pad(chunk.Data), ctx.Err()
}

// Close implements [connector.Partition].
func (c *followedChain) Close() error {
	c.waiting.end(func() {
		if c.current != nil {
			c.current.leave()
		}
	})
	return nil
}
