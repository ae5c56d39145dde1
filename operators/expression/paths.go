package expression

import (
	"slices"

	"github.com/expr-lang/expr/ast"

	"tidemark/stream"
)

// hidden marks, in the syntax tree, names that would mean something else: of a field that is also the name of a function, and
// meta where it is what the connector knows. See [stream.Meta].
const hidden = "\x00"

// path is a chain of constant names that starts at a field: a.b.c, a?.b, row["x"].
type path struct {
	names stream.Path
	// optional says of each name whether it was reached by "?.", so that a nil before it gives nil.
	optional []bool
	root     *ast.IdentifierNode
}

// pathOf reads a node as a path. isVariable knows the names declared by let; isScalar knows fields that have
// no members, whose methods are not part of a path.
func pathOf(n ast.Node, isVariable, isScalar func(string) bool) (path, bool) {
	if c, ok := n.(*ast.ChainNode); ok {
		n = c.Node
	}
	var p path
	for {
		switch m := n.(type) {
		case *ast.MemberNode:
			name, ok := m.Property.(*ast.StringNode)
			if !ok || m.Method {
				return path{}, false
			}
			p.names = append(p.names, name.Value)
			p.optional = append(p.optional, m.Optional)
			n = m.Node
			continue
		case *ast.IdentifierNode:
			return p.rooted(m, isVariable, isScalar)
		}
		return path{}, false
	}
}

// rooted completes a path, whose names were collected from the last to the first.
func (p path) rooted(root *ast.IdentifierNode, isVariable, isScalar func(string) bool) (path, bool) {
	name := root.Value
	facts := fieldName(name) == "meta" && len(p.names) > 0
	if isVariable(name) || name == "$env" || len(p.names) > 0 && !facts && isScalar(fieldName(name)) {
		return path{}, false
	}
	p.root = root
	switch {
	case facts:
		p.names = append(p.names, stream.Meta)
		p.optional = append(p.optional, false)
	case name != "row":
		p.names = append(p.names, fieldName(name))
		p.optional = append(p.optional, false)
	}
	slices.Reverse(p.names)
	slices.Reverse(p.optional)
	if name == "row" && len(p.optional) > 0 {
		p.optional[0] = false
	}
	return p, true
}

// fieldName gives the name of a field as it was written.
func fieldName(identifier string) string {
	if len(identifier) > 0 && identifier[0] == hidden[0] {
		return identifier[1:]
	}
	return identifier
}
