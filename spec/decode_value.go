package spec

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

var (
	durationType = reflect.TypeFor[Duration]()
	sizeType     = reflect.TypeFor[Size]()
	exprType     = reflect.TypeFor[Expr]()
	exprsType    = reflect.TypeFor[Exprs]()
	nodeType     = reflect.TypeFor[*Node]()
	entriesType  = reflect.TypeFor[[]Entry]()
	decoderType  = reflect.TypeFor[Decoder]()
)

// decodeValue fills one field.
func decodeValue(n *Node, v reflect.Value, f *field, o DecodeOptions) Diagnostics {
	t := v.Type()
	inner := o
	inner.What, inner.Pos, inner.Ignore = fmt.Sprintf("%q", f.name), Pos{}, nil
	switch {
	case t == nodeType:
		v.Set(reflect.ValueOf(n))
		return nil
	case t == exprType:
		e, faults := DecodeExpr(n, f.name)
		v.Set(reflect.ValueOf(e))
		return faults
	case n.Unset:
		return nil
	case t == exprsType:
		e, faults := DecodeExprs(n, f.name, f.byNames)
		v.Set(reflect.ValueOf(e))
		return faults
	case reflect.PointerTo(t).Implements(decoderType):
		return v.Addr().Interface().(Decoder).DecodeNode(n, inner)
	case f.toggled && n.Kind == Scalar && t.Kind() == reflect.Pointer:
		return decodeSwitch(n, v, f)
	case t.Kind() == reflect.Pointer:
		p := reflect.New(t.Elem())
		faults := decodeValue(n, p.Elem(), f, o)
		v.Set(p)
		return faults
	case n.Kind == Null:
		return Diagnostics{n.Diagnose("TM006", fmt.Sprintf("%q is empty", f.name), orRemove(f.example))}
	case t == entriesType:
		if n.Kind != Map {
			return f.wants(n, "a map", "")
		}
		v.Set(reflect.ValueOf(n.Entries))
		return nil
	case f.records && t.Elem().Kind() == reflect.Uint8:
		if n.Kind != Map {
			return f.wants(n, "a list of maps", "")
		}
		v.SetBytes(n.AppendJSON(nil))
		return nil
	case t.Kind() == reflect.Slice:
		return decodeList(n, v, f, o)
	case t.Kind() == reflect.Map:
		return decodeNumbered(n, v, f, o)
	case t.Kind() == reflect.Struct:
		if short := shortOf(t); short != nil && n.Kind != Map {
			return decodeShort(n, v, short, f, o)
		}
		return Decode(n, v.Addr().Interface(), inner)
	}
	return decodeScalar(n, v, f)
}

// decodeSwitch fills a struct that is just switched on or off.
func decodeSwitch(n *Node, v reflect.Value, f *field) Diagnostics {
	on, ok := parseBool(n)
	if !ok {
		return f.wants(n, "true, false or a map", quotesHint(n, n.Text))
	}
	v.SetZero()
	if on {
		v.Set(reflect.New(v.Type().Elem()))
	}
	return nil
}

func orRemove(example string) string {
	if example == "" {
		return "give a value, or remove the key"
	}
	return example
}

// examples has values of what options want, for those that have no example of their own.
var examples = map[string]string{
	"true or false": "true", "a whole number": "1", "a number": "0.5", "a size such as 64MiB": "64MiB", "a duration such as 5s": "5s",
}

// wants makes the fault of a value that is of another kind.
func (f *field) wants(n *Node, want, hint string) Diagnostics {
	if hint == "" {
		hint = f.example
	}
	if value := examples[want]; hint == "" && value != "" {
		hint = f.name + ": " + value
	}
	return Diagnostics{n.Diagnose("TM006", fmt.Sprintf("%q wants %s, got %s", f.name, want, n.describe()), hint)}
}

// decodeList fills a slice; a single value is a list of one.
func decodeList(n *Node, v reflect.Value, f *field, o DecodeOptions) Diagnostics {
	items := n.List()
	out := reflect.MakeSlice(v.Type(), 0, len(items))
	var faults Diagnostics
	for _, item := range items {
		element := reflect.New(v.Type().Elem()).Elem()
		wrong := decodeValue(item, element, f, o)
		if faults = append(faults, wrong...); len(wrong) == 0 && !item.Unset {
			out = reflect.Append(out, element)
		}
	}
	if len(items) == 0 {
		faults = append(faults, n.Diagnose("TM006", fmt.Sprintf("%q is empty", f.name), orRemove(f.example)))
	}
	v.Set(out)
	return faults
}

// decodeScalar fills a field that takes one scalar.
func decodeScalar(n *Node, v reflect.Value, f *field) Diagnostics {
	switch t := v.Type(); {
	case t == durationType, f.unit == "duration":
		d, faults := decodeDuration(n, f)
		v.SetInt(int64(d))
		return faults
	case t == sizeType, f.unit == "size":
		if n.Kind != Scalar {
			return f.wants(n, "a size such as 64MiB", "")
		}
		s, hint, err := ParseSize(n.Text)
		if err != nil {
			if n.Secret() {
				hint = ""
			}
			return f.wants(n, "a size such as 64MiB", hint)
		}
		v.SetInt(int64(s))
		return f.checkPositive(n, s > 0, "64MiB")
	case t.Kind() == reflect.String:
		return decodeText(n, v, f)
	case t.Kind() == reflect.Bool:
		b, ok := parseBool(n)
		if !ok {
			return f.wants(n, "true or false", quotesHint(n, n.Text))
		}
		v.SetBool(b)
	case t.Kind() == reflect.Float64:
		x, ok := parseFloat(n)
		if !ok {
			return f.wants(n, "a number", quotesHint(n, n.Text))
		}
		v.SetFloat(x)
		return f.checkPositive(n, x > 0, "1")
	case v.CanInt():
		i, hint, ok := parseInt(n)
		if !ok || v.OverflowInt(i) {
			return f.wants(n, "a whole number", hint)
		}
		v.SetInt(i)
		return f.checkPositive(n, i > 0, "1")
	default:
		panic(fmt.Sprintf("spec: key %s has the type %s, which can't be decoded", f.name, t))
	}
	return nil
}

// decodeText fills a string from any scalar as it is written.
func decodeText(n *Node, v reflect.Value, f *field) Diagnostics {
	if n.Kind != Scalar {
		want := "text"
		if f.values != nil {
			want = alternatives(f.values)
		}
		return f.wants(n, want, "")
	}
	if f.values != nil && !slices.Contains(f.values, n.Text) {
		d := n.Diagnose("TM006", fmt.Sprintf("%q wants %s, got %s", f.name, alternatives(f.values), n.Quote()), "")
		if near, ok := n.Nearest(f.values); ok {
			d.Hint, d.Fix = fmt.Sprintf("did you mean %s?", near), near
		} else {
			d.Hint = f.name + ": " + f.values[0]
		}
		return Diagnostics{d}
	}
	v.SetString(n.Text)
	return nil
}

// alternatives lists words: a, b or c.
func alternatives(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

func decodeDuration(n *Node, f *field) (Duration, Diagnostics) {
	if n.Kind != Scalar {
		return 0, f.wants(n, "a duration such as 5s", "")
	}
	d, hint, err := ParseDuration(n.Text)
	switch {
	case err != nil:
		return 0, Diagnostics{durationFault(n, hint, err)}
	case d < 0 && !f.negative:
		return 0, Diagnostics{negativeFault(n, fmt.Sprintf("%q", f.name), d)}
	}
	return d, f.checkPositive(n, d > 0, "5s")
}

// durationFault makes the fault of a duration without printing a secret.
func durationFault(n *Node, hint string, err error) Diagnostic {
	message := err.Error()
	if n.Secret() {
		message, hint = n.Quote()+" is no duration", "write 5s, 1m30s (units: ms, s, m, h, d, w)"
	}
	return n.Diagnose("TM007", message, hint)
}

// negativeFault makes the fault of a duration below 0.
func negativeFault(n *Node, key string, d Duration) Diagnostic {
	hint := "write " + (-d).String()
	if n.Secret() {
		hint = "drop the minus"
	}
	return n.Diagnose("TM007", key+" can't be negative", hint)
}

// checkPositive reports a value of zero or below where the tag forbids it, and shows one that could stand there.
func (f *field) checkPositive(n *Node, is bool, example string) Diagnostics {
	if is || !f.positive {
		return nil
	}
	hint := f.example
	if hint == "" {
		hint = f.name + ": " + example
	}
	return f.wants(n, "more than 0", hint)
}
