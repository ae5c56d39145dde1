package fileio

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"tidemark/io/connector"
)

// followedChain is files that follow each other by name, as one partition. When the one at hand has been read to its end,
// all others are looked at: those that have something unread come next, in the order of their names. So what comes, or
// grows, behind the file at hand is read too. It alone looks at the names of the files, so it needs no lock for them.
type followedChain struct {
	set     *followedSet
	name    string
	files   []*opened // those that are open, the one that had its turn last behind the others
	current *opened
	as      string     // what that was called when its turn came
	due     []sighting // what comes next
	found   time.Time  // when that was found
	warned  bool       // of an order that is not that of the names
	index   int64
	buf     []byte
	waiting waiting
}

var _ connector.Partition = (*followedChain)(nil)

func newFollowedChain(s *followedSet) *followedChain {
	return &followedChain{set: s, name: strings.Join(s.options.Path, ", "), buf: make([]byte, readSize), waiting: newWaiting()}
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
	chunk := connector.Chunk{Data: []byte{}}
	if o := c.current; o != nil {
		chunk.File, chunk.Offset, chunk.End = c.as, o.lines.given, o.lines.given
	}
	return chunk
}

// step gives complete lines of the file at hand, or goes on to the next.
func (c *followedChain) step() (chunk connector.Chunk, ok bool, err error) {
	for {
		if o := c.current; o != nil {
			if chunk, ok, err = o.step(c.buf); ok || err != nil {
				chunk.File = c.as
				return chunk, ok, err
			}
		}
		if len(c.due) == 0 {
			if err := c.look(); err != nil {
				return chunk, false, err
			}
			if len(c.due) == 0 {
				chunk, ok = c.letGo()
				return chunk, ok, nil
			}
			continue // what was written before those came is there now, and is read first
		}
		if c.current != nil && c.current.midLine(c.found) {
			return chunk, false, nil
		}
		if chunk, ok, err = c.turn(); ok || err != nil {
			return chunk, ok, err
		}
	}
}

// look finds the files that have something unread, beside the one at hand.
func (c *followedChain) look() error {
	c.found = time.Now()
	c.due = nil
	for _, f := range c.set.see() {
		if f.err != nil {
			return f.err
		}
		switch o := f.claim; {
		case f.info == nil || o != nil && o == c.current:
		case o == nil && f.info.Size() > 0, o != nil && f.info.Size() != o.read:
			c.due = append(c.due, f)
		}
	}
	for _, o := range c.files { // who writes one that was moved away may not yet have noticed
		if o == c.current || o.file == nil || !o.named.Before(c.found) {
			continue
		}
		if size, err := o.size(); err == nil && size != o.read {
			c.due = append(c.due, sighting{namedFile{path: o.name}, o})
		}
	}
	slices.SortStableFunc(c.due, func(a, b sighting) int { return strings.Compare(a.path, b.path) })
	return nil
}

// turn goes on to the next file that has something unread, and gives what is left of the one at hand.
func (c *followedChain) turn() (chunk connector.Chunk, ok bool, err error) {
	next := c.due[0]
	c.due = c.due[1:]
	o := next.claim
	if o == nil {
		if o, err = c.set.open(next.path); o == nil {
			return chunk, false, err // it is gone, or was renamed and is found again
		}
		c.compare(o)
	}
	former, as := c.current, c.as
	c.current, c.as = o, o.name
	c.files = append(slices.DeleteFunc(c.files, func(f *opened) bool { return f == o }), o)
	c.makeRoom()
	if former == nil {
		return chunk, false, nil
	}
	if o.name < former.name && !c.warned {
		c.warned = true
		c.set.warn(fmt.Sprintf("%s sorts before %s and has lines that came after it: they are read now, out of the order of the names; "+
			"let each new file sort behind the others, or leave out partitions: one", o.name, former.name))
	}
	chunk, ok = former.leave()
	chunk.File = as
	return chunk, ok, nil
}

// compare warns of a file that was taken for another one than the one that rested.
func (c *followedChain) compare(o *opened) {
	if slices.ContainsFunc(c.files, func(f *opened) bool { return f.file == nil && os.SameFile(f.info, o.info) }) {
		c.set.warn(o.name + " was written again long after it was read: it is read from its start again")
	}
}

// makeRoom sees to it that no more than so many files are open.
func (c *followedChain) makeRoom() {
	n := 0
	for _, o := range c.files {
		if o.file != nil {
			n++
		}
	}
	for _, o := range c.files {
		if n <= maxOpen {
			return
		}
		if o.file != nil && o != c.current && o.rest() {
			n--
		}
	}
}

// letGo closes a file that is gone, and gives what is left of it: a last line without an end. The one at hand is kept
// until another one comes.
func (c *followedChain) letGo() (chunk connector.Chunk, ok bool) {
	for i, o := range c.files {
		if o != c.current && o.gone() {
			chunk, ok = o.take(true)
			chunk.File = o.name
			c.set.claims.close(o)
			c.files = slices.Delete(c.files, i, i+1)
			return chunk, ok
		}
	}
	return chunk, false
}

// Load implements [connector.Partition].
func (c *followedChain) Load(ctx context.Context, chunk connector.Chunk, _ []byte) ([]byte, error) {
	return connector.Pad(chunk.Data), ctx.Err()
}

// Close implements [connector.Partition].
func (c *followedChain) Close() error {
	c.waiting.end(func() {
		for _, o := range c.files {
			c.set.claims.close(o)
		}
		c.files = nil
	})
	return nil
}
