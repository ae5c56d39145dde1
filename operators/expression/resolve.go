package expression

import (
	"slices"
	"strings"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"

	"tidemark/stream"
)

// resolver finds out what the names of a tree are: fields, variables or functions.
type resolver struct {
	src       string
	scope     Scope
	functions map[string]*builtin.Function
	variables []string
	uses      []stream.Path
	roots     []string // identifiers of fields, as they are in the tree
	ofRow     bool     // some fields are asked of row
	randoms   int      // calls of random()
	errors    []*Error
	warnings  []Warning
	facts     []Fact // what conditions have shown before the place that is looked at
}

// isVariable reports whether a let around the node being read declares the name.
func (r *resolver) isVariable(name string) bool { return slices.Contains(r.variables, name) }

// visit resolves a node and all below it.
func (r *resolver) visit(n ast.Node) {
	if p, ok := pathOf(n, r.isVariable, r.scope.isScalar); ok {
		r.usePath(p)
		return
	}
	switch n := n.(type) {
	case *ast.IdentifierNode:
		if n.Value == "$env" {
			r.fail(n, UnknownName, "$env is not a name here", "row is the whole record", "$env")
		}
	case *ast.VariableDeclaratorNode:
		r.visit(n.Value)
		r.variables = append(r.variables, n.Name)
		r.visit(n.Expr)
		r.variables = r.variables[:len(r.variables)-1]
	case *ast.CallNode:
		r.call(n)
	default:
		for _, c := range children(n) {
			r.visit(c)
		}
	}
}

func (r *resolver) call(n *ast.CallNode) {
	switch callee := n.Callee.(type) {
	case *ast.IdentifierNode:
		if _, ok := r.functions[callee.Value]; !ok {
			r.unknownFunction(callee, n.Arguments)
		} else if callee.Value == "random" {
			r.random(n)
			return
		}
	case *ast.MemberNode:
		r.visit(callee.Node)
		r.visit(callee.Property)
	default:
		r.visit(callee)
	}
	for _, a := range n.Arguments {
		r.visit(a)
	}
}

// usePath notes a column that is read, or the name that is unknown.
func (r *resolver) usePath(p path) {
	root := p.root.Value
	if len(p.names) > 0 && p.names[0] == stream.Meta {
		r.useFact(p)
		return
	}
	if root == "row" {
		r.ofRow = r.ofRow || len(p.names) > 0
		if len(p.names) > 0 && !r.known(p.names[0]) {
			r.unknownName(p.root, p.names[0])
			return
		}
	} else if !r.known(root) {
		r.unknownName(p.root, root)
		return
	}
	if rec, ok := r.scope.record(root); ok && len(p.names) > 1 && !rec.Open && !rec.has(p.names[1]) {
		r.fail(p.root, UnknownName, "unknown field `"+p.names[1]+"` of "+root,
			suggest(p.names[1], names(rec.Fields)), p.names[1])
		return
	}
	if r.functions[root] != nil || builtinNames[root] {
		p.root.Value = hidden + root
	}
	r.use(p)
}

// useFact notes something that the connector knows of a record, or that it is no such thing.
func (r *resolver) useFact(p path) {
	if name := p.names[1]; r.scope.Meta != nil && !slices.Contains(r.scope.Meta, name) {
		hint := "meta has " + strings.Join(r.scope.Meta, ", ")
		if near, ok := nearest(name, r.scope.Meta); ok {
			hint = "did you mean `meta." + near + "`? " + hint
		}
		if r.known("meta") {
			hint += "; a record's own field meta is row.meta"
		}
		r.fail(p.root, UnknownName, "unknown field `"+name+"` of meta", hint, name)
		return
	}
	p.root.Value = stream.Meta
	r.use(p)
}

// use notes a column that is read.
func (r *resolver) use(p path) {
	if !slices.Contains(r.roots, p.root.Value) {
		r.roots = append(r.roots, p.root.Value)
	}
	if !slices.ContainsFunc(r.uses, p.names.Equal) {
		r.uses = append(r.uses, p.names)
	}
}

func (r *resolver) known(name string) bool {
	if r.scope.Open || name == "row" {
		return true
	}
	_, field := r.scope.field(name)
	_, record := r.scope.record(name)
	return field || record
}

func (r *resolver) unknownName(n ast.Node, name string) {
	known := names(r.scope.Fields)
	for _, rec := range r.scope.Records {
		known = append(known, rec.Name)
	}
	if hint, ok := foreignNames[strings.ToLower(name)]; ok {
		r.fail(n, Operator, "unknown name `"+name+"`", hint, name)
		return
	}
	hint := suggest(name, known)
	if id, ok := n.(*ast.IdentifierNode); ok && id.Value == "meta" && len(r.scope.Meta) > 0 {
		hint = "say what of it: meta.event_time, for one; meta has " + strings.Join(r.scope.Meta, ", ")
	}
	if builtinNames[name] || r.functions[name] != nil {
		hint = name + "() is a function and wants brackets"
	}
	r.fail(n, UnknownName, "unknown field `"+name+"`", hint, name)
}

func (r *resolver) unknownFunction(callee *ast.IdentifierNode, args []ast.Node) {
	name := callee.Value
	message, hint := "unknown function `"+name+"`", ""
	if _, ok := r.scope.field(name); ok || r.isVariable(name) {
		message = "`" + name + "` is a field and can't be called"
	} else if name == "random" {
		hint = "random() is known in the fields of a generate source"
	} else if ours := foreignCall(name, args); ours != "" {
		hint = ours
	} else if near, ok := nearest(name, functionNames(r.functions)); ok {
		hint = "did you mean " + near + "()?"
	}
	r.fail(callee, UnknownFunction, message, hint, name)
}

func (r *resolver) fail(n ast.Node, k Kind, message, hint, name string) {
	from, to := byteSpan(r.src, n.Location())
	r.errors = append(r.errors, &Error{Offset: from, End: to, Kind: k, Message: message, Hint: hint, Name: name})
}

func (r *resolver) warn(n ast.Node, k WarningKind, message, hint string) {
	from, to := byteSpan(r.src, n.Location())
	r.warnings = append(r.warnings, Warning{Offset: from, End: to, Kind: k, Message: message, Hint: hint})
}

// children gives the nodes right below n.
func children(n ast.Node) []ast.Node {
	switch n := n.(type) {
	case *ast.UnaryNode:
		return []ast.Node{n.Node}
	case *ast.BinaryNode:
		return []ast.Node{n.Left, n.Right}
	case *ast.ChainNode:
		return []ast.Node{n.Node}
	case *ast.MemberNode:
		return []ast.Node{n.Node, n.Property}
	case *ast.SliceNode:
		return present(n.Node, n.From, n.To)
	case *ast.CallNode:
		return append([]ast.Node{n.Callee}, n.Arguments...)
	case *ast.BuiltinNode:
		return append(n.Arguments[:len(n.Arguments):len(n.Arguments)], present(n.Map)...)
	case *ast.PredicateNode:
		return []ast.Node{n.Node}
	case *ast.ConditionalNode:
		return []ast.Node{n.Cond, n.Exp1, n.Exp2}
	case *ast.VariableDeclaratorNode:
		return []ast.Node{n.Value, n.Expr}
	case *ast.SequenceNode:
		return n.Nodes
	case *ast.ArrayNode:
		return n.Nodes
	case *ast.MapNode:
		return n.Pairs
	case *ast.PairNode:
		return []ast.Node{n.Key, n.Value}
	}
	return nil
}

func present(nodes ...ast.Node) []ast.Node {
	return slices.DeleteFunc(nodes, func(n ast.Node) bool { return n == nil })
}
