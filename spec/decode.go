package spec

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// DecodeOptions say what is decoded.
type DecodeOptions struct {
	What   string   // the map as messages name it: transform "uv"
	Node   string   // name of the block, for Diagnostic.Node
	Pos    Pos      // where missing keys are reported; the zero Pos is the map's own
	Ignore []string // keys that are known but decoded elsewhere
}

// Decoder is implemented by types that decode themselves. o.What is the key that the value stands under, in quotes.
type Decoder interface {
	DecodeNode(n *Node, o DecodeOptions) Diagnostics
}

// Decode fills the struct that dst points to from a map. A field takes part when it has a tag:
//
//	Path     []string  `spec:"path,required" example:"path: in.jsonl"`
//	Bounded  *Duration `spec:"bounded,exclusive=strategy"`
//	OnDirty  string    `spec:"on_dirty,values=keep_going|fail"`
//
// The tag's first word is the key; the others are: required; exclusive=GROUP, of which one may be given, and must be
// where one of them is required; short, for the key of a nested struct that is meant where its map is a single text;
// values=a|b, all texts allowed; alias=NAME, another accepted key; negative, for durations that may be below 0;
// positive, for numbers, sizes and durations that must be above 0; size and duration, for an int64 that is written
// like a Size (then in bytes) or a Duration (in milliseconds); switch, for pointers to structs that may also be true, the
// struct as it is without keys, or false, nil; names, for Exprs that may also be a name or a list of
// names; records, for a [][]byte that takes a list of maps, each as JSON on one line; later, for keys that are known in
// order to be refused, which no hint proposes. The tag `example` is the hint when the key is missing or empty.
//
// Fields are string, bool, int, int64, float64, Duration, Size, Limit, Expr, Exprs, *Node (any value), []Entry (a map
// as written), slices of these (one value is a list of one), maps of these by whole numbers, nested structs, pointers to
// all of these (nil when absent), and types that implement [Decoder]. What is absent keeps the value that the struct had: its default.
// An embedded struct's fields count as the struct's own.
//
// All faults are reported: unknown keys (TM003), missing ones (TM005), wrong types (TM006), durations (TM007) and
// keys that exclude each other (TM009). A key whose name can be guessed is decoded as what was meant, but a value
// that doesn't suit the guess is left alone: who wrote the key may have meant something else.
func Decode(n *Node, dst any, o DecodeOptions) Diagnostics {
	if n == nil || n.Unset {
		return nil
	}
	if n.Kind != Map {
		return inNode(Diagnostics{n.Diagnose("TM006", fmt.Sprintf("%s wants a map, got %s", o.What, n.describe()), "")}, o.Node)
	}
	v := reflect.ValueOf(dst).Elem()
	d := decoding{options: o, fields: fieldsOf(v.Type(), nil), given: map[string]*Entry{}}
	d.match(n)
	for i := range d.fields {
		f := &d.fields[i]
		if e := d.given[f.name]; e != nil {
			d.faults = append(d.faults, d.value(e, v.FieldByIndex(f.index), f)...)
		}
	}
	d.checkExclusive()
	d.checkRequired(n)
	return inNode(d.faults, o.Node)
}

// value fills a field from its entry. A guessed entry may be of another kind altogether; that is no fault then.
func (d *decoding) value(e *Entry, v reflect.Value, f *field) Diagnostics {
	if e.Key == f.name || e.Key == f.alias {
		return decodeValue(e.Value, v, f, d.options)
	}
	guess := reflect.New(v.Type()).Elem()
	guess.Set(v)
	faults := decodeValue(e.Value, guess, f, d.options)
	if slices.ContainsFunc(faults, func(d Diagnostic) bool { return d.Rule == "TM006" || d.Rule == "TM009" || d.Rule == "TM005" }) {
		return nil
	}
	v.Set(guess)
	return faults
}

// inNode names the block of faults that have none yet.
func inNode(faults Diagnostics, node string) Diagnostics {
	for i := range faults {
		if faults[i].Node == "" {
			faults[i].Node = node
		}
	}
	return faults
}

// field is a tagged field of a struct.
type field struct {
	name, alias, exclusive, example, unit string
	values                                []string
	required, negative, positive, byNames bool
	later, short, toggled, records        bool
	index                                 []int
}

// Keys gives the keys that Decode knows for a struct, in its order.
func Keys(dst any) []string {
	t := reflect.TypeOf(dst)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var keys []string
	for _, f := range fieldsOf(t, nil) {
		keys = append(keys, f.name)
	}
	return keys
}

func fieldsOf(t reflect.Type, at []int) []field {
	var out []field
	for i := range t.NumField() {
		sf := t.Field(i)
		index := append(slices.Clone(at), i)
		tag, ok := sf.Tag.Lookup("spec")
		if !ok {
			if sf.Anonymous && sf.Type.Kind() == reflect.Struct {
				out = append(out, fieldsOf(sf.Type, index)...)
			}
			continue
		}
		parts := strings.Split(tag, ",")
		f := field{name: parts[0], index: index, example: sf.Tag.Get("example")}
		for _, part := range parts[1:] {
			f.option(part)
		}
		out = append(out, f)
	}
	return out
}

// option reads one word of a tag.
func (f *field) option(word string) {
	key, value, _ := strings.Cut(word, "=")
	switch key {
	case "required":
		f.required = true
	case "exclusive":
		f.exclusive = value
	case "values":
		f.values = strings.Split(value, "|")
	case "alias":
		f.alias = value
	case "size", "duration":
		f.unit = key
	case "negative":
		f.negative = true
	case "positive":
		f.positive = true
	case "names":
		f.byNames = true
	case "records":
		f.records = true
	case "later":
		f.later = true
	case "short":
		f.short = true
	case "switch":
		f.toggled = true
	default:
		panic("spec: unknown word " + word + " in the tag of " + f.name)
	}
}

// decoding is the work on one map.
type decoding struct {
	options DecodeOptions
	fields  []field
	given   map[string]*Entry // by the field's name
	faults  Diagnostics
}

// match finds each entry's field.
func (d *decoding) match(n *Node) {
	known, later := slices.Clone(d.options.Ignore), []string(nil)
	for _, f := range d.fields {
		if f.later {
			later = append(later, f.name)
		} else {
			known = append(known, f.name)
		}
	}
	var unknown []*Entry
	for i := range n.Entries {
		e := &n.Entries[i]
		name := d.fieldName(e.Key)
		switch first := d.given[name]; {
		case name == "" && !slices.Contains(d.options.Ignore, e.Key):
			unknown = append(unknown, e)
		case name == "":
		case first != nil:
			d.faults = append(d.faults, e.Diagnose("TM009", fmt.Sprintf("%s and %s cannot both be given", first.Key, e.Key), "they are the same: keep "+name))
		default:
			d.given[name] = e
		}
	}
	for _, e := range unknown {
		fault, meant := unknownKey(e, d.options.What, known, later)
		d.faults = append(d.faults, fault)
		if meant != "" && d.fieldName(meant) != "" && d.given[meant] == nil {
			d.given[meant] = e
		}
	}
}

func (d *decoding) fieldName(key string) string {
	for i := range d.fields {
		if f := &d.fields[i]; f.name == key || f.alias == key && key != "" {
			return f.name
		}
	}
	return ""
}

// checkExclusive reports the second and later keys of a group.
func (d *decoding) checkExclusive() {
	first := map[string]*Entry{}
	for _, f := range d.fields {
		e := d.given[f.name]
		if e == nil || f.exclusive == "" || e.Key != f.name && e.Key != f.alias {
			continue
		}
		other := first[f.exclusive]
		if other == nil {
			first[f.exclusive] = e
			continue
		}
		a, b := other, e
		if b.KeyPos.Before(a.KeyPos) {
			a, b = b, a
		}
		d.faults = append(d.faults, b.Diagnose("TM009", fmt.Sprintf("%s and %s cannot both be given", a.Key, b.Key), "keep one of them"))
	}
}

// checkRequired reports missing keys. A map of which a line could not be read may have them there.
func (d *decoding) checkRequired(n *Node) {
	for _, f := range d.fields {
		if !f.required || d.given[f.name] != nil || d.groupGiven(f.exclusive) || n.doc.brokenWithin(n.Pos.Line, n.End.Line+1) {
			continue
		}
		message := fmt.Sprintf("%s needs %q", d.options.What, f.name)
		hint := f.example
		if hint == "" {
			hint = f.name + ": …"
		}
		if d.options.Pos.IsValid() {
			d.faults = append(d.faults, n.DiagnoseAt(d.options.Pos, "TM005", message, hint))
		} else {
			d.faults = append(d.faults, n.Diagnose("TM005", message, hint))
		}
	}
}

// groupGiven reports whether a key of a group that excludes each other is there.
func (d *decoding) groupGiven(group string) bool {
	return group != "" && slices.ContainsFunc(d.fields, func(f field) bool { return f.exclusive == group && d.given[f.name] != nil })
}
