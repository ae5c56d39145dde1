package codec

import (
	"slices"

	"tidemark/stream"
)

// Padding is the number of readable bytes that must follow the data handed to a scanner, within its
// capacity, so that words may be loaded without a look at the end. A scanner never writes to them.
const Padding = 64

// Raw is the path of the line itself: a String column of the bytes that were read, without the line's end.
var Raw = stream.Path{"\x00raw"}

// Column asks for the value at a path of every record.
type Column struct {
	// Path names the value. The empty path is the whole record as a map[string]any, and Raw the line's bytes.
	Path stream.Path
	// Type is what a schema says of the value; it is looked at only where Typed is set.
	Type stream.Type
	// Typed makes a value of another type an error of its row. Integers become floats where the schema says
	// float; null and missing values are tagged, never an error, whatever Type.Null says.
	Typed bool
	// Millis says that an instant is wanted in whole milliseconds, rounded down. Sources of text have no instants.
	Millis bool
}

// Bad is a row that could not be read.
type Bad struct {
	// Row is the row's index in the batch.
	Row int32
	// Reason says what is wrong, for people.
	Reason string
	// Field is the path of the value at fault, dotted; empty where the line itself is.
	Field string
}

// AppendGood appends to rows those of the first n rows that are not bad. The bad ones are in order of Row. The result
// is never nil, which as a batch's selection would stand for all rows.
func AppendGood(rows []int32, n int, bad []Bad) []int32 {
	rows = slices.Grow(rows, n)
	for row := range int32(n) {
		if len(bad) > 0 && bad[0].Row == row {
			bad = bad[1:]
			continue
		}
		rows = append(rows, row)
	}
	return rows
}
