package parquetio

import (
	"strings"
	"testing"
)

// outline writes a shape in one line: null? for what may be null, [] for lists, {} for structs, <> for maps.
func outline(s *shape) string {
	text := s.name
	if s.optional {
		text += "?"
	}
	var parts []string
	for _, p := range s.parts {
		parts = append(parts, outline(p))
	}
	switch s.form {
	case formStruct:
		return text + "{" + strings.Join(parts, " ") + "}"
	case formList:
		return text + "[" + strings.Join(parts, " ") + "]"
	case formMap:
		return text + "<" + strings.Join(parts, " ") + ">"
	}
	return text
}

// TestShapes turns schemas, each an element a line, indented by its depth, into shapes (Parquet: LogicalTypes, the
// rules for lists of older writers).
func TestShapes(t *testing.T) {
	for _, c := range []struct{ name, schema, want string }{
		{"three levels", "required list xs;  repeated group list;   optional int element", "{xs[element?]}"},
		{"nullable", "optional list xs;  repeated group list;   required int item", "{xs?[item]}"},
		{"two levels", "optional list xs;  repeated int element", "{xs?[element]}"},
		{"two levels of structs", "optional list xs;  repeated group element;   required int a;   required int b", "{xs?[element{a b}]}"},
		{"array", "optional list xs;  repeated group array;   required int a", "{xs?[array{a}]}"},
		{"tuple", "optional list xs;  repeated group xs_tuple;   required int a", "{xs?[xs_tuple{a}]}"},
		{"list in a list of two levels", "optional list xs;  repeated list array;   repeated int array", "{xs?[array[array]]}"},
		{"map", "optional map m;  repeated group key_value;   required int key;   optional int value", "{m?<key value?>}"},
		{"set", "required map m;  repeated group map;   required int key", "{m<key>}"},
		{"a map that is none", "required map m;  repeated int key", "{m[key]}"},
		{"repeated", "repeated int xs; repeated group ys;  optional int a", "{xs[xs] ys[ys{a?}]}"},
		{"structs", "optional group s;  optional group t;   required int a; required int b", "{s?{t?{a}} b}"},
		{"empty struct", "optional group s; required int b", "{s?{} b}"},
		{"a name twice", "required int a; optional int a; required int b", "{a b}"},
	} {
		elements := []element{{physical: noType}}
		open := []int{0}
		for _, line := range strings.Split(c.schema, ";") {
			depth := len(line) - len(strings.TrimLeft(line, " "))
			words := strings.Fields(line)
			if depth > 0 && line[0] == ' ' {
				depth--
			}
			e := element{name: words[2], physical: noType, converted: noType, annotation: annotation{of: noType}}
			e.repetition = map[string]int64{"required": required, "optional": optional, "repeated": repeated}[words[0]]
			switch words[1] {
			case "int":
				e.physical = physicalInt32
			case "list":
				e.converted = convertedList
			case "map":
				e.annotation.of = logicalMap
			}
			open = open[:depth+1]
			elements[open[depth]].children++
			open = append(open, len(elements))
			elements = append(elements, e)
		}
		record, _, ok := shapes(elements)
		if got := outline(record); !ok || got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.name, got, ok, c.want)
		}
	}
}

// TestSchemasThatAreNoTree are refused.
func TestSchemasThatAreNoTree(t *testing.T) {
	group := func(n int64) element { return element{physical: noType, children: n} }
	deep := make([]element, 200)
	for i := range deep {
		deep[i] = group(1)
	}
	deep = append(deep, element{physical: physicalInt32})
	for name, elements := range map[string][]element{
		"nothing": nil, "a leaf": {{physical: physicalInt32}}, "too few": {group(2), {physical: physicalInt32}},
		"too many": {group(0), {physical: physicalInt32}}, "negative": {group(-1)}, "too deep": deep,
		"unknown type": {group(1), {physical: 9}}, "no length": {group(1), {physical: physicalFixed}},
	} {
		if _, _, ok := shapes(elements); ok {
			t.Errorf("%s was taken", name)
		}
	}
}
