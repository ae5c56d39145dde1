package fileio

import (
	"bytes"

	"tidemark/io/codec"
	"tidemark/io/connector"
)

// lineEnds finds the rows in what a sink is given to write: lines, or CSV records, which may have line feeds in them.
type lineEnds struct {
	cutter *codec.CSVCutter // nil where rows are lines
}

func newLineEnds(env connector.Environment) lineEnds {
	if env.Format != "csv" {
		return lineEnds{}
	}
	return lineEnds{codec.NewCSVCutter(&codec.CSVFormat{Delimiter: ','})}
}

// count gives the number of whole rows.
func (l *lineEnds) count(rows []byte) int64 {
	if l.cutter == nil || bytes.IndexByte(rows, '"') < 0 {
		return int64(bytes.Count(rows, []byte{'\n'}))
	}
	n := int64(0)
	for len(rows) > 0 {
		rows = rows[l.first(rows):]
		n++
	}
	return n
}

// first gives the length of the first of whole rows.
func (l *lineEnds) first(rows []byte) int {
	for end := 0; ; {
		i := bytes.IndexByte(rows[end:], '\n')
		if i < 0 {
			return len(rows)
		}
		line := rows[end : end+i+1]
		end += i + 1
		if l.cutter == nil || l.cutter.Cut(line) > 0 {
			return end
		}
	}
}
