package fileio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"tidemark/io/connector"
)

const (
	// poll is how often a followed file, or the folder of a pattern, is looked at.
	poll = 100 * time.Millisecond
	// heartbeat is after how much waiting a chunk without lines says that there were none.
	heartbeat = 500 * time.Millisecond
	// grace is for how long a file that was moved away is read on while the one in its place is empty: who writes may not
	// yet have noticed.
	grace = time.Second
)

// followed is a file that is read to its end, and on from there. When it is renamed and another one takes its place, its
// rest is read first.
type followed struct {
	path string
	set  *followedSet

	file    *os.File
	info    fs.FileInfo // of file
	lines   backlog
	looked  bool      // the first bytes have been seen
	read    int64     // bytes read of file
	moved   time.Time // since when another file has the path; zero while none has
	index   int64     // of the next chunk
	buf     []byte
	waiting waiting
}

var _ connector.Partition = (*followed)(nil)

func (s *followedSet) follow(path string) *followed {
	return &followed{path: path, set: s, waiting: newWaiting()}
}

// Name implements [connector.Partition].
func (f *followed) Name() string { return f.path }

// Next implements [connector.Partition].
func (f *followed) Next(ctx context.Context) (connector.Chunk, error) {
	c, err := f.waiting.next(ctx, f.path, f.step, f.nothing)
	c.Index = f.index
	f.index++
	return c, err
}

// Load implements [connector.Partition].
func (f *followed) Load(ctx context.Context, c connector.Chunk, _ []byte) ([]byte, error) {
	return connector.Pad(c.Data), ctx.Err()
}

// Close implements [connector.Partition]. The file is closed by Next where that is at work.
func (f *followed) Close() error {
	f.waiting.end(f.leave)
	return nil
}

// nothing is a chunk without lines.
func (f *followed) nothing() connector.Chunk {
	return connector.Chunk{Offset: f.lines.given, End: f.lines.given, Data: []byte{}}
}

// step gives the complete lines that are there, if there are any.
func (f *followed) step() (c connector.Chunk, ok bool, err error) {
	if f.file == nil {
		if err := f.open(); err != nil || f.file == nil {
			return c, false, err
		}
	}
	if err := f.readOn(); err != nil {
		return c, false, err
	}
	if c, ok = f.lines.take(false); ok {
		return c, ok, nil
	}
	return f.look()
}

// open opens what has the path, unless that is nothing yet or is read under another name.
func (f *followed) open() error {
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return openError(f.path, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s can't be followed: it is no regular file", f.path)
	}
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return openError(f.path, err)
	}
	if info, err = file.Stat(); err != nil || !f.set.claims.take(f.path, info) {
		file.Close()
		return err
	}
	f.file, f.info, f.moved = file, info, time.Time{}
	f.begin()
	return nil
}

// begin makes ready for the first byte of the file.
func (f *followed) begin() {
	f.lines = newBacklog(f.set.env.Chunk(), f.set.options.MaxLine, f.set.env.CSV)
	f.read, f.looked = 0, false
}

// readOn reads to the end of the file, or until there are enough lines.
func (f *followed) readOn() error {
	if f.buf == nil {
		f.buf = make([]byte, readSize)
	}
	for !f.lines.full() {
		n, err := f.file.Read(f.buf)
		if n > 0 {
			f.lines.add(f.buf[:n])
			f.read += int64(n)
		}
		if err == io.EOF || err == nil && n == 0 {
			break
		}
		if err != nil {
			return openError(f.path, err)
		}
	}
	if f.looked {
		return nil
	}
	head := f.buf[:magicLength]
	n, err := f.file.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return openError(f.path, err)
	}
	f.looked = n == magicLength
	return checkMagic(f.path, head[:n])
}

// look finds out, at the end of the file, whether it is the one at the path and has not become shorter.
func (f *followed) look() (c connector.Chunk, ok bool, err error) {
	now, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c, false, nil
	case err != nil:
		return c, false, openError(f.path, err)
	case os.SameFile(now, f.info):
		if f.moved = (time.Time{}); now.Size() >= f.read {
			return c, false, nil
		}
		return f.truncated(now.Size())
	case f.set.claims.taken(f.path, now):
		return c, false, nil
	case f.moved.IsZero():
		f.moved = time.Now()
		return f.step() // what was written before it was moved is there now, and is read first
	case now.Size() == 0 && time.Since(f.moved) < grace:
		return c, false, nil
	}
	c, ok = f.finish()
	if ok {
		return c, ok, nil
	}
	return f.step()
}

// truncated begins a file again that has become shorter. What there was of an open line is given as it is.
func (f *followed) truncated(size int64) (c connector.Chunk, ok bool, err error) {
	f.set.warn(fmt.Sprintf("%s was truncated from %d to %d bytes: it is read from its start again", f.path, f.read, size))
	if _, err := f.file.Seek(0, io.SeekStart); err != nil {
		return c, false, openError(f.path, err)
	}
	c, ok = f.lines.take(true)
	f.begin()
	return c, ok, nil
}

// finish closes the file and gives what is left of it: a last line without an end.
func (f *followed) finish() (connector.Chunk, bool) {
	c, ok := f.lines.take(true)
	f.leave()
	f.set.files() // forgets those that are gone
	return c, ok
}

// leave closes the file, if it is open.
func (f *followed) leave() {
	if f.file == nil {
		return
	}
	f.set.claims.leave(f.file, f.info, f.read)
	f.file.Close()
	f.file, f.lines.given = nil, 0
}
