package fileio

import (
	"bytes"
	"slices"

	"tidemark/io/codec"
	"tidemark/io/connector"
)

// backlog is what was read of a pipe and not yet taken: complete lines, then the beginning of an open one. Of
// a line that is too long it keeps a part that is too long as well, and the newline.
type backlog struct {
	most    int // bytes of complete lines from which on it is full
	maxLine int
	records *records // where lines are CSV records

	data     []byte
	cut      int   // data[:cut] is complete lines
	skipping bool  // the rest of the open line is dropped
	begun    bool  // the first bytes have been seen
	dropped  int   // bytes dropped of the complete lines
	open     int   // bytes dropped of the open line
	given    int64 // bytes of the input that were taken
	spare    [][]byte
}

// newBacklog makes an empty one, of CSV records where there is a format.
func newBacklog(most, maxLine int64, format *codec.CSVFormat) backlog {
	return backlog{most: int(most), maxLine: int(maxLine), records: newRecords(format)}
}

// spares is how many buffers are kept for reuse.
const spares = 4

// full reports that whoever reads should wait. An open line alone never fills the backlog, nor do blank lines before a
// header, without which nothing can be taken.
func (b *backlog) full() bool {
	return b.cut >= b.most && (b.records == nil || b.records.headed)
}

// add takes in what was read.
func (b *backlog) add(piece []byte) {
	if b.records != nil {
		b.addRecords(piece)
		return
	}
	piece = b.unmarked(piece)
	if b.skipping {
		i := bytes.IndexByte(piece, '\n')
		if i < 0 {
			b.open += len(piece)
			return
		}
		b.open += i
		b.skipping, piece = false, piece[i:]
	}
	if i := bytes.LastIndexByte(piece, '\n'); i >= 0 {
		b.append(piece[:i+1])
		b.cut = len(b.data)
		b.dropped += b.open
		b.open, piece = 0, piece[i+1:]
	}
	if room := b.cut + b.maxLine + overlong - len(b.data); len(piece) > room {
		b.open += len(piece) - room
		b.skipping, piece = true, piece[:room]
	}
	b.append(piece)
}

// unmarked gives a piece without the byte order mark, if it is the first one and begins with that.
func (b *backlog) unmarked(piece []byte) []byte {
	if b.begun || len(piece) == 0 {
		return piece
	}
	b.begun = true
	rest, marked := bytes.CutPrefix(piece, byteOrderMark)
	if marked {
		b.dropped += len(byteOrderMark)
	}
	return rest
}

// append adds bytes and sees to it that there is room for the padding.
func (b *backlog) append(piece []byte) {
	b.data = append(slices.Grow(b.data, len(piece)+connector.Padding), piece...)
}

// pending reports whether there is an open line.
func (b *backlog) pending() bool { return len(b.data) > b.cut || b.open > 0 }

// take gives the complete lines as a chunk, with the open one if that won't grow any more, and the place in the input that
// they stand for. It reports false where there are none.
func (b *backlog) take(ended bool) (c connector.Chunk, ok bool) {
	c.Offset, c.End = b.given, b.given
	if len(b.data) == 0 && b.open == 0 {
		return c, false // a header may still come
	}
	if ended && b.records != nil {
		b.endRecord()
	}
	if b.records != nil && !b.headed(ended) {
		return c, false
	}
	if ended {
		b.cut = len(b.data)
		b.dropped += b.open
		b.open = 0
	}
	if b.cut == 0 {
		return c, false
	}
	c.Data, c.Head = b.data[:b.cut], b.head()
	b.data = append(b.buffer(), b.data[b.cut:]...)
	b.given += int64(b.cut + b.dropped)
	c.End = b.given
	b.cut, b.dropped = 0, 0
	return c, true
}

func (b *backlog) buffer() []byte {
	if len(b.spare) == 0 {
		return make([]byte, 0, readSize+connector.Padding)
	}
	last := len(b.spare) - 1
	buf := b.spare[last]
	b.spare = b.spare[:last]
	return buf
}

// recycle keeps a buffer that nobody uses any more, unless a very long line has made it large.
func (b *backlog) recycle(buf []byte) {
	if cap(buf) > readSize && cap(buf) <= 4*(b.most+readSize) && len(b.spare) < spares {
		b.spare = append(b.spare, buf[:0])
	}
}
