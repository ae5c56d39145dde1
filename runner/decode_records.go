package runner

import (
	"context"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

// recordDecoder reads records whose values are text. Each value is a row, so rows and values have the same numbers.
type recordDecoder struct {
	loader  connector.RecordLoader
	scanner textScanner
	data    []byte
	values  []codec.Span
	times   *instants
}

func newRecordDecoder(s *source) *recordDecoder {
	return &recordDecoder{loader: s.reader.Loader(), scanner: s.scanner(), times: newInstants(s)}
}

func (d *recordDecoder) decode(_ context.Context, p *partition, c connector.Chunk, b *stream.Batch) ([]codec.Bad, error) {
	var err error
	if d.data, d.values, err = d.loader.Load(p.records, c); err != nil {
		return nil, err
	}
	d.scanner.ScanValues(d.data, d.values, b)
	return d.times.convert(b, d.scanner.Bad()), nil
}

func (d *recordDecoder) place(row int) int { return row }
func (d *recordDecoder) size() int         { return len(d.values) }

// text gives a value as it was read; nil where there is none.
func (d *recordDecoder) text(row int) []byte {
	v := d.values[row]
	if v.Null {
		return nil
	}
	return d.data[v.Start:v.End]
}
