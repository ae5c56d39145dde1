package codec

import "tidemark/stream"

// manyPlaces is the number of names from which a map finds one faster than a loop.
const manyPlaces = 8

// place is a name on the way to a wanted value, or the value's own. Places are a tree; its root is the record.
type place struct {
	name string
	// depth is 0 for a member of the record, and −1 for the record itself.
	depth    int
	field    *field // the column that wants the value here, if any
	children []*place
	index    map[string]*place // of children, when there are many
	below    []*field          // the columns of all places below
	// seen is the stamp of the object in which the name was last met: how a second one is noticed.
	seen uint64
}

// nesting is the number of brackets open inside the object at the place.
func (w *place) nesting() int { return w.depth + 2 }

// tagDepth is what is added to a parent's tag.
func (w *place) tagDepth() stream.Tag { return stream.Tag(min(max(w.depth, 0), 15)) }

// add puts a column's path below w.
func (w *place) add(path stream.Path, f *field) *place {
	at := w
	for _, name := range path {
		at.below = append(at.below, f)
		next := at.find([]byte(name))
		if next == nil {
			next = at.grow(name)
		}
		at = next
	}
	return at
}

func (w *place) grow(name string) *place {
	child := &place{name: name, depth: w.depth + 1}
	w.children = append(w.children, child)
	switch {
	case w.index != nil:
		w.index[name] = child
	case len(w.children) >= manyPlaces:
		w.index = make(map[string]*place)
		for _, c := range w.children {
			w.index[c.name] = c
		}
	}
	return child
}

// find gives the place below w with a name, or nil.
func (w *place) find(name []byte) *place {
	if w.index != nil {
		return w.index[string(name)]
	}
	for _, c := range w.children {
		if c.name == string(name) {
			return c
		}
	}
	return nil
}

// passage says that an object here is only gone through, for the values below it.
func (w *place) passage() bool { return w.field == nil && len(w.children) > 0 }
