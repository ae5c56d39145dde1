package infer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"tidemark/io/codec"
	"tidemark/stream"
)

// mostNames is how many names a schema may list. Objects with more have names that are data.
const mostNames = 500

// jsonTable finds the fields of JSON objects and their types.
func jsonTable(pieces []piece) (*table, error) {
	t := &table{}
	names := jsonNames(pieces)
	if len(names) > mostNames {
		names = names[:0]
		t.reason = "more than 500 names are in the records: no schema lists them"
	}
	for _, name := range names {
		t.columns = append(t.columns, &column{name: name})
	}
	t.jsonTypes(pieces)
	for { // what the types don't hold becomes any
		t.parts = scanJSON(pieces, t.wanted())
		if !t.widen() {
			break
		}
	}
	t.settle()
	t.instants()
	return t, nil
}

// widen makes columns that rows are bad for any, and reports whether there were such.
func (t *table) widen() bool {
	changed := false
	for _, p := range t.parts {
		for _, bad := range p.bad {
			if c := t.troubled(bad); c != nil && c.typ != (stream.Type{Null: true}) {
				c.typ, changed = stream.Type{Null: true}, true
			}
		}
	}
	return changed
}

func scanJSON(pieces []piece, columns []codec.Column) []part {
	s := codec.NewJSONScanner(columns, 0)
	parts := make([]part, len(pieces))
	for i, p := range pieces {
		parts[i] = scanPiece(s, p)
	}
	return parts
}

// jsonNames gives the names of the objects in the order in which they first appear.
func jsonNames(pieces []piece) []string {
	var names []string
	known := map[string]bool{}
	for _, p := range pieces {
		for line := range bytes.Lines(p.data) {
			if !json.Valid(line) {
				continue
			}
			d := json.NewDecoder(bytes.NewReader(line))
			if start, err := d.Token(); err != nil || start != json.Delim('{') {
				continue
			}
			for d.More() && len(names) <= mostNames {
				name, _ := d.Token()
				var value json.RawMessage
				if d.Decode(&value) != nil {
					break
				}
				if text, ok := name.(string); ok && !known[text] {
					known[text] = true
					names = append(names, text)
				}
			}
		}
	}
	return names
}

// jsonTypes gives the columns the types that their values have.
func (t *table) jsonTypes(pieces []piece) {
	plain := t.columns
	for { // columns with integers beyond 64 bits can't be read without a type
		u := &table{columns: plain}
		columns := u.wanted()
		for i := range columns {
			columns[i].Typed = false
		}
		u.parts = scanJSON(pieces, columns)
		large := u.large()
		if len(large) == 0 {
			u.kinds()
			return
		}
		for _, c := range large {
			c.hold(pieces)
		}
		plain = slices.DeleteFunc(slices.Clone(plain), func(c *column) bool { return slices.Contains(large, c) })
	}
}

// large gives the columns that rows are bad for.
func (t *table) large() []*column {
	var found []*column
	for _, p := range t.parts {
		for _, bad := range p.bad {
			if c := t.troubled(bad); c != nil && !slices.Contains(found, c) {
				found = append(found, c)
			}
		}
	}
	return found
}

// hold gives a column with integers beyond 64 bits a type that can hold its values.
func (c *column) hold(pieces []piece) {
	for _, kind := range []stream.Kind{stream.String, stream.Float} {
		c.typ = stream.Type{Kind: kind}
		u := &table{columns: []*column{c}}
		if u.parts = scanJSON(pieces, u.wanted()); len(u.large()) == 0 {
			c.why = "some integers are beyond 64 bits: as text they stay exact"
			if kind == stream.Float {
				c.why = "some integers are beyond 64 bits: as floats they are not exact"
			}
			return
		}
	}
	c.typ, c.why = stream.Type{Null: true}, "some integers are beyond 64 bits, which no type holds beside the other values"
}

// kinds gives each column the type that goes for all of its values.
func (t *table) kinds() {
	for i, c := range t.columns {
		found := map[string]int{}
		for _, p := range t.parts {
			for _, row := range p.rows {
				if kind := kindOf(p.batch.Columns[i].Value(int(row))); kind != "" {
					found[kind]++
				}
			}
		}
		c.typ, c.why = typeOf(found)
	}
}

// kindOf gives the word of a schema for a value; empty for null.
func kindOf(v any) string {
	switch v.(type) {
	case int64:
		return "int"
	case float64:
		return "float"
	case string:
		return "string"
	case bool:
		return "bool"
	case []any:
		return "list"
	case map[string]any:
		return "object"
	}
	return ""
}

var typesByName = map[string]stream.Type{
	"int": {Kind: stream.Int}, "float": {Kind: stream.Float}, "string": {Kind: stream.String}, "bool": {Kind: stream.Bool},
	"list": {Shape: stream.List}, "object": {Shape: stream.Object},
}

// typeOf gives the type that goes for values of kinds that were counted, and why it is wider than one would think.
func typeOf(kinds map[string]int) (typ stream.Type, why string) {
	total := 0
	for _, n := range kinds {
		total += n
	}
	found := slices.SortedFunc(maps.Keys(kinds), func(a, b string) int {
		return cmp.Or(cmp.Compare(kinds[b], kinds[a]), cmp.Compare(a, b))
	})
	switch {
	case len(found) == 0:
		return stream.Type{Null: true}, "always null"
	case len(found) == 1:
		return typesByName[found[0]], ""
	case len(found) == 2 && kinds["int"] > 0 && kinds["float"] > 0:
		return typesByName["float"], ""
	}
	for i, kind := range found {
		found[i] = kind + " in " + percent(kinds[kind], total)
	}
	return stream.Type{Null: true}, strings.Join(found, ", ")
}
