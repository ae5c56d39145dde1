package runner

import (
	"context"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

// recordDecoder reads records whose values are JSON. A record's value is a line, so rows and lines have the same
// numbers.
type recordDecoder struct {
	loader  connector.RecordLoader
	scanner *codec.JSONScanner
	times   *instants
}

func newRecordDecoder(s *source) *recordDecoder {
	return &recordDecoder{loader: s.reader.Loader(), scanner: codec.NewJSONScanner(s.plan.Columns, s.maxLine), times: newInstants(s)}
}

func (d *recordDecoder) decode(_ context.Context, p *partition, c connector.Chunk, b *stream.Batch) ([]codec.Bad, error) {
	data, values, err := d.loader.Load(p.records, c)
	if err != nil {
		return nil, err
	}
	d.scanner.ScanValues(data, values, b)
	return d.times.convert(b, d.scanner.Bad()), nil
}

func (d *recordDecoder) place(row int) int   { return row }
func (d *recordDecoder) size() int           { return d.scanner.Lines() }
func (d *recordDecoder) text(row int) []byte { return d.scanner.Line(row) }
