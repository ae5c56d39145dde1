package parquetio

import "slices"

// form is what a shape is made of.
type form uint8

const (
	formLeaf form = iota
	formStruct
	formList
	formMap
)

// shape is a value of the schema as a reader sees it, without the groups that only serve to encode lists and maps.
type shape struct {
	name string
	form form
	// def is the definition level from which on the value is there; optional says that there are lower ones at
	// which it is null while what is around it is there.
	def      uint8
	optional bool
	// rep is a list's or a map's repetition level, itemDef the definition level from which on it has an item.
	rep, itemDef uint8
	// parts are a struct's fields, a list's item, a map's key and value (a set has no value).
	parts []*shape
	// leaf is a leaf's place in the row groups; maxRep is its greatest repetition level.
	leaf   int
	maxRep uint8
	typ    leafType
	// leaves are all leaves in the shape.
	leaves []*shape
}

// part finds a field of a struct.
func (s *shape) part(name string) *shape {
	if s.form == formStruct {
		for _, p := range s.parts {
			if p.name == name {
				return p
			}
		}
	}
	return nil
}

// maxLevel is the greatest level of nesting that is read.
const maxLevel = 64

// schemaReader turns the list of elements into shapes.
type schemaReader struct {
	elements []element
	next     int
	leaves   int
	depth    int
	bad      bool
}

// shapes gives the record, a struct of the columns, and the number of leaves. It reports false if the elements are
// no tree.
func shapes(elements []element) (record *shape, leaves int, ok bool) {
	r := &schemaReader{elements: elements}
	if len(elements) == 0 || elements[0].physical != noType {
		return nil, 0, false
	}
	record = r.group(0, 0)
	return record, r.leaves, !r.bad && r.next == len(elements)
}

// group reads the next element, a group of the levels given, and what is in it.
func (r *schemaReader) group(rep, def uint8) *shape {
	e := &r.elements[r.next]
	r.next++
	s := &shape{name: e.name, form: formStruct, def: def}
	if e.children < 0 || e.children > int64(len(r.elements)-r.next) || rep > maxLevel || def > maxLevel {
		r.bad = true
		return s
	}
	if r.depth++; r.depth > maxLevel {
		r.bad = true
	}
	defer func() { r.depth-- }()
	seen := map[string]bool{}
	for range e.children {
		if r.bad || r.next >= len(r.elements) {
			r.bad = true
			break
		}
		part := r.value(rep, def)
		if seen[part.name] {
			continue // a name leads to one thing: the first
		}
		seen[part.name] = true
		s.parts = append(s.parts, part)
		s.leaves = append(s.leaves, part.leaves...)
	}
	return s
}

// value reads the next element, of whatever kind, inside something of the levels given.
func (r *schemaReader) value(rep, def uint8) *shape {
	e := &r.elements[r.next]
	if e.repetition == repeated {
		// Without an annotation a repeated element is a list that is never null.
		item := r.once(e, rep+1, def+1)
		return &shape{name: e.name, form: formList, def: def, rep: rep + 1, itemDef: def + 1, parts: []*shape{item}, leaves: item.leaves}
	}
	if e.repetition == optional {
		s := r.once(e, rep, def+1)
		s.optional = true
		return s
	}
	return r.once(e, rep, def)
}

// once reads the next element as a single value that is there from def on.
func (r *schemaReader) once(e *element, rep, def uint8) *shape {
	if e.physical != noType {
		return r.leaf(e, rep, def)
	}
	a := modern(e)
	switch {
	case (a.of == logicalList || a.of == logicalMap) && r.wraps():
		if a.of == logicalMap && r.isMap() {
			return r.list(e, rep, def, true)
		}
		return r.list(e, rep, def, false)
	}
	return r.group(rep, def)
}

func (r *schemaReader) leaf(e *element, rep, def uint8) *shape {
	if e.physical < physicalBool || e.physical > physicalFixed || e.length < 0 || e.length > 1<<20 ||
		e.physical == physicalFixed && e.length == 0 || e.children > 0 || rep > maxLevel || def > maxLevel {
		r.bad = true
		e.physical = physicalInt32
	}
	s := &shape{name: e.name, form: formLeaf, def: def, leaf: r.leaves, maxRep: rep, typ: leafTypeOf(e)}
	s.leaves = []*shape{s}
	r.next++
	r.leaves++
	return s
}

// wraps reports whether the next element is a group of one repeated element, as a list or a map has.
func (r *schemaReader) wraps() bool {
	e := r.elements[r.next:]
	return e[0].children == 1 && len(e) > 1 && e[1].repetition == repeated
}

// isMap reports whether the repeated group of the next element has a key and at most a value.
func (r *schemaReader) isMap() bool {
	e := r.elements[r.next+1:]
	return e[0].physical == noType && (e[0].children == 1 || e[0].children == 2) && len(e) > 1 && e[1].physical != noType
}

// list reads a list or a map from its outer group on.
func (r *schemaReader) list(e *element, rep, def uint8, isMap bool) *shape {
	r.next++
	inner := &r.elements[r.next]
	s := &shape{name: e.name, form: formList, def: def, rep: rep + 1, itemDef: def + 1}
	switch {
	case isMap:
		entry := r.group(rep+1, def+1)
		s.form, s.parts, s.leaves = formMap, entry.parts, entry.leaves
	case r.isItem(e.name, inner):
		item := r.once(inner, rep+1, def+1)
		s.parts, s.leaves = []*shape{item}, item.leaves
	default:
		wrapper := r.group(rep+1, def+1)
		s.parts, s.leaves = wrapper.parts, wrapper.leaves
	}
	r.bad = r.bad || len(s.parts) == 0
	return s
}

// isItem tells the lists of two levels, whose repeated element is the item itself, from those of three, where it
// is a group around the item (Parquet: LogicalTypes, backward-compatibility rules).
func (r *schemaReader) isItem(list string, inner *element) bool {
	return inner.physical != noType || inner.children != 1 ||
		slices.Contains([]string{"array", list + "_tuple"}, inner.name) ||
		r.next+1 < len(r.elements) && r.elements[r.next+1].repetition == repeated
}
