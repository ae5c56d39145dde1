package fileio

import (
	"bytes"
	"io"
	"slices"

	"tidemark/io/connector"
)

const (
	// probe is how much is read at first to find where a chunk's first line starts.
	probe = 4 << 10
	// beyond is how much is read at first behind a chunk to find where its last line ends.
	beyond = 4 << 10
	// most is the greatest piece that is read to go on looking for a newline.
	most = 256 << 10
)

// overlong is by how many bytes what is given of a line exceeds the limit: one would do if the last could not
// be a carriage return, which does not count.
const overlong = 2

// loader reads the lines that start in a chunk of a file into buf, which begins with the first of them: so the
// buffer can be used again whole.
type loader struct {
	in      io.ReaderAt
	size    int64
	maxLine int64
	buf     []byte
	at      int64 // offset in the file of buf[0]
}

// load reads the lines that start in [offset, end). It gives io.EOF if the file is shorter than it was.
func (l *loader) load(offset, end int64) error {
	started, err := l.first(offset, end)
	if err != nil || !started {
		l.buf = l.buf[:0]
		return err
	}
	if err := l.extend(min(end+beyond, l.size)); err != nil {
		return err
	}
	if end == l.size {
		return nil
	}
	return l.last(end)
}

// first reads from the first line that starts in [offset, end), if there is one. A line starts behind a
// newline, so it looks for one from the byte before the chunk up to the last but one in it.
func (l *loader) first(offset, end int64) (started bool, err error) {
	if offset == 0 {
		l.at = 0
		if err := l.extend(min(probe, l.size)); err != nil {
			return false, err
		}
		if bytes.HasPrefix(l.buf, byteOrderMark) {
			l.shift(len(byteOrderMark))
		}
		return true, nil
	}
	step := int64(probe)
	for l.at = offset - 1; l.at < end-1; step = min(step*4, most) {
		l.buf = l.buf[:0]
		if err := l.extend(min(l.at+step, end)); err != nil {
			return false, err
		}
		within := min(int64(len(l.buf)), end-1-l.at)
		if i := bytes.IndexByte(l.buf[:within], '\n'); i >= 0 {
			l.shift(i + 1)
			return true, nil
		}
		l.at += within
	}
	return false, nil
}

// shift drops the first n bytes of buf.
func (l *loader) shift(n int) {
	l.buf = l.buf[:copy(l.buf, l.buf[n:])]
	l.at += int64(n)
}

// extend reads on up to an offset in the file.
func (l *loader) extend(to int64) error {
	n := len(l.buf)
	more := int(to-l.at) - n
	if more <= 0 {
		return nil
	}
	l.buf = slices.Grow(l.buf, more+connector.Padding)[:n+more]
	read, err := l.in.ReadAt(l.buf[n:], l.at+int64(n))
	if read == more {
		return nil
	}
	return err
}

// last cuts buf behind the last line that starts before end: behind the first newline from the byte before end
// on. It reads on until it finds that, but not further than the limit of a line.
func (l *loader) last(end int64) error {
	from := max(0, int(end-1-l.at)) // less than 0 only where a byte order mark is longer than the chunk
	line := 0                       // where the last line starts
	if from > 0 {
		line = bytes.LastIndexByte(l.buf[:from], '\n') + 1
	}
	limit := int64(line) + l.maxLine + overlong
	for step := int64(beyond); ; step = min(step*4, most) {
		if i := bytes.IndexByte(l.buf[from:], '\n'); i >= 0 {
			l.buf = l.buf[:from+i+1]
			return nil
		}
		from = len(l.buf)
		if int64(from) >= limit {
			l.buf = append(l.buf[:limit], '\n')
			return nil
		}
		if l.at+int64(from) == l.size {
			return nil
		}
		if err := l.extend(min(l.at+int64(from)+step, l.size)); err != nil {
			return err
		}
	}
}
