package spec

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// Options say where ${NAME} is looked up: Set first, then the file's vars, then Env.
type Options struct {
	Set map[string]string
	// Env is the environment; nil is an empty one. What it gives is secret.
	Env func(string) (string, bool)
	// NoEnv leaves the environment alone. What only it could tell is a warning, and the value isn't known.
	NoEnv bool
}

// variables are the values of ${NAME}s.
type variables struct {
	options Options
	vars    map[string]string // as they are written
	asked   map[string]bool
}

var variableName = regexp.MustCompile(`\$\{(\w+)`)

// names gives the variables that the file speaks of, sorted.
func (v *variables) names() []string {
	for name := range v.vars {
		v.asked[name] = true
	}
	return slices.Sorted(maps.Keys(v.asked))
}

// newVariables collects the file's vars, before anything is substituted.
func newVariables(root *yaml.Node, o Options) *variables {
	v := &variables{options: o, vars: map[string]string{}, asked: map[string]bool{}}
	section := yamlGet(root, "vars")
	if section == nil {
		return v
	}
	for i := 0; i+1 < len(section.Content) && section.Kind == yaml.MappingNode; i += 2 {
		value := section.Content[i+1]
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		if value.Kind == yaml.ScalarNode {
			v.vars[section.Content[i].Value] = value.Value
		}
	}
	return v
}

func yamlGet(y *yaml.Node, key string) *yaml.Node {
	if y == nil || y.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(y.Content); i += 2 {
		if y.Content[i].Value != key {
			continue
		}
		if y.Content[i+1].Kind == yaml.AliasNode {
			return y.Content[i+1].Alias
		}
		return y.Content[i+1]
	}
	return nil
}

// lookup gives the value of a name, and whether it came from the environment. A variable of the file whose own
// ${NAME} is missing counts as known here: its fault is reported where it stands.
func (v *variables) lookup(name string) (value string, secret, ok bool) {
	if value, ok := v.options.Set[name]; ok {
		return value, false, true
	}
	if text, ok := v.vars[name]; ok {
		e := expansion{lookup: v.outside}
		e.expand(text, 0)
		return e.out.String(), len(e.secrets) > 0, true
	}
	return v.outside(name)
}

// outside is lookup without the file's vars, which can't speak of each other.
func (v *variables) outside(name string) (value string, secret, ok bool) {
	if value, ok := v.options.Set[name]; ok {
		return value, false, true
	}
	if v.options.Env != nil && !v.options.NoEnv {
		value, ok = v.options.Env(name)
	}
	return value, ok, ok
}

// substitute puts the values of ${NAME}s into a scalar.
func (v *variables) substitute(c *converter, n *Node) {
	if !strings.Contains(n.Text, "${") {
		return
	}
	for _, m := range variableName.FindAllStringSubmatch(n.Text, -1) { // those of defaults too, used or not
		v.asked[m[1]] = true
	}
	e := expansion{lookup: v.lookup}
	if c.inVars(n) {
		e.lookup = v.outside
	}
	e.expand(n.Text, 0)
	for _, m := range e.missing {
		d := n.DiagnoseSpan(m.from, m.to, "TM008", m.message, m.hint)
		if v.options.NoEnv && m.unset {
			d.Severity = Warning
		}
		if _, isVar := v.vars[m.name]; isVar && m.unset {
			d.Hint = "vars can't speak of each other: write its value"
		}
		c.report(d)
	}
	if len(e.missing) > 0 || v.unknownVar(e.names) {
		n.Unset = true
		return
	}
	n.Text, n.Secrets, n.alias = e.out.String(), e.secrets, true
}

// unknownVar reports whether one of the names is a variable of the file whose own value is missing something.
func (v *variables) unknownVar(names []string) bool {
	for _, name := range names {
		text, isVar := v.vars[name]
		if _, set := v.options.Set[name]; !isVar || set {
			continue
		}
		e := expansion{lookup: v.outside}
		e.expand(text, 0)
		if len(e.missing) > 0 {
			return true
		}
	}
	return false
}

// inVars reports whether n stands in the file's vars.
func (c *converter) inVars(n *Node) bool {
	return !n.Pos.Before(c.varsFrom) && n.Pos.Before(c.varsTo)
}

// expansion is the work of replacing the ${NAME}s of one text.
type expansion struct {
	lookup  func(name string) (value string, secret, ok bool)
	out     strings.Builder
	secrets []Secret
	names   []string
	missing []absence
}

// absence is a ${NAME} without a value, by its bytes in the text.
type absence struct {
	from, to            int
	name, message, hint string
	unset               bool // else the ${ } itself is malformed
}

// expand appends text with its ${NAME}s replaced; base is where the text stands in the scalar.
func (e *expansion) expand(text string, base int) {
	for i := 0; i < len(text); {
		next := strings.Index(text[i:], "${")
		if next < 0 {
			e.out.WriteString(text[i:])
			return
		}
		at := i + next
		if at > 0 && text[at-1] == '$' { // $${ is a literal ${
			e.out.WriteString(text[i:at-1] + "${")
			i = at + 2
			continue
		}
		e.out.WriteString(text[i:at])
		end := closingBrace(text, at+2)
		if end < 0 {
			e.missing = append(e.missing, absence{from: base + at, to: base + len(text),
				message: "${ is not closed", hint: "write ${NAME}, or $${ for the characters themselves"})
			return
		}
		e.one(text[at+2:end], base+at)
		i = end + 1
	}
}

// one replaces the inside of one ${ } that stands at byte `from` of the scalar.
func (e *expansion) one(inside string, from int) {
	to := from + len(inside) + 3
	name := inside[:nameLen(inside)]
	rest := inside[len(name):]
	empty := strings.HasPrefix(rest, ":-") || strings.HasPrefix(rest, ":?")
	if name == "" || rest != "" && !empty {
		e.missing = append(e.missing, absence{from: from, to: to, message: fmt.Sprintf("%q is no variable", "${"+inside+"}"),
			hint: "write ${NAME}, ${NAME:-default}, ${NAME:?message}, or $${ for the characters themselves"})
		return
	}
	e.names = append(e.names, name)
	value, secret, ok := e.lookup(name)
	switch {
	case ok && (value != "" || !empty):
		e.out.WriteString(value)
		if secret {
			e.secrets = append(e.secrets, Secret{Value: value, Written: "${" + inside + "}"})
		}
	case strings.HasPrefix(rest, ":-"):
		e.expand(rest[2:], from+2+len(name)+2)
	default:
		message := name + " is not set"
		if ok {
			message = name + " is empty"
		}
		if reason := strings.TrimPrefix(rest, ":?"); reason != "" {
			message += ": " + reason
		}
		e.missing = append(e.missing, absence{from, to, name, message, fmt.Sprintf("set it, or write ${%s:-default}", name), true})
	}
}

// nameLen is the length of the variable name that text begins with: letters, digits and _, no digit first.
func nameLen(text string) int {
	for i := range len(text) {
		c := text[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(text)
}

// closingBrace is the byte of the } that closes a ${ whose inside begins at i, -1 without.
func closingBrace(text string, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch {
		case strings.HasPrefix(text[i:], "${"):
			depth++
		case text[i] == '}':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}
