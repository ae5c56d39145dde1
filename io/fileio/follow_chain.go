package fileio

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"tidemark/io/connector"
)

// followedChain is files that follow each other by name, as one partition. When the one at hand has been read to its end,
// all others are looked at: those that have something unread come next, in the order of their names. So what comes, or
// grows, behind the file at hand is read too.
type followedChain struct {
	set  *followedSet
	name string
	// mutex is held by who looks at the names or reads: the set looks too, for the reader may wait for long for who takes
	// the lines.
	mutex   sync.Mutex
	files   []*opened // those that are open, the one that had its turn last behind the others
	current *opened
	as      string     // what that was called when its turn came
	due     []sighting // what comes next
	found   time.Time  // when that was looked for
	since   time.Time  // from when on there has been something due
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
	c.mutex.Lock()
	defer c.mutex.Unlock()
	chunk := connector.Chunk{Data: []byte{}}
	if o := c.current; o != nil {
		chunk.File, chunk.Offset, chunk.End = c.as, o.lines.given, o.lines.given
	}
	return chunk
}

// step gives complete lines of the file at hand, or goes on to the next.
func (c *followedChain) step() (chunk connector.Chunk, ok bool, err error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for {
		if o := c.current; o != nil {
			if chunk, ok, err = o.step(c.buf); ok || err != nil {
				chunk.File = c.as
				return chunk, ok, err
			}
		}
		if len(c.due) == 0 {
			c.find()
			if len(c.due) == 0 {
				chunk, ok = c.letGo()
				return chunk, ok, nil
			}
			continue // what was written before those came is there now, and is read first
		}
		if c.current != nil && c.current.midLine(c.since) {
			return chunk, false, nil
		}
		if chunk, ok = c.turn(); ok {
			return chunk, ok, nil
		}
	}
}

// look sees to it that what comes is opened before it is gone.
func (c *followedChain) look() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if time.Since(c.found) >= poll {
		c.find()
	}
}

// find finds the files that have something unread, beside the one at hand, and opens those that are new, as far as there is
// room.
func (c *followedChain) find() {
	c.found = time.Now()
	waiting := len(c.due) > 0
	c.due = nil
	room := maxOpen - c.opened()
	for _, f := range c.set.see() {
		if f.info == nil || f.claim == nil && f.info.Size() == 0 {
			c.set.notNow(f.err)
			continue
		}
		if f.claim == nil && room > 0 {
			f.claim = c.open(f)
			room--
		}
		switch o := f.claim; {
		case o != nil && (o == c.current || o.refused):
		case o == nil || f.info.Size() != o.read:
			c.due = append(c.due, f)
		}
	}
	for _, o := range c.files { // who writes one that was moved away may not yet have noticed
		if o == c.current || o.file == nil || o.refused || !o.named.Before(c.found) {
			continue
		}
		if size, err := o.size(); err == nil && size != o.read {
			c.due = append(c.due, sighting{namedFile{path: o.name}, o})
		}
	}
	slices.SortStableFunc(c.due, func(a, b sighting) int {
		return cmp.Or(strings.Compare(a.path, b.path), a.came().Compare(b.came()))
	})
	if !waiting {
		c.since = c.found
	}
	c.forget()
}

// opened gives the number of open files.
func (c *followedChain) opened() (n int) {
	for _, o := range c.files {
		if o.file != nil {
			n++
		}
	}
	return n
}

// open opens a file that was found. It gives nil where it is gone, or was renamed and is found again.
func (c *followedChain) open(f sighting) *opened {
	o, err := c.set.open(f.path)
	c.set.notNow(err)
	if o != nil {
		o.plain = f.plain
		c.compare(o)
		c.files = append(c.files, o)
	}
	return o
}

// forget ends the claims on files that rest and are gone, so that what gets their identity is not taken for them.
func (c *followedChain) forget() {
	c.files = slices.DeleteFunc(c.files, func(o *opened) bool {
		gone := o.file == nil && c.found.Sub(o.named) > grace
		if gone {
			c.set.claims.close(o)
		}
		return gone
	})
}

// came is when a file came, or now if it is not open.
func (s sighting) came() time.Time {
	if s.claim == nil {
		return time.Now()
	}
	return s.claim.came
}

// turn goes on to the next file that has something unread, and gives what is left of the one at hand, if it comes before that
// by its name: it is then complete.
func (c *followedChain) turn() (chunk connector.Chunk, ok bool) {
	next := c.due[0]
	c.due = c.due[1:]
	o := next.claim
	if o == nil {
		if o = c.open(next); o == nil {
			return chunk, false
		}
	}
	former, as := c.current, c.as
	c.current, c.as = o, o.name
	c.files = append(slices.DeleteFunc(c.files, func(f *opened) bool { return f == o }), o)
	c.makeRoom()
	switch {
	case former == nil:
	case former.name <= o.name:
		chunk, ok = former.leave()
		chunk.File = as
	case !c.warned:
		c.warned = true
		c.set.warn(fmt.Sprintf("%s sorts before %s and has lines that came after it: they are read now, out of the order of the names; "+
			"let each new file sort behind the others, or leave out partitions: one", o.name, former.name))
	}
	return chunk, ok
}

// compare warns of a file that was taken for another one than the one that rested.
func (c *followedChain) compare(o *opened) {
	if slices.ContainsFunc(c.files, func(f *opened) bool { return f.file == nil && os.SameFile(f.info, o.info) }) {
		c.set.warn(o.name + " was written again long after it was read: it is read from its start again")
	}
}

// makeRoom sees to it that no more than so many files are open.
func (c *followedChain) makeRoom() {
	n := c.opened()
	for _, o := range c.files {
		if n <= maxOpen {
			return
		}
		if o.file != nil && o != c.current && o.rest() {
			n--
		}
	}
}

// letGo closes files that are gone, and gives what is left of one: a last line without an end. The one at hand is kept until
// another one comes.
func (c *followedChain) letGo() (chunk connector.Chunk, ok bool) {
	c.files = slices.DeleteFunc(c.files, func(o *opened) bool {
		if ok || o == c.current || o.file == nil || !o.gone() {
			return false
		}
		chunk, ok = o.take(true)
		chunk.File = o.name
		c.set.claims.close(o)
		return true
	})
	return chunk, ok
}

// Load implements [connector.Partition].
func (c *followedChain) Load(ctx context.Context, chunk connector.Chunk, _ []byte) ([]byte, error) {
	return connector.Pad(chunk.Data), ctx.Err()
}

// Close implements [connector.Partition].
func (c *followedChain) Close() error {
	c.waiting.end(func() {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		for _, o := range c.files {
			c.set.claims.close(o)
		}
		c.files = nil
	})
	return nil
}
