// Package infer guesses the source block of a pipeline file from data: the format, the columns and their types, which
// of them has the time, and how far records are out of order.
//
// It looks at the first records of every file, and reads them as a run would, with the scanners of [codec] and the
// extractor of [watermark]. A type is given only if all records of the sample can be read with it, so that what the
// block reads has no dirty rows but for lines that no schema could help. Why a thing was guessed stands in a comment
// beside it.
package infer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tidemark/io/fileio"
)

// Options say what to look at.
type Options struct {
	// Paths are files, globs, or - for Stdin.
	Paths []string
	Stdin io.Reader
	// Records is how many records to look at, over all files; at least one of each file is.
	Records int
}

// Source is a source block that was guessed.
type Source struct {
	paths  []string
	typ    string // of the block
	format *format
	table  *table
	clock  *clock // nil where no column has the time
	more   bool   // there are records that were not looked at
}

// Guess looks at data and guesses the source that reads it.
func Guess(ctx context.Context, o Options) (*Source, error) {
	parquet, err := allParquet(o.Paths)
	if err != nil {
		return nil, err
	}
	s := &Source{paths: o.Paths, typ: "file"}
	if parquet {
		s.typ = "parquet"
		s.table, s.more, err = parquetTable(ctx, o)
	} else {
		err = s.lines(ctx, o)
	}
	if err != nil {
		return nil, err
	}
	s.clock = s.table.findClock()
	return s, nil
}

// lines guesses a source of lines.
func (s *Source) lines(ctx context.Context, o Options) error {
	pieces, err := readPieces(ctx, o)
	if err != nil {
		return err
	}
	if s.format, err = sniff(pieces); err != nil {
		return err
	}
	for _, p := range pieces {
		s.more = s.more || !p.ended
	}
	switch s.format.name {
	case "json":
		s.table, err = jsonTable(pieces)
	case "csv":
		s.table, err = csvTable(pieces, s.format)
	default:
		s.table = textTable(pieces)
	}
	if err == nil && s.table.records() == 0 {
		return fmt.Errorf("%s has no records to look at", strings.Join(o.Paths, ", "))
	}
	return err
}

// Looked says how much was looked at.
func (s *Source) Looked() string {
	records := counted(s.table.records(), "record")
	if s.more {
		return "looked at the first " + records
	}
	return "looked at " + records + ", all there are"
}

// Partial reports whether there are records that were not looked at.
func (s *Source) Partial() bool { return s.more }

// parquetMagic is what Parquet files begin with.
const parquetMagic = "PAR1"

// allParquet reports whether the files are Parquet.
func allParquet(paths []string) (bool, error) {
	files, err := fileio.Regular(paths)
	if err != nil || len(files) == 0 {
		return false, nil // standard input, a pipe, or nothing, of which the source tells better
	}
	yes, other := "", ""
	for _, path := range files {
		switch is, err := beginsWith(path, parquetMagic); {
		case err != nil:
			return false, fileio.OpenError(path, err)
		case is:
			yes = path
		default:
			other = path
		}
	}
	if yes != "" && other != "" {
		return false, fmt.Errorf("%s is a Parquet file and %s is not; name files of one kind", filepath.Base(yes), filepath.Base(other))
	}
	return yes != "", nil
}

func beginsWith(path, magic string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(f, head); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	return string(head) == magic, nil
}
