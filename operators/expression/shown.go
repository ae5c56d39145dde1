package expression

import (
	"slices"

	"github.com/expr-lang/expr/ast"
)

// Fact is what a condition has shown of a record: that a value is not null, or that it is not 0 either.
type Fact struct {
	// Of is the value as it is written.
	Of string
	// NotZero says that it is not 0.
	NotZero bool
	// names are the fields that the value depends on.
	names []string
}

// About reports whether a fact is about a field, or about something computed of it.
func (f Fact) About(field string) bool { return slices.Contains(f.names, field) }

// Shown gives what is known of a record for which the expression, a condition, is true.
func (p *Program) Shown() []Fact { return p.shown }

// holds reports whether a fact is known at the place of the tree that is looked at.
func (r *resolver) holds(of string, notZero bool) bool {
	return slices.ContainsFunc(r.facts, func(f Fact) bool { return f.Of == of && f.NotZero == notZero })
}

// under does something while facts are known.
func (r *resolver) under(facts []Fact, do func()) {
	before := len(r.facts)
	r.facts = append(r.facts, facts...)
	do()
	r.facts = r.facts[:before]
}

// warnBranches warns of what stands below a node some of whose parts are evaluated only under a condition, and reports
// whether it is one.
func (r *resolver) warnBranches(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ConditionalNode:
		r.warnAll(n.Cond, true)
		r.under(r.shown(n.Cond, true), func() { r.warnAll(n.Exp1, false) })
		r.under(r.shown(n.Cond, false), func() { r.warnAll(n.Exp2, false) })
		return true
	case *ast.BinaryNode:
		if isAnd(n) || isOr(n) {
			r.warnAll(n.Left, true)
			r.under(r.shown(n.Left, isAnd(n)), func() { r.warnAll(n.Right, false) })
			return true
		}
	}
	return false
}

func isAnd(b *ast.BinaryNode) bool { return b.Operator == "and" || b.Operator == "&&" }
func isOr(b *ast.BinaryNode) bool  { return b.Operator == "or" || b.Operator == "||" }

// shown gives what is known where a condition is true, or where it is false.
func (r *resolver) shown(n ast.Node, truth bool) []Fact {
	switch n := n.(type) {
	case *ast.UnaryNode:
		if n.Operator == "not" || n.Operator == "!" {
			return r.shown(n.Node, !truth)
		}
	case *ast.BinaryNode:
		if isAnd(n) || isOr(n) {
			left, right := r.shown(n.Left, truth), r.shown(n.Right, truth)
			if isAnd(n) == truth {
				return append(left, right...)
			}
			return slices.DeleteFunc(left, func(f Fact) bool {
				return !slices.ContainsFunc(right, func(o Fact) bool { return o.Of == f.Of && o.NotZero == f.NotZero })
			})
		}
		return r.compared(n, truth)
	}
	return nil
}

// opposite has the operators that are true where others are false.
var opposite = map[string]string{"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

// compared gives what a comparison shows. One that has an order shows that both sides have a value, whatever comes of it.
func (r *resolver) compared(b *ast.BinaryNode, truth bool) []Fact {
	operator := b.Operator
	switch operator {
	case "in", "startsWith", "endsWith", "contains", "matches":
		if list, ok := b.Right.(*ast.ArrayNode); truth && (operator != "in" || ok && !slices.ContainsFunc(list.Nodes, writtenNil)) {
			return []Fact{r.fact(b.Left, false)}
		}
		return nil
	case "==", "!=", "<", "<=", ">", ">=":
	default:
		return nil
	}
	if !truth {
		operator = opposite[operator]
	}
	value, other := b.Left, b.Right
	if _, ok := literal(value); ok {
		value, other = other, value
		if turned, ok := mirrored[operator]; ok {
			operator = turned
		}
	}
	constant, isConstant := literal(other)
	switch {
	case isConstant && writtenNil(other):
		if operator == "!=" {
			return []Fact{r.fact(value, false)}
		}
		return nil
	case isConstant:
		var facts []Fact
		if operator != "!=" {
			facts = append(facts, r.fact(value, false))
		}
		if excludesZero(operator, constant) {
			facts = append(facts, r.fact(value, true))
		}
		return facts
	case operator != "==" && operator != "!=":
		return []Fact{r.fact(value, false), r.fact(other, false)}
	}
	return nil
}

// writtenNil reports whether a node is nil as it is written.
func writtenNil(n ast.Node) bool {
	v, ok := literal(n)
	return ok && v == nil
}

// excludesZero reports whether 0 does not compare so with a constant.
func excludesZero(operator string, constant any) bool {
	var c float64
	switch v := constant.(type) {
	case int:
		c = float64(v)
	case float64:
		c = v
	default:
		return false
	}
	switch operator {
	case "!=":
		return c == 0
	case "==":
		return c != 0
	case ">":
		return c >= 0
	case ">=":
		return c > 0
	case "<":
		return c <= 0
	case "<=":
		return c < 0
	}
	return false
}

// fact is that a value is not null, or not 0.
func (r *resolver) fact(n ast.Node, notZero bool) Fact {
	f := Fact{Of: r.written(n), NotZero: notZero}
	var walk func(ast.Node)
	walk = func(n ast.Node) {
		if id, ok := n.(*ast.IdentifierNode); ok {
			f.names = append(f.names, fieldName(id.Value))
		}
		for _, c := range children(n) {
			walk(c)
		}
	}
	walk(n)
	return f
}

// written names a value: a path by its names, however it is spelled.
func (r *resolver) written(n ast.Node) string {
	if p, ok := pathOf(n, r.isVariable, r.scope.isScalar); ok {
		return p.names.String()
	}
	return n.String()
}
