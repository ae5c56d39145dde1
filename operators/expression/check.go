package expression

import (
	"reflect"
	"time"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/types"

	"tidemark/stream"
)

// checkTypes checks a resolved tree against what the scope knows, and gives the type of its value.
func checkTypes(src string, tree *parser.Tree, r *resolver) (stream.Type, *Error) {
	env := types.Map{types.Extra: types.Any}
	for _, root := range r.roots {
		if root == stream.Meta {
			env[root] = types.Map{types.Extra: types.Any, "event_time": checkerType(stream.Type{Kind: stream.Instant})}
			continue
		}
		env[root] = r.scope.typeOf(fieldName(root))
	}
	if _, err := checker.Check(tree, configure(r.functions, env)); err != nil {
		return stream.Type{}, typeError(src, tree.Node, err)
	}
	t := tree.Node.Type()
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return stream.Type{}, &Error{Kind: Type, End: len(src), Message: "the value is a duration",
			Hint: "use .Milliseconds(), .Seconds() or .Hours()"}
	case t.Kind() == reflect.Func:
		return stream.Type{}, &Error{Kind: Type, End: len(src), Message: "the value is a function", Hint: "call it: ()"}
	}
	if fault := r.misuse(tree.Node); fault != nil {
		return stream.Type{}, fault
	}
	out := resultType(tree.Node)
	out.Null = r.nullable(tree.Node)
	return out, nil
}

// typeOf gives the type of a name for the checker. A nullable field is checked as what it is when not null.
func (s *Scope) typeOf(name string) types.Type {
	if rec, ok := s.record(name); ok {
		m := types.Map{}
		if rec.Open {
			m[types.Extra] = types.Any
		}
		for _, f := range rec.Fields {
			m[f.Name] = checkerType(f.Type)
		}
		return m
	}
	if name == "row" {
		m := types.Map{types.Extra: types.Any}
		for _, f := range s.Fields {
			m[f.Name] = checkerType(f.Type)
		}
		return m
	}
	f, _ := s.field(name)
	return checkerType(f.Type)
}

func checkerType(t stream.Type) types.Type {
	switch t.Kind {
	case stream.Int:
		return types.Int64
	case stream.Float:
		return types.Float64
	case stream.Bool:
		return types.Bool
	case stream.String:
		return types.String
	case stream.Instant:
		return types.TypeOf(time.Time{})
	}
	switch t.Shape {
	case stream.List:
		return types.TypeOf([]any{})
	case stream.Object:
		return types.TypeOf(map[string]any{})
	}
	return types.Any
}

// resultType gives the kind and shape of a checked node's values.
func resultType(n ast.Node) stream.Type {
	if b, ok := n.(*ast.BuiltinNode); ok && (b.Name == "max" || b.Name == "min") && !sameTypes(b.Arguments) {
		return stream.Type{} // the winner keeps its own type
	}
	nt := n.Nature()
	switch {
	case nt.Type == nil:
		return stream.Type{}
	case nt.IsInteger:
		return stream.Type{Kind: stream.Int}
	case nt.IsFloat:
		return stream.Type{Kind: stream.Float}
	case nt.IsBool():
		return stream.Type{Kind: stream.Bool}
	case nt.IsString():
		return stream.Type{Kind: stream.String}
	case nt.IsTime():
		return stream.Type{Kind: stream.Instant}
	case nt.IsArray():
		return stream.Type{Shape: stream.List}
	case nt.IsMap():
		return stream.Type{Shape: stream.Object}
	}
	return stream.Type{}
}

func sameTypes(nodes []ast.Node) bool {
	for _, n := range nodes {
		if resultType(n) != resultType(nodes[0]) {
			return false
		}
	}
	return true
}

// nullable reports whether a node's value may be nil, without being an error.
func (r *resolver) nullable(n ast.Node) bool {
	if p, ok := pathOf(n, r.isVariable, r.scope.isScalar); ok {
		return r.scope.typeAt(p.names).Null
	}
	switch n := n.(type) {
	case *ast.NilNode, *ast.ChainNode, *ast.MemberNode, *ast.VariableDeclaratorNode, *ast.SequenceNode:
		return true
	case *ast.ConditionalNode:
		return r.nullable(n.Exp1) || r.nullable(n.Exp2)
	case *ast.BinaryNode:
		switch n.Operator {
		case "??", "and", "&&", "or", "||":
			return r.nullable(n.Right)
		}
	case *ast.BuiltinNode:
		return nullableFunctions[n.Name]
	case *ast.CallNode:
		name, _ := calledBy(n)
		return nullableFunctions[name]
	}
	return false
}

// nullableFunctions give nil rather than an error where there is nothing to give.
var nullableFunctions = map[string]bool{"first": true, "last": true, "get": true, "find": true,
	"findIndex": true, "findLast": true, "findLastIndex": true, "fromJSON": true, "max": true, "min": true,
	"regex_extract": true, "url_host": true}
