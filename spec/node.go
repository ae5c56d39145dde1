package spec

import (
	"fmt"
	"strings"
)

// NodeKind is the shape of a YAML value.
type NodeKind uint8

// The kinds. Null is a value left empty, or ~; the word null is a Scalar.
const (
	Null NodeKind = iota
	Scalar
	Map
	List
)

// String is the kind as messages name it.
func (k NodeKind) String() string {
	return [...]string{"nothing", "text", "a map", "a list"}[k]
}

// Style is how a scalar was written.
type Style uint8

// The styles: plain text, 'single' and "double" quotes, and the block scalars | and >.
const (
	Plain Style = iota
	Single
	Double
	Literal
	Folded
)

// Node is a YAML value and its place, after the ${NAME}s were put in.
type Node struct {
	Kind NodeKind
	// Pos is where the value begins (a block map at its first key), End the place behind it. What came through
	// an alias stands at the alias.
	Pos, End Pos
	Text     string // scalars: the value
	// Raw is the text as it was before ${NAME}s were put in.
	Raw     string
	Style   Style
	Tag     string // written tag such as !!str, empty without
	Flow    bool   // written inside or with { } or [ ]
	Entries []Entry
	Items   []*Node
	// Secrets are the parts of the value that came from the environment.
	Secrets []Secret
	// Unset says that the value is not known because of a fault that is already reported. Whoever checks values
	// passes over it in silence.
	Unset bool

	doc       *document
	alias     bool // stands at an alias, or was substituted: offsets inside can't be mapped
	commented bool // a # comment follows on the last line
}

// Entry is one key of a map, in the order of the file.
type Entry struct {
	Key    string
	KeyPos Pos
	KeyEnd Pos
	Value  *Node
}

// Get gives the value of a key, nil when n is nil, no map or lacks it.
func (n *Node) Get(key string) *Node {
	if e := n.Entry(key); e != nil {
		return e.Value
	}
	return nil
}

// Entry gives the entry of a key, nil when n is nil, no map or lacks it.
func (n *Node) Entry(key string) *Entry {
	if n == nil {
		return nil
	}
	for i := range n.Entries {
		if n.Entries[i].Key == key {
			return &n.Entries[i]
		}
	}
	return nil
}

// Has reports whether n is a map with the key.
func (n *Node) Has(key string) bool { return n.Entry(key) != nil }

// Keys gives the keys of a map in the order of the file.
func (n *Node) Keys() []string {
	if n == nil {
		return nil
	}
	keys := make([]string, len(n.Entries))
	for i := range n.Entries {
		keys[i] = n.Entries[i].Key
	}
	return keys
}

// List gives the items of a list, and n alone for a scalar or map: where a list is wanted, one is a list of one.
func (n *Node) List() []*Node {
	switch {
	case n == nil || n.Kind == Null:
		return nil
	case n.Kind == List:
		return n.Items
	}
	return []*Node{n}
}

// IsPlain reports whether n is an unquoted scalar of this text.
func (n *Node) IsPlain(text string) bool {
	return n != nil && n.Kind == Scalar && n.Style == Plain && n.Text == text
}

// Secret is a value from the environment, and the ${NAME} that stands for it in the file.
type Secret struct{ Value, Written string }

// Secret says that the value, or part of it, came from the environment and must not be printed.
func (n *Node) Secret() bool { return len(n.Secrets) > 0 }

// Nearest is [Nearest] for the value. Of one that came from the environment it gives none: a hint would tell it.
func (n *Node) Nearest(known []string) (string, bool) {
	if n.Kind != Scalar || n.Secret() {
		return "", false
	}
	return Nearest(n.Text, known)
}

// Quote is the value as messages may show it: in quotes, shortened, and as it is written in the file when it
// came from the environment.
func (n *Node) Quote() string {
	if n == nil || n.Kind != Scalar {
		return "nothing"
	}
	text := n.Text
	if n.Secret() {
		text = n.Raw
	}
	if runes := []rune(text); len(runes) > 60 {
		text = string(runes[:57]) + "…"
	}
	return `"` + strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`, "\x1b", `\e`).Replace(text) + `"`
}

// describe is what a value is, as messages say it: text "two", a list, nothing.
func (n *Node) describe() string {
	if n.Kind == Scalar {
		return "text " + n.Quote()
	}
	return n.Kind.String()
}

// Diagnose makes the diagnostic of a rule at the whole value. The severity is the rule's own; the caller may
// change it and set Node, Note and Fix.
func (n *Node) Diagnose(rule, message, hint string) Diagnostic {
	end := n.End
	if n.Kind == Map && len(n.Entries) > 0 && !n.Flow && !n.alias {
		end = n.Entries[0].KeyEnd // a block map is marked at its first key
	}
	return n.doc.diagnose(n.Pos, end, rule, message, hint)
}

// DiagnoseSpan is Diagnose for the bytes [from, to) of a scalar's text.
func (n *Node) DiagnoseSpan(from, to int, rule, message, hint string) Diagnostic {
	if n.Kind != Scalar || n.alias {
		return n.Diagnose(rule, message, hint)
	}
	start, end := n.At(from), n.At(to)
	if to > from {
		last := n.At(to - 1)
		if end.Line != last.Line { // the end fell onto a next line
			end = Pos{last.Line, last.Column + 1}
		}
	}
	return n.doc.diagnose(start, end, rule, message, hint)
}

// Diagnose makes the diagnostic of a rule at the entry's key.
func (e *Entry) Diagnose(rule, message, hint string) Diagnostic {
	return e.Value.doc.diagnose(e.KeyPos, e.KeyEnd, rule, message, hint)
}

// DiagnoseAt makes the diagnostic of a rule at a place of n's file, one word wide.
func (n *Node) DiagnoseAt(p Pos, rule, message, hint string) Diagnostic {
	line := []rune(string(n.doc.line(p.Line)))
	end := p.Column
	for end-1 < len(line) && end > 0 && isWord(line[end-1]) {
		end++
	}
	return n.doc.diagnose(p, Pos{p.Line, end}, rule, message, hint)
}

func isWord(r rune) bool {
	return r == '_' || r == '.' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127
}

// File is the path of the file that n stands in.
func (n *Node) File() string { return n.doc.path }

// String shows a node in tests and while debugging; secrets are not in it.
func (n *Node) String() string {
	if n == nil {
		return "<none>"
	}
	switch n.Kind {
	case Scalar:
		return n.Quote()
	case List:
		return fmt.Sprint(n.Items)
	case Map:
		parts := make([]string, len(n.Entries))
		for i, e := range n.Entries {
			parts[i] = e.Key + ": " + e.Value.String()
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return "~"
}
