package codec

import (
	"errors"
	"fmt"
	"sort"
	"sync"

	"tidemark/stream"
)

// unreadable stands in a decoded value for a number that can't be held, until it is known whether another
// value under the same name takes its place. It says what is wrong.
type unreadable string

// mostNames bounds the texts of names that a parser remembers, and longestName each of them.
const (
	mostNames   = 1024
	longestName = 64
)

// decode reads any value at p boxed. The types of the columns at and below w are kept to where they can be.
func (t *parser) decode(p, nesting int, w *place) (any, int) {
	switch c := t.data[p]; c {
	case '{':
		return t.decodeObject(p, nesting, w)
	case '[':
		return t.decodeList(p, nesting)
	case '"':
		end, found := stringEnd(t.data, p+1)
		if end < 0 {
			return nil, -1
		}
		return t.boxText(p+1, end, found), end + 1
	case 't', 'f':
		return c == 't', wordEnd(t.data, p)
	case 'n':
		return nil, wordEnd(t.data, p)
	}
	end, integer := numberEnd(t.data, p)
	if end < 0 {
		return nil, -1
	}
	return t.decodeNumber(t.data[p:end], integer, w), end
}

func (t *parser) decodeNumber(text []byte, integer bool, w *place) any {
	if w != nil && w.field != nil {
		if v, ok := typedNumber(text, integer, w.field.wants()); ok {
			return v
		}
	}
	v, problem := boxNumber(text, integer)
	if problem != "" {
		t.unreadable = true
		return unreadable(problem)
	}
	return v
}

// typedNumber gives a number as the kind that a schema names, if it is one.
func typedNumber(text []byte, integer bool, kind stream.Kind) (any, bool) {
	switch kind {
	case stream.Int:
		v, fits, _ := wholeInt(text)
		return v, fits
	case stream.Float:
		v, ok := parseFloat(text)
		return v, ok
	case stream.String:
		_, fits := parseInt(text)
		return string(text), integer && !fits
	}
	return nil, false
}

func (t *parser) decodeObject(p, nesting int, w *place) (any, int) {
	if nesting >= maxNesting {
		return nil, -1
	}
	object := map[string]any{}
	p = t.space(p + 1)
	if t.data[p] == '}' {
		return object, p + 1
	}
	for {
		name, at := t.name(p)
		if at < 0 {
			return nil, -1
		}
		var below *place
		if w != nil {
			below = w.find(name)
		}
		key := t.intern(name)
		var v any
		if v, p = t.decode(at, nesting+1, below); p < 0 {
			return nil, -1
		}
		object[key] = v
		switch p = t.space(p); t.data[p] {
		case '}':
			return object, p + 1
		case ',':
			p = t.space(p + 1)
		default:
			return nil, -1
		}
	}
}

func (t *parser) decodeList(p, nesting int) (any, int) {
	if nesting >= maxNesting {
		return nil, -1
	}
	list := []any{}
	p = t.space(p + 1)
	if t.data[p] == ']' {
		return list, p + 1
	}
	for {
		var v any
		if v, p = t.decode(p, nesting+1, nil); p < 0 {
			return nil, -1
		}
		list = append(list, v)
		switch p = t.space(p); t.data[p] {
		case ']':
			return list, p + 1
		case ',':
			p = t.space(p + 1)
		default:
			return nil, -1
		}
	}
}

// boxText gives the text between two quotes as a string of its own.
func (t *parser) boxText(from, end int, found script) string {
	inside := t.data[from:end]
	if found == 0 {
		return string(inside)
	}
	t.scratch = appendText(t.scratch[:0], inside)
	return string(t.scratch)
}

// intern gives a name as a string, the same one each time while there are not too many.
func (t *parser) intern(name []byte) string {
	if s, ok := t.names[string(name)]; ok {
		return s
	}
	s := string(name)
	if len(name) <= longestName && len(t.names) < mostNames {
		if t.names == nil {
			t.names = map[string]string{}
		}
		t.names[s] = s
	}
	return s
}

// trouble says what is unreadable in a decoded value, if anything that counts is.
func (t *parser) trouble(v any) string {
	if !t.unreadable {
		return ""
	}
	t.unreadable = false
	_, problem := findUnreadable(v, nil)
	return problem
}

// findUnreadable gives the first number in v that can't be held, and the path to it.
func findUnreadable(v any, path stream.Path) (stream.Path, string) {
	switch x := v.(type) {
	case unreadable:
		return path, string(x)
	case []any:
		for _, element := range x {
			if at, problem := findUnreadable(element, path); problem != "" {
				return at, problem
			}
		}
	case map[string]any:
		names := make([]string, 0, len(x))
		for name := range x {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			if at, problem := findUnreadable(x[name], append(path, name)); problem != "" {
				return at, problem
			}
		}
	}
	return nil, ""
}

var documents = sync.Pool{New: func() any { return &parser{document: true} }}

// DecodeObject decodes a JSON object, over one or several lines, by the rules of the scanner: integers are
// int64, other numbers float64, the last of several equal names counts. A number that neither holds is an
// error, as is anything else than one object.
func DecodeObject(text []byte) (map[string]any, error) {
	t := documents.Get().(*parser)
	defer documents.Put(t)
	t.data = append(append(t.data[:0], text...), make([]byte, Padding)...)
	p := t.space(0)
	if t.data[p] != '{' {
		return nil, errors.New(notObject(text))
	}
	t.unreadable = false
	v, end := t.decode(p, 0, nil)
	if end < 0 || t.space(end) != len(text) {
		return nil, errors.New(notObject(text))
	}
	if t.unreadable {
		if path, problem := findUnreadable(v, nil); problem != "" {
			return nil, fmt.Errorf("field %q is %s", path.String(), problem)
		}
	}
	return v.(map[string]any), nil
}
