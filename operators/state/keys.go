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

	// own is where encodings are built, apart from the columns' memory that Text may share.
	own stream.Column
	// spelled has the length of the key's encoding as written, which follows the canonical one in the arena;
	// 0 where they are the same, and no elements where they are the same everywhere.
	spelled []uint32
	every   []int32
}

// Set computes the keys of a batch of n rows for the rows asked for (nil: all). Without columns all rows have
// the one key of mode Single.
func (k *Keys) Set(columns []*stream.Column, rows []int32, n int) {
	k.Hash = stream.Resize(k.Hash, n)
	k.Ints, k.spelled = nil, k.spelled[:0]
	if rows == nil {
		rows = k.all(n)
	}
	switch {
	case len(columns) == 0:
		k.Mode = Single
		clear(k.Hash)
	case len(columns) == 1 && plain(columns[0], stream.Int, rows):
		k.setInts(columns[0], rows)
	case len(columns) == 1 && plain(columns[0], stream.String, rows):
		k.setStrings(columns[0], rows)
	default:
		k.setGeneral(columns, rows, n)
	}
}

// all gives the numbers of n rows.
func (k *Keys) all(n int) []int32 {
	for i := len(k.every); i < n; i++ {
		k.every = append(k.every, int32(i))
	}
	return k.every[:n]
}

// plain reports whether the rows hold nothing but values of a kind.
func plain(c *stream.Column, kind stream.Kind, rows []int32) bool {
	if c.Kind != kind {
		return false
	}
	if c.Odd == 0 {
		return true
	}
	for _, r := range rows {
		if c.Tags[r] != stream.TagOK {
			return false
		}
	}
	return true
}

func (k *Keys) setInts(c *stream.Column, rows []int32) {
	k.Mode, k.Ints = Ints, c.Ints
	for _, r := range rows {
		k.Hash[r] = hashInt(c.Ints[r])
	}
}

func (k *Keys) setStrings(c *stream.Column, rows []int32) {
	k.Mode = Strings
	k.Text = stream.Column{Kind: stream.String, Refs: c.Refs, Data: c.Data, Arena: c.Arena}
	for _, r := range rows {
		k.Hash[r] = hashText(c.Bytes(int(r)))
	}
}

func (k *Keys) setGeneral(columns []*stream.Column, rows []int32, n int) {
	k.Mode = General
	k.own.Kind = stream.String
	k.own.Refs = stream.Resize(k.own.Refs, n)
	arena := k.own.Arena[:0]
	for _, r := range rows {
		start, respelled := len(arena), false
		for _, c := range columns {
			var changed bool
			arena, changed = encodeCell(arena, c, int(r), canonical)
			respelled = respelled || changed
		}
		end := len(arena)
		k.own.Refs[r] = stream.Ref{Off: uint32(start) | stream.ArenaBit, Len: uint32(end - start)}
		k.Hash[r] = hashEncoded(arena[start:end], len(columns))
		if respelled {
			for _, c := range columns {
				arena, _ = encodeCell(arena, c, int(r), asWritten)
			}
			k.respell(int(r), n, len(arena)-end)
		}
	}
	k.own.Arena = arena
	k.Text = k.own
}

// respell notes that the encoding of a row's key as written has size bytes.
func (k *Keys) respell(row, n, size int) {
	if len(k.spelled) == 0 {
		k.spelled = stream.Resize(k.spelled, n)
		clear(k.spelled)
	}
	k.spelled[row] = uint32(size)
}

// written gives the encoding as written of a row's key in mode General, or nil where that is the canonical one.
func (k *Keys) written(row int32) []byte {
	if len(k.spelled) == 0 || k.spelled[row] == 0 {
		return nil
	}
	r := k.Text.Refs[row]
	end := r.Off&^stream.ArenaBit + r.Len
	return k.Text.Arena[end : end+k.spelled[row]]
}
