package parquetio

import (
	"strconv"
	"time"

	"tidemark/io/codec"
	"tidemark/stream"
)

// nested reads whole structs, lists and maps, or a leaf of one that is wanted boxed.
type nested struct {
	shape  *shape
	leaves []*cursor
	// fault is why the value that is being put together can't be given.
	fault string
	bad   bool
}

// cursor walks the entries of a leaf: a repetition and a definition level each, and a value where it is not null.
type cursor struct {
	leafReader
	entryReps, entryDefs []byte
	boxed                []any
	at, next             int
	// dictionaryBoxed are the values of the dictionary, each boxed once.
	dictionaryBoxed []any
}

// badValue stands for a value that can't be given.
type badValue string

func newNested(s *shape) *nested {
	n := &nested{shape: s}
	for _, leaf := range s.leaves {
		n.leaves = append(n.leaves, &cursor{leafReader: leafReader{leaf: leaf, current: -1}})
	}
	return n
}

// load gives the values of the rows from up to, one after the other, each with its first leaf's definition level.
// reason is set where one can't be given.
func (n *nested) load(from, to int64, give func(row int, level uint8, v any, reason string)) error {
	for _, c := range n.leaves {
		if err := c.gather(from, to); err != nil {
			return err
		}
	}
	places := map[*shape]*cursor{}
	for _, c := range n.leaves {
		places[c.leaf] = c
	}
	for row := range int(to - from) {
		n.fault = ""
		level := uint8(0)
		if len(n.leaves) > 0 && n.leaves[0].at < len(n.leaves[0].entryDefs) {
			level = n.leaves[0].entryDefs[n.leaves[0].at]
		}
		v := n.build(n.shape, places)
		for _, c := range n.leaves {
			n.bad = n.bad || c.at < len(c.entryReps) && c.entryReps[c.at] != 0
		}
		if n.bad {
			n.bad = false
			return errDamaged
		}
		give(row, level, v, n.fault)
	}
	return nil
}

// forget drops what was kept of a row group.
func (n *nested) forget() {
	for _, c := range n.leaves {
		c.dictionaryBoxed = nil
	}
}

// gather collects the entries of some rows of the row group.
func (c *cursor) gather(from, to int64) error {
	c.entryReps, c.entryDefs = c.entryReps[:0], c.entryDefs[:0]
	clear(c.boxed)
	c.boxed, c.at, c.next = c.boxed[:0], 0, 0
	number := c.table.find(from)
	for ; number < len(c.table.pages); number++ {
		p := &c.table.pages[number]
		if p.first >= to && p.rows > 0 && c.leaf.maxRep == 0 {
			break
		}
		if err := c.decode(number); err != nil {
			return err
		}
		if c.take(p.first-1, from, to) {
			break
		}
	}
	return nil
}

// take collects those entries of the decoded page that are of the rows from up to; row is the last one that began
// before the page. It reports whether a row behind them was seen.
func (c *cursor) take(row, from, to int64) (past bool) {
	value := 0
	for i := range c.count {
		rep, def := byte(0), c.leaf.def
		if c.leaf.maxRep > 0 {
			rep = c.reps[i]
		}
		if !c.full {
			def = c.defs[i]
		}
		if rep == 0 {
			row++
		}
		if row >= to {
			return true
		}
		if row >= from {
			c.entryReps, c.entryDefs = append(c.entryReps, rep), append(c.entryDefs, def)
			if def == c.leaf.def {
				c.boxed = append(c.boxed, c.value(value))
			}
		}
		if def == c.leaf.def {
			value++
		}
	}
	return false
}

// value boxes a value of the decoded page.
func (c *cursor) value(i int) any {
	if !c.indexed {
		return box(&c.page, i)
	}
	if c.dictionaryBoxed == nil {
		c.dictionaryBoxed = make([]any, c.dictionary.Len())
	}
	v := &c.dictionaryBoxed[c.indexes[i]]
	if *v == nil {
		*v = box(&c.dictionary, int(c.indexes[i]))
	}
	return *v
}

func box(col *stream.Column, row int) any {
	if col.Tag(row) == tagBad {
		return badValue(col.Boxed[row].(string))
	}
	return col.Value(row)
}

// build puts the next value of a shape together.
func (n *nested) build(s *shape, at map[*shape]*cursor) any {
	if len(s.leaves) == 0 { // a struct without fields
		return map[string]any{}
	}
	first := at[s.leaves[0]]
	if n.bad = n.bad || first.at >= len(first.entryDefs); n.bad {
		return nil
	}
	if first.entryDefs[first.at] < s.def {
		n.pass(s, at)
		return nil
	}
	switch s.form {
	case formLeaf:
		return n.leafValue(first)
	case formStruct:
		object := make(map[string]any, len(s.parts))
		for _, part := range s.parts {
			object[part.name] = n.build(part, at)
		}
		return object
	case formMap:
		return n.buildMap(s, at, first)
	}
	list := []any{}
	if first.entryDefs[first.at] < s.itemDef {
		n.pass(s, at)
		return list
	}
	for {
		list = append(list, n.build(s.parts[0], at))
		if n.bad || !first.repeats(s.rep) {
			return list
		}
	}
}

func (n *nested) buildMap(s *shape, at map[*shape]*cursor, first *cursor) any {
	object := map[string]any{}
	if first.entryDefs[first.at] < s.itemDef {
		n.pass(s, at)
		return object
	}
	for {
		key := keyText(n.build(s.parts[0], at))
		object[key] = nil
		if len(s.parts) > 1 {
			object[key] = n.build(s.parts[1], at)
		}
		if n.bad || !first.repeats(s.rep) {
			return object
		}
	}
}

// repeats reports whether the next entry goes on with the list of a repetition level.
func (c *cursor) repeats(rep uint8) bool { return c.at < len(c.entryReps) && c.entryReps[c.at] == rep }

func (n *nested) leafValue(c *cursor) any {
	if c.next >= len(c.boxed) {
		n.bad = true
		return nil
	}
	v := c.boxed[c.next]
	c.at, c.next = c.at+1, c.next+1
	if bad, is := v.(badValue); is {
		n.fault = string(bad)
		return nil
	}
	return v
}

// pass skips an entry in each leaf of a shape that has no value.
func (n *nested) pass(s *shape, at map[*shape]*cursor) {
	for _, leaf := range s.leaves {
		c := at[leaf]
		if c.at >= len(c.entryDefs) || c.entryDefs[c.at] >= leaf.def {
			n.bad = true
			return
		}
		c.at++
	}
}

// keyText gives a map's key as text, as objects have it.
func keyText(key any) string {
	switch k := key.(type) {
	case nil:
		return "null"
	case string:
		return k
	case int64:
		return strconv.FormatInt(k, 10)
	case time.Time:
		return k.Format(time.RFC3339Nano)
	}
	return string(codec.AppendValue(nil, key))
}
