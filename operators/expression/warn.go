package expression

import (
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"

	"tidemark/stream"
)

// misuse finds calls that compile and fail on every record, by what is known of their arguments.
func (r *resolver) misuse(n ast.Node) *Error {
	name, args := calledBy(n)
	e := r.unknownZone(name, args)
	switch {
	case e != nil:
		return e
	case name == "date" && len(args) > 0 && args[0].Nature().IsNumber():
		e = &Error{Message: "date() reads text, not a number (" + show(args[0]) + ")",
			Hint: "time(" + show(args[0]) + `, "ms"), or the unit that it has`}
	case name == "time" && len(args) == 2:
		if unit, ok := args[1].(*ast.StringNode); ok {
			if _, known := unitDigits[unit.Value]; !known {
				e = &Error{Message: "time() has no unit `" + unit.Value + "`", Hint: "units are s, ms, us and ns"}
			}
		}
		if text, ok := args[0].(*ast.StringNode); ok && !isDecimal(text.Value) {
			e = &Error{Message: "time() counts units since 1970, and " + show(text) + " is no number", Hint: "write date(" + show(text) + ")"}
		}
	case name == "trunc_time" && len(args) == 2:
		if span, ok := args[1].(*ast.StringNode); ok {
			if _, known := parseSpan(span.Value); !known {
				e = &Error{Message: "`" + span.Value + "` is no duration", Hint: "units are ms, s, m, h, d and w, such as 1h"}
			}
		}
	}
	if e != nil {
		e.Kind = Type
		e.Offset, e.End = byteSpan(r.src, n.Location())
		return e
	}
	for _, c := range children(n) {
		if e := r.misuse(c); e != nil {
			return e
		}
	}
	return nil
}

// calledBy gives the function that a node calls by its name.
func calledBy(n ast.Node) (name string, args []ast.Node) {
	switch n := n.(type) {
	case *ast.BuiltinNode:
		return n.Name, n.Arguments
	case *ast.CallNode:
		if id, ok := n.Callee.(*ast.IdentifierNode); ok {
			return id.Value, n.Arguments
		}
	}
	return "", nil
}

// warnAll warns of what is likely not meant in a checked tree. strict says that nil is an error for n's parent.
func (r *resolver) warnAll(n ast.Node, strict bool) {
	if p, ok := pathOf(n, r.isVariable, r.scope.isScalar); ok {
		r.warnPath(p, strict)
		return
	}
	if name, _ := calledBy(n); (name == "now" || name == "uuid") && r.functions[name] != nil {
		r.warn(n, Impure, name+"() gives another value in each run", "")
	}
	if name, _ := calledBy(n); name == "random" && r.scope.Random != nil && r.scope.Random.Seed == nil {
		r.warn(n, Impure, "random() without a seed gives another value in each run", "seed: 1")
	}
	r.warnLayout(n)
	if r.warnBranches(n) {
		return
	}
	if b, ok := n.(*ast.BinaryNode); ok {
		r.warnDivision(b)
	}
	whole := givesWhole(n)
	for i, c := range children(n) {
		if b, ok := c.(*ast.BinaryNode); ok && whole && b.Operator == "/" && constantDivisor(b) && !isZero(b.Right) {
			r.warnAll(b.Left, true) // the fraction is cut off on purpose
			continue
		}
		r.warnAll(c, wantsValue(n, i))
	}
}

// givesWhole reports whether a node is a call that makes a whole number of its argument.
func givesWhole(n ast.Node) bool {
	name, _ := calledBy(n)
	return name == "int" || name == "floor" || name == "ceil" || name == "round"
}

func constantDivisor(b *ast.BinaryNode) bool {
	_, constant := literal(b.Right)
	return constant
}

// isZero reports whether a node is the number 0 as it is written.
func isZero(n ast.Node) bool {
	v, _ := literal(n)
	return v == 0 || v == 0.0
}

func (r *resolver) warnPath(p path, strict bool) {
	root := fieldName(p.root.Value)
	hint, foreign := foreignNames[strings.ToLower(root)]
	_, declared := r.scope.field(root)
	switch {
	case foreign && !declared:
		r.warn(p.root, Misuse, "`"+root+"` is taken for a field", hint)
	case root != p.root.Value && p.root.Value != stream.Meta:
		r.warn(p.root, HiddenName, "`"+root+"` is both a field and a function", "the field is meant where it is not called")
	case strict && r.scope.declaredNull(p.names) && !r.holds(p.names.String(), false):
		name := p.names.String()
		if p.names[0] == "meta" {
			name = "row." + name
		}
		hint := name + " != nil ? … : nil"
		if value := fallback(r.scope.typeAt(p.names)); value != "" {
			hint = r.chain(p.names) + " ?? " + value
		}
		r.warn(p.root, Nullable, name+" can be null: such records go to .dirty", hint)
	}
}

// chain writes a path with ?. behind each part that may be null itself.
func (r *resolver) chain(p stream.Path) string {
	text := p[:1].String()
	if p[0] == "meta" {
		text = "row.meta"
	}
	for i := 1; i < len(p); i++ {
		dot := "."
		if p[0] != stream.Meta && p[0] != "row" && (i > 1 || r.scope.typeAt(p[:i]).Null) {
			dot = "?."
		}
		text += dot + p[i]
	}
	return text
}

// fallback gives a value of a type, to write behind ??; none for times.
func fallback(t stream.Type) string {
	switch t.Shape {
	case stream.List:
		return "[]"
	case stream.Object:
		return "{}"
	}
	switch t.Kind {
	case stream.Instant:
		return ""
	case stream.String:
		return `""`
	case stream.Bool:
		return "false"
	}
	return "0"
}

// declaredNull reports whether a schema says that the value at a path may be null.
func (s *Scope) declaredNull(p stream.Path) bool {
	if len(p) == 0 {
		return false
	}
	_, field := s.field(p[0])
	_, record := s.record(p[0])
	return (field || record) && s.typeAt(p).Null
}

// warnDivision speaks of quotients: they are floats, and a zero divisor makes them infinite.
func (r *resolver) warnDivision(b *ast.BinaryNode) {
	if b.Operator != "/" && b.Operator != "%" {
		return
	}
	constant := constantDivisor(b)
	l, d := b.Left.Nature(), b.Right.Nature()
	switch {
	case isZero(b.Right) && b.Operator == "%":
		r.warn(b, Zero, show(b)+" fails for every record", "nothing has a remainder by 0")
	case isZero(b.Right):
		r.warn(b, Zero, show(b)+" is always infinite, or no number", "divide by something else than 0")
	case !constant && r.holds(r.written(b.Right), true):
	case !constant && b.Operator == "%":
		r.warn(b, Division, show(b)+" fails where "+show(b.Right)+" is 0", "")
	case !constant:
		r.warn(b, Division, show(b)+" is infinite, or no number, where "+show(b.Right)+" is 0", show(b.Right)+" == 0 ? nil : "+show(b))
	case b.Operator == "/" && l.IsInteger && d.IsInteger:
		r.warn(b, Division, show(b)+" is a float", "int("+show(b)+") cuts the fraction off")
	}
}

// wantsValue reports whether nil is an error as child i of n.
func wantsValue(n ast.Node, i int) bool {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return n.Operator != "+"
	case *ast.BinaryNode:
		switch n.Operator {
		case "==", "!=", "??", "in", "matches", "contains", "startsWith", "endsWith":
			return false
		case "and", "&&", "or", "||":
			return i == 0
		}
		return true
	case *ast.ConditionalNode:
		return i == 0
	case *ast.BuiltinNode:
		f := builtin.Builtins[builtin.Index[n.Name]]
		return n.Name != "string" && n.Name != "type" && n.Name != "get" && n.Name != "toJSON" && !f.Predicate
	}
	return false
}
