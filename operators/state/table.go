package state

import "tidemark/stream"

// Appearance says that a key was new: the id that it got and the batch row that brought it.
type Appearance struct {
	ID  uint32
	Row int32
}

// Table maps keys to dense ids. The zero Table is empty and ready.
//
// A table takes the mode of the first keys added. When keys of another mode come it becomes General for
// good, until Reset. Ids don't change by that.
type Table struct {
	mode KeyMode
}

// Add appends the id of each row's key to ids and gives the extended slice. Keys not met before get the next
// ids in the order of rows, removed ids first; Fresh tells which these are.
func (t *Table) Add(k *Keys, rows []int32, ids []uint32) []uint32 { return ids }

// Fresh gives the keys that the last Add met for the first time, in the order of rows. It is valid until the
// next Add.
func (t *Table) Fresh() []Appearance { return nil }

// AddFrom adds the key that has an id in another table and gives its id here.
func (t *Table) AddFrom(other *Table, id uint32) uint32 { return 0 }

// Len gives one more than the greatest id given out since the last Reset. Without removals that is the number
// of keys.
func (t *Table) Len() int { return 0 }

// Live gives the number of keys in the table.
func (t *Table) Live() int { return 0 }

// Remove forgets the key of an id, which must be there. The id is given out again to a later key.
func (t *Table) Remove(id uint32) {}

// Reset removes all keys and keeps the memory. It costs what was used, not what is there.
func (t *Table) Reset() {}

// AppendKey appends a key's values, as first spelled, to builder columns, one for each key column.
func (t *Table) AppendKey(id uint32, columns []*stream.Column) {}

// Bytes gives the memory that the table holds, in bytes.
func (t *Table) Bytes() int64 { return 0 }

// Set computes the keys of a batch of n rows for the rows asked for (nil: all). Without columns all rows have
// the one key of mode Single.
func (k *Keys) Set(columns []*stream.Column, rows []int32, n int) {}

// Lane gives the lane of a key, from 0 to lanes-1, by the top six bits of its hash. lanes is at most 64.
func Lane(hash uint64, lanes int) int { return int(hash>>58) * lanes >> 6 }
