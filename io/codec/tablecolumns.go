package codec

import "tidemark/stream"

// target is a name that columns ask for.
type target struct {
	name  string
	field *field   // the column of the cell's value, if any
	below []*field // columns of what would be within it
	quick quick
}

// quick says how most of a column's values are read.
type quick uint8

const (
	slow quick = iota
	quickInt
	quickFloat
)

func (t *table) init(columns []Column, format CSVFormat) {
	t.format, t.columns = format, len(columns)
	t.nulls = newNullTexts(format.Nulls)
	t.types = map[string]stream.Type{}
	for _, f := range format.Fields {
		t.types[f.Name] = f.Type
	}
	for i, c := range columns {
		if first := firstOf(columns[:i], c.Path); first >= 0 {
			t.copies = append(t.copies, [2]int{i, first})
			continue
		}
		t.want(c, i)
	}
	for _, w := range t.targets {
		if w.field != nil && len(w.below) == 0 {
			w.quick = map[stream.Kind]quick{stream.Int: quickInt, stream.Float: quickFloat}[w.field.fixed]
		}
	}
	t.spanning = t.object != nil || t.whole != nil
}

// firstOf gives the first of columns with a path, −1 if there is none.
func firstOf(columns []Column, path stream.Path) int {
	for i, c := range columns {
		if c.Path.Equal(path) {
			return i
		}
	}
	return -1
}

// want adds a column. What no schema types is text, and so are instants, of which times are made elsewhere.
func (t *table) want(c Column, at int) {
	special := map[string]**field{Raw[0]: &t.raw, Verbatim[0]: &t.verbatim, Object[0]: &t.object}
	kind := stream.String
	if len(c.Path) == 1 && c.Typed {
		switch c.Type.Kind {
		case stream.Int, stream.Float, stream.Bool:
			kind = c.Type.Kind
		}
	}
	if len(c.Path) != 1 {
		kind = stream.Any
	}
	f := newField(Column{Path: c.Path, Type: stream.Type{Kind: kind}, Typed: true}, at)
	f.fixed, f.troubled = kind, &t.troubled
	t.fields = append(t.fields, f)
	if len(c.Path) == 0 {
		t.whole = f
		return
	}
	if slot := special[c.Path[0]]; slot != nil && len(c.Path) == 1 {
		*slot = f
		return
	}
	w := t.target(c.Path[0])
	if len(c.Path) > 1 {
		w.below = append(w.below, f)
		return
	}
	w.field = f
}

func (t *table) target(name string) *target {
	for _, w := range t.targets {
		if w.name == name {
			return w
		}
	}
	t.targets = append(t.targets, &target{name: name})
	return t.targets[len(t.targets)-1]
}

// bind sets the names of the columns of the file that is read. Of those that come again the last counts.
func (t *table) bind(names []string) {
	t.names = names
	t.cells, t.keys = make([]*target, len(names)), make([][]byte, len(names))
	last := map[string]int{}
	for i, name := range names {
		last[name] = i
	}
	t.lacking = t.lacking[:0]
	for _, w := range t.targets {
		if i, ok := last[w.name]; ok {
			t.cells[i] = w
		} else {
			t.lacking = append(t.lacking, w)
		}
	}
	for i, name := range names {
		if last[name] == i {
			t.keys[i] = append(appendQuoted(nil, bytesOf(name)), ':')
		}
	}
	t.same = t.format.Delimiter == ',' && equalNames(names, t.format.names())
}

func equalNames(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
