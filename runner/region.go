package runner

import (
	"tidemark/stream"
)

// regionNode is a transform or a sink whose work on a chunk, up to what needs state or order, a worker does before
// the chunk's turn.
type regionNode struct {
	// from is the region node that it reads, −1 for the source itself.
	from      int
	transform *transform
	sink      *sink
}

// regionWork is what a region node has prepared for one chunk.
type regionWork struct {
	transform *prepared
	lines     *lines
}

func (n regionNode) open() regionWork {
	if n.sink != nil {
		return regionWork{lines: &lines{encoder: n.sink.encoder(0)}}
	}
	return regionWork{transform: newPrepared(n.transform.plan)}
}

// meter gives the node's meter.
func (n regionNode) meter() *meter {
	if n.sink != nil {
		return n.sink.meter
	}
	return n.transform.meter
}

func (w *regionWork) prepare(in *stream.Batch) {
	if w.lines != nil {
		w.lines.encode(in)
		return
	}
	w.transform.prepare(in, streamFacts)
}

// lines are the encoded rows of a batch.
type lines struct {
	encoder rowEncoder
	batch   *stream.Batch
	text    []byte
	// ends has, for each selected row, where its line ends.
	ends []int
}

func (l *lines) encode(b *stream.Batch) {
	l.batch, l.text, l.ends = b, l.text[:0], l.ends[:0]
	each(b, func(row int32) {
		l.text = l.encoder.Append(l.text, b, int(row))
		l.ends = append(l.ends, len(l.text))
	})
}

// between gives the lines of the rows from lo up to hi, and their number.
func (l *lines) between(lo, hi int) (text []byte, n int) {
	rows := within(l.batch, lo, hi)
	if len(rows) == 0 {
		return nil, 0
	}
	first, start := searchRow(allRows(l.batch), rows[0]), 0
	if first > 0 {
		start = l.ends[first-1]
	}
	return l.text[start:l.ends[first+len(rows)-1]], len(rows)
}
