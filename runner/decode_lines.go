package runner

import (
	"context"
	"fmt"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// textScanner reads records that are text, the lines of a chunk or values, into columns.
type textScanner interface {
	Scan(data []byte, b *stream.Batch)
	ScanValues(data []byte, values []codec.Span, b *stream.Batch)
	Bad() []codec.Bad
	Line(row int) []byte
	LineNumber(row int) int
	Lines() int
}

// scanner makes a scanner of the source's records.
func (s *source) scanner() textScanner {
	switch s.plan.Format {
	case plan.CSV:
		return codec.NewCSVScanner(s.plan.Columns, *s.csv())
	case plan.Text:
		return codec.NewTextScanner(s.plan.Columns, s.maxLine)
	}
	return codec.NewJSONScanner(s.plan.Columns, s.maxLine)
}

// csvDecoder reads CSV, whose files may each have a header of their own.
type csvDecoder struct {
	lineDecoder
	csv *codec.CSVScanner
}

func (d *csvDecoder) decode(ctx context.Context, p *partition, c connector.Chunk, b *stream.Batch) ([]codec.Bad, error) {
	if c.End == c.Offset { // nothing has come, perhaps not even the header
		return d.lineDecoder.decode(ctx, p, c, b)
	}
	if err := d.csv.SetHead(c.Head, c.Offset == 0); err != nil {
		return nil, fmt.Errorf("%s: %w", p.fileOf(c), err)
	}
	if c.Offset == 0 {
		p.source.doubts.look(p.fileOf(c), d.csv)
	}
	bad, err := d.lineDecoder.decode(ctx, p, c, b)
	if name := d.csv.NonFinite(); name != "" {
		p.source.doubts.tellNonFinite(name)
	}
	return bad, err
}

// csv gives the format of the source's records with the limit of their length, or nil where they are not CSV.
func (s *source) csv() *codec.CSVFormat {
	if s.plan.CSV == nil {
		return nil
	}
	f := *s.plan.CSV
	f.MaxRecord = s.maxLine
	return &f
}
