package expression

import (
	"github.com/expr-lang/expr/ast"

	"tidemark/stream"
)

// Bound is a comparison of a field with a constant: field Operator Value, where the operator is one of < <= > >= ==.
type Bound struct {
	Path     stream.Path
	Operator string
	// Value is an int64, a float64 or a string.
	Value any
}

// Bounds gives the comparisons that a condition begins with, in the order in which they are evaluated: as long as
// they are joined by `and`. The condition is false where one of them is, provided that those before it have a
// value. Statistics of many records may tell that without a look at any.
func (p *Program) Bounds() []Bound {
	var bounds []Bound
	p.conjuncts(p.tree, &bounds)
	return bounds
}

// conjuncts appends the bounds below n, and reports whether that is all that n is.
func (p *Program) conjuncts(n ast.Node, bounds *[]Bound) bool {
	b, ok := n.(*ast.BinaryNode)
	if !ok {
		return false
	}
	if b.Operator == "and" || b.Operator == "&&" {
		return p.conjuncts(b.Left, bounds) && p.conjuncts(b.Right, bounds)
	}
	bound, ok := p.bound(b)
	if ok {
		*bounds = append(*bounds, bound)
	}
	return ok
}

// mirrored has the operators that say the same with the sides exchanged.
var mirrored = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}

func (p *Program) bound(b *ast.BinaryNode) (Bound, bool) {
	operator, ok := mirrored[b.Operator]
	if !ok {
		return Bound{}, false
	}
	field, constant := b.Right, b.Left
	if _, ok := literal(constant); !ok {
		field, constant, operator = b.Left, b.Right, b.Operator
	}
	value, ok := literal(constant)
	at, isPath := pathOf(field, func(string) bool { return false }, p.scope.isScalar)
	if !ok || !isPath || len(at.names) != 1 {
		return Bound{}, false
	}
	switch v := value.(type) {
	case int:
		return Bound{at.names, operator, int64(v)}, true
	case int64, float64, string:
		return Bound{at.names, operator, v}, true
	}
	return Bound{}, false
}

// Excludes reports whether no value from least to greatest satisfies the bound. These are of the kinds int64,
// float64 or string; what cannot be compared is not excluded.
func (b Bound) Excludes(least, greatest any) bool {
	toLeast, ok := compareBoxed(least, b.Value)
	toGreatest, also := compareBoxed(greatest, b.Value)
	if !ok || !also {
		return false
	}
	switch b.Operator {
	case "<":
		return toLeast >= 0
	case "<=":
		return toLeast > 0
	case ">":
		return toGreatest <= 0
	case ">=":
		return toGreatest < 0
	}
	return toLeast > 0 || toGreatest < 0
}

// Comparable reports whether the bound has a value for values of v's kind.
func (b Bound) Comparable(v any) bool {
	if b.Operator == "==" {
		return true
	}
	_, ok := compareBoxed(v, b.Value)
	return ok
}

// compareBoxed orders two values of a kind, or an integer and a float as floats, as expressions do. NaN is in no
// order.
func compareBoxed(a, b any) (int, bool) {
	switch x := a.(type) {
	case string:
		y, ok := b.(string)
		return compareOrdered(x, y), ok
	case int64:
		if y, ok := b.(int64); ok {
			return compareOrdered(x, y), true
		}
		return compareFloats(float64(x), b)
	case float64:
		return compareFloats(x, b)
	}
	return 0, false
}

func compareFloats(x float64, b any) (int, bool) {
	y, ok := b.(float64)
	if i, isInt := b.(int64); isInt {
		y, ok = float64(i), true
	}
	return compareOrdered(x, y), ok && x == x && y == y
}

func compareOrdered[T int64 | float64 | string](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
