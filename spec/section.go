package spec

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// topKeys are the keys of a pipeline file.
var topKeys = []string{"name", "description", "vars", "sources", "transforms", "sinks", "settings", "tests"}

// reserved are names that mean something in expressions and test scripts.
var reserved = []string{"meta", "row", "window", "pane", "watermark", "clock", "end"}

var validName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// IsReserved reports whether a name is a word of the language, which no source, transform or sink may have.
func IsReserved(name string) bool { return slices.Contains(reserved, name) }

// reader builds a File of its node.
type reader struct {
	file   *File
	faults Diagnostics
	names  map[string]*Block
	// scattered are sections with blocks whose keys stand beside them.
	scattered []*Node
}

func (r *reader) report(d Diagnostic) { r.faults = append(r.faults, d) }

// top reads the keys of the file. A section under a wrong name that can be guessed is read all the same, so that
// its own faults come out too.
func (r *reader) top(root *Node) {
	r.file.Name = strings.TrimSuffix(filepath.Base(r.file.Path), filepath.Ext(r.file.Path))
	for i := range root.Entries {
		e := &root.Entries[i]
		key := e.Key
		if !slices.Contains(topKeys, key) {
			d, meant := unknownKey(e, "a pipeline file", topKeys, nil)
			r.report(d)
			if meant == "" || root.Has(meant) || !r.adoptable(meant, e.Value) {
				r.file.Partial = r.file.Partial || meant != "" || e.Value.Kind == Map
				continue
			}
			key = meant
		}
		r.section(key, e.Value)
	}
}

// adoptable reports whether a value can be read as the section that was meant.
func (r *reader) adoptable(section string, n *Node) bool {
	if n.Kind != Map {
		return false
	}
	if section == "settings" {
		return true
	}
	for _, e := range n.Entries {
		if e.Value.Kind != Map {
			return false
		}
	}
	return len(n.Entries) > 0 && section != "vars"
}

func (r *reader) section(key string, n *Node) {
	switch key {
	case "name", "description":
		text := r.text(key, n)
		if key == "description" {
			r.file.Description = text
		} else if text != "" {
			r.file.Name = text
		}
	case "vars":
		if r.wantMap(key, n, "vars: {name: value}") {
			r.file.Vars = n
			r.scalars(n)
		}
	case "sources":
		r.file.Sources = r.blocks(Source, key, n)
	case "transforms":
		r.file.Transforms = r.blocks(Transform, key, n)
	case "sinks":
		r.file.Sinks = r.blocks(Sink, key, n)
	case "settings":
		if r.wantMap(key, n, "settings: {parallelism: auto}") {
			r.file.Settings = n
		}
	case "tests":
		r.file.Tests = n
		if n.Kind != List && n.Kind != Null && !n.Unset {
			r.report(n.Diagnose("TM006", `"tests" wants a list, got `+n.describe(), "- {name: …, given: {…}, expect: {…}}"))
			r.file.Tests = nil
		}
	}
}

// text reads a scalar at the top of the file.
func (r *reader) text(key string, n *Node) string {
	if n.Unset {
		return ""
	}
	if n.Kind != Scalar {
		r.report(n.Diagnose("TM006", fmt.Sprintf("%q wants text, got %s", key, n.describe()), "quote it if it is text"))
		return ""
	}
	return n.Text
}

// wantMap reports a section that is no map. An empty section is none.
func (r *reader) wantMap(key string, n *Node, hint string) bool {
	if n.Kind != Map && n.Kind != Null && !n.Unset {
		r.report(n.Diagnose("TM006", fmt.Sprintf("%q wants a map, got %s", key, n.describe()), hint))
	}
	return n.Kind == Map
}

// scalars checks that variables are text.
func (r *reader) scalars(n *Node) {
	for _, e := range n.Entries {
		if e.Value.Kind != Scalar && !e.Value.Unset {
			r.report(e.Value.Diagnose("TM006", fmt.Sprintf("variable %q wants text, got %s", e.Key, e.Value.describe()), `"" is the empty text`))
		}
	}
}

// blocks reads a section of named blocks.
func (r *reader) blocks(role Role, key string, n *Node) []*Block {
	if !r.wantMap(key, n, fmt.Sprintf("%s: {NAME: {…}}", key)) {
		r.file.Partial = r.file.Partial || n.Kind != Null
		return nil
	}
	blocks := make([]*Block, 0, len(n.Entries))
	scattered := false
	for i := 0; i < len(n.Entries); i++ {
		e := &n.Entries[i]
		b := &Block{Role: role, Name: e.Key, NamePos: e.KeyPos, Node: e.Value}
		r.checkName(b, e)
		if keys := n.belonging(i); keys > 0 || scattered && b.Node.Kind == Null {
			r.unindented(b, e, n.Entries[i+1:i+1+keys], !scattered)
			if !scattered {
				scattered, r.scattered = true, append(r.scattered, n)
			}
			i += keys
			b.Node = &Node{Kind: Map, doc: e.Value.doc, Pos: e.Value.Pos, End: e.Value.End, Unset: true}
		} else if b.Node.Kind != Map {
			if !b.Node.Unset {
				d := e.Value.Diagnose("TM006", fmt.Sprintf("%s wants a map, got %s", b.Title(), e.Value.describe()), fmt.Sprintf("%s: {…}", e.Key))
				d.Node = b.Name
				r.report(d)
			}
			b.Node = &Node{Kind: Map, doc: e.Value.doc, Pos: e.Value.Pos, End: e.Value.End, Unset: true}
		}
		if role != Transform {
			r.readType(b)
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// checkName checks what a block is called.
func (r *reader) checkName(b *Block, e *Entry) {
	rule, message, hint := "", "", ""
	other := r.names[b.Name]
	switch {
	case other != nil:
		rule, message = "TM002", fmt.Sprintf("name %q is already a %s (line %d)", b.Name, other.Role, other.NamePos.Line)
		hint = "names are shared by sources, transforms and sinks"
	case IsReserved(b.Name):
		rule, message = "TM002", fmt.Sprintf("name %q is already a word of expressions", b.Name)
		hint = "reserved: " + strings.Join(reserved, ", ")
	case !validName.MatchString(b.Name):
		rule, message = "TM006", fmt.Sprintf("%q is no name", b.Name)
		hint = "names are a-z, then a-z, 0-9 and _: " + mendName(b.Name)
	default:
		r.names[b.Name] = b
		return
	}
	d := e.Diagnose(rule, message, hint)
	d.Node = b.Name
	r.report(d)
}

// mendName gives a valid name that is like the one written.
func mendName(name string) string {
	name = regexp.MustCompile(`[^a-z0-9_]+`).ReplaceAllString(strings.ToLower(name), "_")
	if name = strings.Trim(name, "_"); name == "" || name[0] < 'a' {
		return "n" + name
	}
	return name
}

// readType takes the type of a source or sink.
func (r *reader) readType(b *Block) {
	n := b.Node.Get("type")
	if n == nil || n.Unset {
		return
	}
	if n.Kind != Scalar {
		d := n.Diagnose("TM006", `"type" wants text, got `+n.describe(), "type: file")
		d.Node = b.Name
		r.report(d)
		return
	}
	b.Type = n.Text
}
