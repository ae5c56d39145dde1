package plan

import (
	"fmt"
	"strings"

	"tidemark/spec"
)

// otherTypes are the types of SQL, Go and other tools, with ours.
var otherTypes = func() map[string]string {
	words := map[string]string{}
	for ours, others := range map[string]string{
		"int":       "integer bigint smallint tinyint long short int8 int16 int32 int64 uint uint8 uint16 uint32 uint64",
		"float":     "double real decimal numeric number float32 float64",
		"string":    "text varchar char str uuid bytes",
		"bool":      "boolean",
		"timestamp": "time datetime date timestamptz timestamp_ltz instant",
		"list":      "array repeated",
		"object":    "map struct record row json dict",
	} {
		for _, word := range strings.Fields(others) {
			words[word] = ours
		}
	}
	return words
}()

// unknownType reports a type of a schema that is none; ok says that the word before the | is one.
func (c *compiler) unknownType(block string, e spec.Entry, base string, ok bool) {
	d := spec.Diagnostic{Node: block, Message: fmt.Sprintf("unknown type %s of field %q", e.Value.Quote(), e.Key),
		Hint: `types: int, float, string, bool, timestamp, list, object, any; nullable as "int|null"`}
	near, found := otherTypes[strings.ToLower(base)], true
	if e.Value.Secret() {
		near, found = "", false
	} else if near == "" {
		near, found = spec.Nearest(base, sortedKeys(schemaTypes))
	}
	switch {
	case typeWithin(e.Value) != "":
		d.Message = fmt.Sprintf("the type of field %q is a map", e.Key)
		d.Hint = "write " + e.Key + ": " + typeWithin(e.Value)
	case e.Value.Kind == spec.Map:
		inner := "name"
		if keys := e.Value.Keys(); len(keys) > 0 {
			inner = keys[0]
		}
		d.Message = fmt.Sprintf("the type of field %q is a map", e.Key)
		d.Hint = fmt.Sprintf("fields within a field are not declared: %s: object, and %s.%s in expressions", e.Key, e.Key, inner)
	case e.Value.Kind == spec.List:
		d.Message = fmt.Sprintf("the type of field %q is a list", e.Key)
		d.Hint = fmt.Sprintf("%s: list, whose elements may be anything", e.Key)
	case found && !ok:
		d.Hint = "did you mean " + near + "? " + d.Hint
		d.Fix = strings.Replace(e.Value.Text, base, near, 1)
	}
	c.report("TM004", spec.Error, e.Value, d)
}

// typeWithin gives the type that a map such as {type: int, nullable: true} says; empty for other maps.
func typeWithin(n *spec.Node) string {
	word := n.Get("type")
	if word == nil || word.Kind != spec.Scalar || word.Secret() {
		return ""
	}
	ours := strings.ToLower(word.Text)
	if other := otherTypes[ours]; other != "" {
		ours = other
	}
	if _, ok := schemaTypes[ours]; !ok {
		return ""
	}
	if n.Get("nullable").IsPlain("true") || n.Get("null").IsPlain("true") || n.Get("required").IsPlain("false") {
		return fmt.Sprintf("%q", ours+"|null")
	}
	return ours
}

// dottedNames warns of fields that are likely meant to lie within another: their names can't be written as a.b in
// an expression, which asks the field a for its b.
func (c *compiler) dottedNames(s *Source, n *spec.Node) {
	for _, e := range n.Entries {
		root, rest, dotted := strings.Cut(e.Key, ".")
		if !dotted || !isName(e.Key) {
			continue
		}
		c.reportKey("TM110", spec.Warning, e, spec.Diagnostic{Node: s.Name, Message: fmt.Sprintf("the field %q has a dot in its name, and is no field within %s", e.Key, root),
			Hint: fmt.Sprintf("declare %s: object, and write %s.%s in expressions (or row[%q] for the name with a dot)", root, root, rest, e.Key)})
	}
}
