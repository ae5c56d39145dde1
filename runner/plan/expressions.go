package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"tidemark/operators/expression"
	"tidemark/spec"
	"tidemark/stream"
)

// ruleOf gives the lint rule of an expression's fault.
var ruleOf = map[expression.Kind]string{
	expression.Syntax:          "TM111",
	expression.UnknownName:     "TM110",
	expression.UnknownFunction: "TM114",
	expression.Type:            "TM112",
	expression.Operator:        "TM115",
	expression.Aggregate:       "TM117",
}

// warningOf gives the lint rule of what is allowed in an expression and likely not meant. Other kinds are not
// spoken of.
var warningOf = map[expression.WarningKind]struct {
	rule     string
	severity spec.Severity
}{
	expression.Comment:  {"TM115", spec.Warning},
	expression.Misuse:   {"TM115", spec.Warning},
	expression.Nullable: {"TM118", spec.Warning},
	expression.Division: {"TM119", spec.Warning},
	expression.Zero:     {"TM119", spec.Warning},
	expression.Impure:   {"TM215", spec.Info},
}

// program compiles an expression of the file, and reports what is wrong with it at its place. It gives nil
// then.
func (c *compiler) program(b *spec.Block, clause string, node *spec.Node, text string, scope expression.Scope) *expression.Program {
	p, err := expression.Compile(text, scope)
	if err != nil {
		if !c.misplaced(b, clause, node, text, errorOf(err)) {
			c.expressionError(b, clause, node, 0, err)
		}
		return nil
	}
	c.warnings(b, node, 0, p, scope)
	c.timeOfDay(b, clause, node, p)
	return p
}

// condition is program for an expression that must be true or false.
func (c *compiler) condition(b *spec.Block, clause string, node *spec.Node, text string, scope expression.Scope) *expression.Program {
	p := c.program(b, clause, node, text, scope)
	if p == nil {
		return nil
	}
	if t := p.Type(); t.Kind != stream.Bool && known(t) {
		d := spec.Diagnostic{Node: b.Name, Message: fmt.Sprintf("%q gives %s, wants true or false", clause, kindOf(t))}
		switch {
		case bare(p) && (t.Kind == stream.Int || t.Kind == stream.Float):
			d.Hint = "compare it: " + redact(node, p.Source()) + " > 0"
		case bare(p):
			d.Hint = "compare it: " + redact(node, p.Source()) + " != nil"
		default:
			d.Hint = "compare it with something"
		}
		c.report("TM113", spec.Error, node, d)
		return nil
	}
	return p
}

// known reports whether anything is known of a type.
func known(t stream.Type) bool { return t.Kind != stream.Any || t.Shape != stream.Unknown }

// kindOf words a type without its null.
func kindOf(t stream.Type) string {
	t.Null = false
	return t.String()
}

// warnings reports a program's warnings; its text begins shift bytes into node's.
func (c *compiler) warnings(b *spec.Block, node *spec.Node, shift int, p *expression.Program, in expression.Scope) {
	for _, w := range p.Warnings() {
		if name := p.Source()[w.Offset:w.End]; w.Kind == expression.Nullable && (anyField(in.Fields, name) || c.formal(name)) {
			continue // nobody said that it can be null, only that it can be anything
		}
		if of, ok := warningOf[w.Kind]; ok {
			hint := inQuotes(node, w.Hint)
			if w.Kind == expression.Nullable && node.Style == spec.Plain && breaksPlain(node, hint) {
				hint += "; quote the whole expression"
			}
			c.at(node, w.Offset+shift, w.End+shift, spec.Diagnostic{Rule: of.rule, Severity: of.severity, Node: b.Name, Message: w.Message, Hint: hint})
		}
	}
}

// anyField reports whether nothing is known of a field but its name.
func anyField(fields []stream.Field, name string) bool {
	return slices.ContainsFunc(fields, func(f stream.Field) bool { return f.Name == name && !known(f.Type) })
}

// expressionError reports err and those that it carries, whose offsets count from shift bytes into node's text.
func (c *compiler) expressionError(b *spec.Block, clause string, node *spec.Node, shift int, err error) {
	first := errorOf(err)
	for _, e := range append([]*expression.Error{first}, first.More...) {
		d := spec.Diagnostic{Rule: ruleOf[e.Kind], Severity: spec.Error, Node: b.Name, Message: e.Message, Hint: e.Hint}
		if e.Kind == expression.UnknownName {
			d.Message += " in `" + clause + "`"
			d.Hint, d.Note, d.Fix = suggestion(e.Hint)
			if text := ownQuotes(node, clause, e, shift); text != "" && strings.HasPrefix(d.Hint, fieldsHere) {
				d.Hint, d.Note = text, d.Hint
			}
		} else {
			d.Hint, d.Fix = inQuotes(node, e.Hint), instead(e.Hint)
		}
		c.at(node, e.Offset+shift, max(e.End, e.Offset+1)+shift, d)
	}
}

// fieldsHere begins the list of the fields that there are.
const fieldsHere = "fields here: "

// suggestion takes a hint apart: what was meant, which is what to write instead, and the list of what there is.
func suggestion(hint string) (meant, list, fix string) {
	before, after, found := strings.Cut(hint, fieldsHere)
	before = strings.TrimSpace(before)
	if !found || before == "" {
		return hint, "", ""
	}
	if name, ok := strings.CutPrefix(before, "did you mean `"); ok {
		fix = strings.TrimSuffix(name, "`?")
	}
	return before, fieldsHere + after, fix
}

// instead gives the word that a hint says to write in the place of what is at fault, if it is no more than that.
func instead(hint string) string {
	for _, around := range [][2]string{{"write ", ""}, {"did you mean ", "()?"}} {
		word, before := strings.CutPrefix(hint, around[0])
		word, behind := strings.CutSuffix(word, around[1])
		if before && behind && word != "" && !strings.ContainsAny(word, " ,([…") {
			return word
		}
	}
	return ""
}

// at reports a problem with the bytes [from, to) of a scalar's text. What came from the environment is not shown,
// so of an expression with such a part only the rule is.
func (c *compiler) at(node *spec.Node, from, to int, d spec.Diagnostic) {
	if node.Unset {
		return
	}
	if node.Secret() {
		page, _ := spec.LookupRule(d.Rule)
		d.Message, d.Hint, d.Note, d.Fix = fmt.Sprintf("with the values of its variables: %s", page.Title), "look at the values in the environment", "", ""
	}
	shown := node.DiagnoseSpan(from, to, d.Rule, d.Message, d.Hint)
	shown.Severity, shown.Node, shown.Note = d.Severity, d.Node, d.Note
	if !strings.Contains(node.Raw, "${") {
		shown.Fix = d.Fix
	}
	c.diags = append(c.diags, shown)
}

// errorOf gives the expression error in err.
func errorOf(err error) *expression.Error {
	var e *expression.Error
	if !errors.As(err, &e) {
		e = &expression.Error{Message: err.Error()}
	}
	return e
}
