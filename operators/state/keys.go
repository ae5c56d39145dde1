package state

import "tidemark/stream"

// KeyMode is the form that the keys of a batch, or of a table, are in.
type KeyMode uint8

// The forms of keys.
const (
	Single  KeyMode = iota // no key columns: all rows are one group
	Ints                   // one column of integers
	Strings                // one column of text
	General                // canonical encoded bytes
)

// Keys are the grouping keys of a batch in canonical form. Elements are indexed by batch row; those of rows
// that Set was not asked for are undefined.
//
// Keys share memory with the columns that they were made of, and are valid as long as these are.
type Keys struct {
	Mode KeyMode
	// Ints has the keys in mode Ints.
	Ints []int64
	// Text has the keys in modes Strings (the text itself) and General (the encoding).
	Text stream.Column
	// Hash has a hash of each row's key, equal for keys that are equal, whatever the mode. It is all zeros in
	// mode Single.
	Hash []uint64

	own    stream.Column // encodings, kept apart from the columns' memory
	hashes []uint64
	spells []uint32 // mode General: bytes of the spelling that follow the encoding; nil where no row has any
}
