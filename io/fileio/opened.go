package fileio

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"tidemark/io/connector"
)

// opened is a file that is read to its end, and on from there, whatever it is called by now. It is told apart from all
// others by being open: until it is closed no other file can get its identity, which file systems else give to the next
// one as soon as a file is deleted.
type opened struct {
	set    *followedSet
	file   *os.File // nil while it rests
	info   fs.FileInfo
	lines  backlog
	looked bool      // the first bytes have been seen
	read   int64     // bytes read
	line   int       // of the next line, from 1
	came   time.Time // when it was opened
	last   time.Time // when it was opened, something of it was last read, or its turn was over
	plain  bool      // the path that it was found at is no pattern
	// refused says that it is no lines of text, and was not read for that.
	refused bool

	// name is what it was called when it was last seen among the files that are followed, at the time named. Both belong
	// to the lock of the claims.
	name  string
	named time.Time
}

// begin makes ready for the first byte.
func (o *opened) begin() {
	o.lines = newBacklog(o.set.env.Chunk(), o.set.options.MaxLine, o.set.env.CSV)
	o.read, o.line, o.looked = 0, 1, false
}

// step gives the complete lines that are there, if there are any.
func (o *opened) step(buf []byte) (c connector.Chunk, ok bool, err error) {
	if o.refused {
		return c, false, nil
	}
	if err := o.readOn(buf); err != nil {
		return c, false, err
	}
	if c, ok = o.take(false); ok {
		return c, ok, nil
	}
	return o.compare()
}

// readOn reads to the end of the file, or until there are enough lines.
func (o *opened) readOn(buf []byte) error {
	for !o.lines.full() {
		n, err := o.file.Read(buf)
		if n > 0 {
			o.lines.add(buf[:n])
			o.read += int64(n)
			o.last = time.Now()
		}
		if err == io.EOF || err == nil && n == 0 {
			break
		}
		if err != nil {
			return openError(o.called(), err)
		}
	}
	if o.looked {
		return nil
	}
	head := buf[:magicLength]
	n, err := o.file.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return openError(o.called(), err)
	}
	o.looked = n == magicLength
	err = checkMagic(o.called(), head[:n])
	if err != nil && !o.plain { // a pattern may match what was not meant
		o.set.warn(err.Error() + "; it is not followed")
		o.refused, o.lines, err = true, backlog{}, nil
	}
	return err
}

// take gives the complete lines, with the open one if that is not waited for any more.
func (o *opened) take(ended bool) (connector.Chunk, bool) {
	c, ok := o.lines.take(ended)
	if ok {
		c.Line = o.line
		o.line += bytes.Count(c.Data, lineFeed)
	}
	return c, ok
}

var lineFeed = []byte{'\n'}

// compare finds out, at the end of the file, whether it has become shorter. It is then begun again, and what there was of
// an open line is given as it is.
func (o *opened) compare() (c connector.Chunk, ok bool, err error) {
	size, err := o.size()
	if err != nil || size >= o.read {
		return c, false, err
	}
	o.set.warn(fmt.Sprintf("%s was truncated from %d to %d bytes: it is read from its start again", o.called(), o.read, size))
	if _, err := o.file.Seek(0, io.SeekStart); err != nil {
		return c, false, openError(o.called(), err)
	}
	c, ok = o.take(true)
	o.begin()
	return c, ok, nil
}

// size gives that of the file as it is now.
func (o *opened) size() (int64, error) {
	info, err := o.file.Stat()
	if err != nil {
		return 0, openError(o.called(), err)
	}
	return info.Size(), nil
}

// leave gives what is left of a file whose turn is over: a last line without an end.
func (o *opened) leave() (connector.Chunk, bool) {
	o.last = time.Now()
	return o.take(true)
}

// midLine reports whether who writes the file may be in the middle of a line: there is an open one, which grew not long
// before, or since the next file came. That does not wait for ever.
func (o *opened) midLine(next time.Time) bool {
	waited := time.Since(next)
	return o.lines.pending() && waited < mostGrace && (time.Since(o.last) < grace || waited < grace)
}

// rest closes a file that was read to its end and keeps the claim: it is then told by its identity, its size and when it
// was last written, and is another one when these have changed. It reports false where there is something unread.
func (o *opened) rest() bool {
	info, err := o.file.Stat()
	if err != nil || info.Size() != o.read || o.lines.pending() {
		return false
	}
	o.file.Close()
	o.file, o.info, o.lines = nil, info, backlog{}
	return true
}

// is reports whether a file that was found is this one.
func (o *opened) is(info fs.FileInfo) bool {
	return os.SameFile(o.info, info) && (o.file != nil || info.Size() == o.info.Size() && info.ModTime().Equal(o.info.ModTime()))
}

// called gives the name of the file when it was last seen.
func (o *opened) called() string {
	o.set.claims.mu.Lock()
	defer o.set.claims.mu.Unlock()
	return o.name
}

// gone reports whether the file has had none of the names that are followed, and nothing new, for long.
func (o *opened) gone() bool {
	if time.Since(o.last) < patience || !o.unnamed() {
		return false
	}
	o.set.refresh()
	return o.unnamed()
}

func (o *opened) unnamed() bool {
	o.set.claims.mu.Lock()
	defer o.set.claims.mu.Unlock()
	return time.Since(o.named) >= patience
}
