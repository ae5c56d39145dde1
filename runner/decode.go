package runner

import (
	"context"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

// decoder turns chunks of a source into batches, one at a time.
type decoder interface {
	// decode fills b, whose columns are then those of the plan's projection, and gives the rows that could not be
	// read.
	decode(ctx context.Context, p *partition, c connector.Chunk, b *stream.Batch) ([]codec.Bad, error)
	// place gives the number of a row within the chunk, from 0, in the unit that people count in, and size the
	// chunk's own number of these.
	place(row int) int
	size() int
	// text gives what was read for a row, nil where that is no text.
	text(row int) []byte
}

// lineDecoder reads lines: of JSON, or of text.
type lineDecoder struct {
	scanner textScanner
	buffer  []byte
	times   *instants
}

// largeBuffer is more than a chunk needs: a buffer that a very long line has made so large is not kept.
const largeBuffer = 4 << 20

func (d *lineDecoder) decode(ctx context.Context, p *partition, c connector.Chunk, b *stream.Batch) ([]codec.Bad, error) {
	if cap(d.buffer) > largeBuffer {
		d.buffer = nil
	}
	lines, err := p.lines.Load(ctx, c, d.buffer)
	d.buffer = lines
	if err != nil {
		return nil, err
	}
	d.scanner.Scan(lines, b)
	if d.times == nil {
		d.times = newInstants(p.source)
	}
	return d.times.convert(b, d.scanner.Bad()), nil
}

func (d *lineDecoder) place(row int) int   { return d.scanner.LineNumber(row) }
func (d *lineDecoder) size() int           { return d.scanner.Lines() }
func (d *lineDecoder) text(row int) []byte { return d.scanner.Line(row) }

// columnDecoder reads rows that lie in columns.
type columnDecoder struct {
	reader connector.ColumnReader
	rows   int
}

func (d *columnDecoder) decode(ctx context.Context, p *partition, c connector.Chunk, b *stream.Batch) ([]codec.Bad, error) {
	bad, err := d.reader.Load(ctx, p.columns, c, b)
	d.rows = b.N
	return bad, err
}

func (d *columnDecoder) place(row int) int { return row }
func (d *columnDecoder) size() int         { return d.rows }
func (*columnDecoder) text(int) []byte     { return nil }
