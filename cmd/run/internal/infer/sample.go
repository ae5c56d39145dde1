package infer

import (
	"bytes"
	"context"
	"errors"
	"io"

	"tidemark/io/connector"
	"tidemark/io/fileio"
)

// piece is the beginning of a file.
type piece struct {
	name string
	// data is whole lines; ended says that they are all there are.
	data    []byte
	ended   bool
	records int // at most to be looked at
}

// sampleBytes is about how much of all files is read at most, however long their lines are.
const sampleBytes = 64 << 20

// readPieces reads the beginning of each file, unpacked.
func readPieces(ctx context.Context, o Options) ([]piece, error) {
	source := &fileio.SourceOptions{Path: o.Paths, Compression: "auto", Partitions: "file", MaxLine: fileio.DefaultMaxLine}
	for _, p := range source.Validate() {
		return nil, errors.New(p.Message + "; " + p.Hint)
	}
	partitions, err := source.Open(ctx, connector.Environment{Node: "infer", Stdin: o.Stdin})
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, p := range partitions {
			p.Close()
		}
	}()
	pieces := make([]piece, len(partitions))
	records, size := max(1, o.Records/len(partitions)), max(1<<20, sampleBytes/len(partitions))
	for i, p := range partitions {
		pieces[i] = piece{name: p.Name(), records: records}
		if err := pieces[i].read(ctx, p, size); err != nil {
			return nil, err
		}
	}
	return pieces, nil
}

// read takes lines from a partition until there are enough.
func (p *piece) read(ctx context.Context, from connector.Partition, size int) error {
	lines := 0
	for lines <= p.records && len(p.data) < size {
		c, err := from.Next(ctx)
		if err == io.EOF {
			p.ended = true
			break
		}
		if err != nil {
			return err
		}
		loaded, err := from.Load(ctx, c, nil)
		if err != nil {
			return err
		}
		lines += bytes.Count(loaded, []byte{'\n'})
		p.data = append(p.data, loaded...)
	}
	p.cut(p.records + 1) // a header may be among them
	p.data = connector.Pad(p.data)
	return nil
}

// cut keeps the first lines that are not blank.
func (p *piece) cut(lines int) {
	end := 0
	for line := range bytes.Lines(p.data) {
		if lines == 0 {
			p.data, p.ended = p.data[:end], false
			return
		}
		if len(bytes.TrimSpace(line)) > 0 {
			lines--
		}
		end += len(line)
	}
}

// head gives the first lines of the piece.
func (p piece) head(lines int) piece {
	p.data = bytes.Clone(p.data)
	p.cut(lines)
	p.data = connector.Pad(p.data)
	return p
}
