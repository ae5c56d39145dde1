package fileio

import (
	"context"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tidemark/io/connector"
)

const (
	// poll is how often a followed file, or the folder of a pattern, is looked at.
	poll = 100 * time.Millisecond
	// heartbeat is after how much waiting a chunk without lines says that there were none.
	heartbeat = 500 * time.Millisecond
	// grace is for how long a file that was moved away goes before the one in its place, where that is empty or a line is
	// not complete: who writes may not yet have noticed.
	grace = time.Second
	// mostGrace is for how long a line may go on to grow before the next file has its turn all the same.
	mostGrace = 10 * grace
	// patience is for how long a file that has none of the names any more is read on after it last grew.
	patience = time.Minute
)

// followed is the file at a path, and those that were there before it and have been renamed since: they are read on, each
// from where it was, until they are gone.
type followed struct {
	path string
	set  *followedSet
	// mutex is held by who looks at the path or reads: the set looks too, for the reader may wait for long for who takes
	// the lines.
	mutex  sync.Mutex
	looked time.Time // when the path was last looked at
	// retired says that the partition has ended.
	retired bool
	// plain says that the path is no match of a pattern, so that its last file is kept until another one comes.
	plain bool

	files    []*opened // in the order in which they came to the path
	current  int       // index of the one whose turn it is, if any; those before it have been read to their ends
	there    bool      // the last one is at the path
	since    time.Time // when there was last a file
	visited  time.Time // when those before it were last read on, and
	visiting int       // the index of the one that comes first then
	begun    atomic.Bool
	index    int64 // of the next chunk
	buf      []byte
	waiting  waiting
}

var _ connector.Partition = (*followed)(nil)

func (s *followedSet) follow(path string, plain bool) *followed {
	return &followed{path: path, set: s, plain: plain, since: time.Now(), waiting: newWaiting()}
}

// Name implements [connector.Partition].
func (f *followed) Name() string { return f.path }

// Next implements [connector.Partition].
func (f *followed) Next(ctx context.Context) (connector.Chunk, error) {
	f.begun.Store(true)
	c, err := f.waiting.next(ctx, f.path, f.step, f.nothing)
	c.Index = f.index
	f.index++
	return c, err
}

// Load implements [connector.Partition].
func (f *followed) Load(ctx context.Context, c connector.Chunk, _ []byte) ([]byte, error) {
	return connector.Pad(c.Data), ctx.Err()
}

// Close implements [connector.Partition]. The files are closed by Next where that is at work.
func (f *followed) Close() error {
	f.waiting.end(func() {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		for _, o := range f.files {
			f.set.claims.close(o)
		}
		f.files = nil
	})
	return nil
}

// nothing is a chunk without lines.
func (f *followed) nothing() connector.Chunk {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	c := connector.Chunk{Data: []byte{}}
	if f.current < len(f.files) {
		c.Offset = f.files[f.current].lines.given
		c.End = c.Offset
	}
	return c
}

// step gives complete lines: those of the file whose turn it is, else what has come to those before it.
func (f *followed) step() (c connector.Chunk, ok bool, err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.arrive()
	if len(f.files) == 0 || len(f.files) == 1 && f.files[0].refused {
		return c, false, f.retire()
	}
	if f.buf == nil {
		f.buf = make([]byte, readSize)
	}
	if time.Since(f.visited) >= poll { // also where the file whose turn it is never comes to an end
		if c, ok = f.visit(); ok {
			return c, ok, nil
		}
	}
	for f.current < len(f.files) {
		o := f.files[f.current]
		if c, ok, err = o.step(f.buf); ok || err != nil {
			return c, ok, err
		}
		if !f.done(o) {
			break
		}
		f.current++
		if c, ok = o.leave(); ok {
			return c, ok, nil
		}
	}
	if c, ok = f.visit(); !ok {
		c, ok = f.letGo(len(f.files))
	}
	return c, ok, nil
}

// look sees to it that what comes to the path is opened before it is gone.
func (f *followed) look() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if time.Since(f.looked) >= poll && !f.retired {
		f.arrive()
	}
}

// arrive opens what has the path, unless that is nothing yet, or is read already. It comes before reading, so that what was
// written to a file before the next one came is read first. What can't be opened may be so the next time.
func (f *followed) arrive() {
	f.looked, f.there = time.Now(), false
	info, err := regular(f.path)
	if info == nil {
		f.set.notNow(err)
		return
	}
	if n := len(f.files); n > 0 && os.SameFile(info, f.files[n-1].info) {
		f.there = true
		return
	}
	o, err := f.set.open(f.path)
	f.set.notNow(err)
	if o != nil {
		o.plain = f.plain
		f.files, f.there = append(f.files, o), true
	}
}

// done reports whether the turn of a file that was read to its end is over.
func (f *followed) done(o *opened) bool {
	if f.current == len(f.files)-1 {
		return false
	}
	next := f.files[f.current+1]
	if o.midLine(next.came) {
		return false
	}
	size, err := next.size()
	return err != nil || size > 0 || time.Since(next.came) >= grace
}

// visit gives what has come to the files whose turn is over, to one after the other.
func (f *followed) visit() (c connector.Chunk, ok bool) {
	f.visited = time.Now()
	for n := range f.current {
		i := (f.visiting + n) % f.current
		o := f.files[i]
		c, ok, err := o.step(f.buf)
		if ok {
			f.visiting, c.File = i+1, o.called()
			return c, ok
		}
		if err != nil { // it may be gone from a server
			f.set.warn(err.Error() + "; it is not followed any more")
			f.drop(o)
			return f.visit()
		}
	}
	return f.letGo(f.current)
}

// letGo closes one of the first n files, which have been read to their ends, if it is gone, and gives what is left of it: a
// last line without an end.
func (f *followed) letGo(n int) (c connector.Chunk, ok bool) {
	for i, o := range f.files[:n] {
		waits := i >= f.current && (i < len(f.files)-1 || f.plain || f.there)
		if waits || !o.gone() {
			continue
		}
		c, ok = o.take(true)
		if i < f.current {
			c.File = o.called()
		}
		f.drop(o)
		return c, ok
	}
	return c, false
}

func (f *followed) drop(o *opened) {
	f.set.claims.close(o)
	i := slices.Index(f.files, o)
	f.files = slices.Delete(f.files, i, i+1)
	if i < f.current {
		f.current--
	}
	if len(f.files) == 0 {
		f.since, f.buf = time.Now(), nil
	}
}

// retire ends a partition whose files are gone, unless it must wait for others.
func (f *followed) retire() error {
	if f.plain || time.Since(f.since) < grace || !f.set.retire(f, len(f.files) == 0) {
		return nil
	}
	f.retired = true
	for _, o := range f.files {
		f.set.claims.close(o)
	}
	f.files = nil
	return io.EOF
}
