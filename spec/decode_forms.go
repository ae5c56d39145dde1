package spec

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

// shortOf gives the field of a struct that a single text stands for; nil where there is none.
func shortOf(t reflect.Type) *field {
	fields := fieldsOf(t, nil)
	if i := slices.IndexFunc(fields, func(f field) bool { return f.short }); i >= 0 {
		return &fields[i]
	}
	return nil
}

// decodeShort fills a struct that is written as a single text. Messages are about the key that the struct stands under.
func decodeShort(n *Node, v reflect.Value, short, outer *field, o DecodeOptions) Diagnostics {
	one := *short
	one.name, one.example = outer.name, outer.example
	faults := decodeValue(n, v.FieldByIndex(short.index), &one, o)
	for i := range faults {
		if faults[i].Hint == "" {
			faults[i].Hint = outer.example
		}
	}
	return faults
}

// decodeNumbered fills a map whose keys are whole numbers.
func decodeNumbered(n *Node, v reflect.Value, f *field, o DecodeOptions) Diagnostics {
	if n.Kind != Map {
		return f.wants(n, "a map", "")
	}
	t := v.Type()
	out := reflect.MakeMapWithSize(t, len(n.Entries))
	var faults Diagnostics
	for i := range n.Entries {
		e := &n.Entries[i]
		key := reflect.New(t.Key()).Elem()
		number, err := strconv.ParseInt(e.Key, 10, 64)
		if err != nil || key.OverflowInt(number) {
			faults = append(faults, e.Diagnose("TM006", fmt.Sprintf("%q wants whole numbers as keys, got %q", f.name, e.Key), f.example))
			continue
		}
		key.SetInt(number)
		if out.MapIndex(key).IsValid() {
			faults = append(faults, e.Diagnose("TM002", fmt.Sprintf("key %d is given twice", number), "a key stands once: remove or rename one of them"))
			continue
		}
		element := reflect.New(t.Elem()).Elem()
		if wrong := decodeValue(e.Value, element, f, o); len(wrong) > 0 {
			faults = append(faults, wrong...)
			continue
		}
		out.SetMapIndex(key, element)
	}
	if len(n.Entries) == 0 {
		faults = append(faults, n.Diagnose("TM006", fmt.Sprintf("%q is empty", f.name), orRemove(f.example)))
	}
	v.Set(out)
	return faults
}
