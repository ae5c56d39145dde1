package fileio

import (
	"slices"

	"tidemark/io/codec"
	"tidemark/io/connector"
)

// records is what a backlog of CSV records knows beside what one of lines does.
type records struct {
	format *codec.CSVFormat
	cutter *codec.CSVCutter
	head   []byte // the header and what stands before it
	headed bool   // the header has been seen, or there is none
}

// newRecords gives nil where lines are no CSV records.
func newRecords(format *codec.CSVFormat) *records {
	if format == nil {
		return nil
	}
	return &records{format: format, cutter: codec.NewCSVCutter(format), headed: !format.Header}
}

// addRecords takes in what was read of CSV.
func (b *backlog) addRecords(piece []byte) {
	copy(b.room(len(piece)), piece)
	b.extend(len(piece))
}

// room gives n bytes behind what was taken in, to read into.
func (b *backlog) room(n int) []byte {
	b.data = slices.Grow(b.data, n+connector.Padding)
	return b.data[len(b.data) : len(b.data)+n]
}

// extend takes in the n bytes that were put into the room. The first time they hold the byte order mark whole, if
// there is one.
func (b *backlog) extend(n int) {
	piece := b.data[len(b.data) : len(b.data)+n]
	piece = piece[:copy(piece, b.unmarked(piece))]
	cut := b.records.cutter.Cut(piece)
	if cut > 0 {
		b.cut = len(b.data) + cut
		b.dropped += b.open
		b.open = 0
	}
	excess := b.records.cutter.Excess()
	b.open += excess
	b.data = b.data[:len(b.data)+len(piece)-excess]
	if cut > 0 {
		b.headed(false)
	}
}

// endRecord puts an end to a record that was too long, in place of what was dropped of it.
func (b *backlog) endRecord() {
	if b.open > 0 {
		b.data = append(b.data, '\n')
		b.open--
	}
}

// headed reports whether the complete records, or all there is where the input has ended, begin with the header.
func (b *backlog) headed(ended bool) bool {
	r := b.records
	if r.headed {
		return true
	}
	data := b.data[:b.cut]
	if ended {
		data = b.data
	}
	r.head = slices.Clone(r.format.Head(data, ended))
	r.headed = r.head != nil || ended
	return r.headed
}

// head gives the header that the input began with, and what stands before it.
func (b *backlog) head() []byte {
	if b.records == nil {
		return nil
	}
	return b.records.head
}
