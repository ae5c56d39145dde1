package plan

import (
	"errors"

	"tidemark/operators/expression"
	"tidemark/spec"
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

// program compiles an expression of the file, and reports what is wrong with it at its place. It gives nil
// then.
func (c *compiler) program(b *spec.Block, clause string, node *spec.Node, text string, scope expression.Scope) *expression.Program {
	p, err := expression.Compile(text, scope)
	if err != nil {
		c.expressionError(b, clause, node, 0, err)
		return nil
	}
	for _, w := range p.Warnings() {
		c.at(node, w.Offset, w.End, spec.Diagnostic{Rule: "TM115", Severity: spec.Warning, Node: b.Name, Message: w.Message, Hint: w.Hint})
	}
	return p
}

// expressionError reports err, whose offsets count from shift bytes into node's text.
func (c *compiler) expressionError(b *spec.Block, clause string, node *spec.Node, shift int, err error) {
	var e *expression.Error
	if !errors.As(err, &e) {
		c.report("TM111", spec.Error, node, spec.Diagnostic{Node: b.Name, Message: err.Error()})
		return
	}
	message := e.Message
	if e.Kind == expression.UnknownName {
		message += " in `" + clause + "`"
	}
	c.at(node, e.Offset+shift, e.End+shift, spec.Diagnostic{Rule: ruleOf[e.Kind], Severity: spec.Error, Node: b.Name, Message: message, Hint: e.Hint})
}

// at reports a problem with the bytes [from, to) of a scalar's text.
func (c *compiler) at(node *spec.Node, from, to int, d spec.Diagnostic) {
	shown := node.DiagnoseSpan(from, to, d.Rule, d.Message, d.Hint)
	shown.Severity, shown.Node, shown.Note = d.Severity, d.Node, d.Note
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
