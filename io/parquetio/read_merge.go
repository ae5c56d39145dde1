package parquetio

import (
	"fmt"

	"tidemark/stream"
)

// mergedField is a column, or a part of one, as all files of a source together have it.
type mergedField struct {
	name     string
	form     form
	typ      leafType
	optional bool
	parts    []*mergedField
	from     string // the file that first had it
	// clash is the error to give when the field is asked for: two files have types that don't go together.
	clash error
}

// fieldOf gives a shape as a field of its own.
func fieldOf(s *shape, file string) *mergedField {
	f := &mergedField{name: s.name, form: s.form, typ: s.typ, optional: s.optional, from: file}
	for _, p := range s.parts {
		f.parts = append(f.parts, fieldOf(p, file))
	}
	return f
}

// merge adds what another file has at the same place. path is the place, for messages. A file without rows can't
// clash.
func (f *mergedField) merge(s *shape, file, path string, empty bool) {
	f.optional = f.optional || s.optional
	switch {
	case s.isNull() && s.form == formLeaf:
		f.optional = true
	case f.form == formLeaf && f.typ.means == meansNull:
		g := fieldOf(s, file)
		g.optional = true
		*f = *g
	case f.form != s.form || f.form == formMap && len(f.parts) != len(s.parts):
		f.clashes(s, file, path, empty)
	case f.form == formLeaf:
		if t, ok := common(f.typ, s.typ); ok {
			f.typ = t
		} else {
			f.clashes(s, file, path, empty)
		}
	case f.form == formStruct:
		f.mergeParts(s, file, path, empty)
	default:
		for i, p := range s.parts {
			f.parts[i].merge(p, file, path, empty)
		}
	}
}

func (f *mergedField) mergeParts(s *shape, file, path string, empty bool) {
	if path != "" {
		path += "."
	}
	seen := map[string]*mergedField{}
	for _, p := range f.parts {
		seen[p.name] = p
		p.optional = p.optional || s.part(p.name) == nil
	}
	for _, p := range s.parts {
		if old := seen[p.name]; old != nil {
			old.merge(p, file, path+p.name, empty)
			continue
		}
		g := fieldOf(p, file)
		g.optional = true
		f.parts = append(f.parts, g)
	}
}

func (f *mergedField) clashes(s *shape, file, path string, empty bool) {
	if f.clash == nil && !empty {
		f.clash = fmt.Errorf("%s: column %q is %s, but %s in %s; write one of them again, or read them by two sources",
			file, path, s.typeName(), f.typeName(), f.from)
	}
}

func (s *shape) isNull() bool           { return s.typ.means == meansNull }
func (s *shape) typeName() string       { return typeName(s.form, s.typ) }
func (f *mergedField) typeName() string { return typeName(f.form, f.typ) }

func typeName(of form, t leafType) string {
	return [...]string{t.String(), "a struct", "a list", "a map"}[of]
}

// common gives the type that holds the values of two.
func common(a, b leafType) (leafType, bool) {
	if a.means > b.means {
		a, b = b, a
	}
	switch {
	case a.means == b.means:
		return b, true
	case a.kind() == stream.Int && b.kind() == stream.Int, a.kind() == stream.Instant && b.kind() == stream.Instant:
		return b, true
	case (a.kind() == stream.Int || a.kind() == stream.Float) && b.kind() == stream.Float:
		return leafType{physical: physicalDouble, means: meansFloat}, true
	}
	return a, false
}

// fault gives the first clash in a field or its parts.
func (f *mergedField) fault() error {
	if f == nil {
		return nil
	}
	if f.clash != nil {
		return f.clash
	}
	for _, p := range f.parts {
		if err := p.fault(); err != nil {
			return err
		}
	}
	return nil
}

// at finds the field that a path leads to, or the last one on the way that has no fields of its own.
func (f *mergedField) at(path stream.Path) *mergedField {
	for _, name := range path {
		if f.form != formStruct {
			return f
		}
		var next *mergedField
		for _, p := range f.parts {
			if p.name == name {
				next = p
			}
		}
		if next == nil {
			return nil
		}
		if f = next; f.clash != nil {
			return f
		}
	}
	return f
}

// typeOf gives what is known of the field's values. Unsigned integers of 64 bits may be ints or digits as text, so
// nothing is.
func (f *mergedField) typeOf() stream.Type {
	t := stream.Type{Null: f.optional || f.clash != nil}
	switch {
	case f.clash != nil:
	case f.form == formList:
		t.Shape = stream.List
	case f.form != formLeaf:
		t.Shape = stream.Object
	case f.typ.means != meansUnsigned:
		t.Kind = f.typ.kind()
	}
	return t
}
