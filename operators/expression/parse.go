package expression

import (
	"reflect"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/checker"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/optimizer"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"
)

// defaults is expr's configuration before anything is set.
var defaults = conf.CreateNew()

// fresh gives expr's configuration with nothing set. The table of expr's own functions is shared, since nothing
// writes to it and making one takes longer than to read an expression.
func fresh() *conf.Config {
	c := *defaults
	c.Functions, c.Disabled, c.ConstFns = map[string]*builtin.Function{}, map[string]bool{}, map[string]reflect.Value{}
	return &c
}

// configure gives expr's configuration for an environment of the names in env.
func configure(functions map[string]*builtin.Function, env types.Map) *conf.Config {
	c := fresh()
	c.Functions = functions
	c.WithEnv(env)
	return c
}

// parseTree parses without an environment, so that a field never changes how a call is read.
func parseTree(src string, functions map[string]*builtin.Function) (*parser.Tree, error) {
	c := fresh()
	c.Functions = functions
	for name := range functions {
		c.Disabled[name] = true // else ::name() would be expr's own
	}
	tree, err := parser.ParseWithConfig(src, c)
	if err != nil {
		return nil, syntaxError(src, err)
	}
	return tree, nil
}

// open is the environment of the virtual machine: what an expression gives depends on the values alone, not
// on a schema, so nothing is known of any name there.
var open = types.Map{types.Extra: types.Any}

// machineCode optimises a resolved tree in place and compiles it for the virtual machine.
func machineCode(src string, tree *parser.Tree, c *conf.Config) (*vm.Program, error) {
	fixLists(&tree.Node)
	if _, err := checker.Check(tree, c); err != nil {
		return nil, typeError(src, tree.Node, err)
	}
	ast.Walk(&tree.Node, doubter{})
	if err := optimizer.Optimize(&tree.Node, c); err != nil {
		return nil, typeError(src, tree.Node, err)
	}
	code, err := compiler.Compile(tree, c)
	if err != nil {
		return nil, typeError(src, tree.Node, err)
	}
	return code, nil
}

// fixLists makes constants of the lists of constants on the right of "in". The optimiser would make maps of
// them, for which a null is the empty text and a number among texts an error.
func fixLists(root *ast.Node) { ast.Walk(root, listFixer{}) }

type listFixer struct{}

// Visit is called by ast.Walk for each node, children first.
func (listFixer) Visit(node *ast.Node) {
	in, ok := (*node).(*ast.BinaryNode)
	if !ok || in.Operator != "in" {
		return
	}
	list, ok := in.Right.(*ast.ArrayNode)
	if !ok {
		return
	}
	values := make([]any, len(list.Nodes))
	for i, n := range list.Nodes {
		v, ok := literal(n)
		if !ok {
			return
		}
		values[i] = v
	}
	ast.Patch(&in.Right, &ast.ConstantNode{Value: values})
}

// doubter takes from operands the types that the checker gave them where the compiler would rely on them: the
// type of c ? "a" : x is text to it, whatever x is, and comparing by that type fails for another value.
type doubter struct{}

// Visit is called by ast.Walk for each node.
func (doubter) Visit(node *ast.Node) {
	b, ok := (*node).(*ast.BinaryNode)
	if !ok || b.Operator != "==" && b.Operator != "!=" && b.Operator != "in" {
		return
	}
	if _, constant := literal(b.Left); !constant {
		b.Left.SetType(reflect.TypeFor[any]())
	}
}

// literal gives the value of a constant, a negative number included.
func literal(n ast.Node) (any, bool) {
	switch n := n.(type) {
	case *ast.NilNode:
		return nil, true
	case *ast.IntegerNode:
		return n.Value, true
	case *ast.FloatNode:
		return n.Value, true
	case *ast.BoolNode:
		return n.Value, true
	case *ast.StringNode:
		return n.Value, true
	case *ast.ConstantNode:
		return n.Value, true
	case *ast.UnaryNode:
		v, ok := literal(n.Node)
		if !ok || n.Operator != "-" {
			return nil, false
		}
		switch v := v.(type) {
		case int:
			return -v, true
		case float64:
			return -v, true
		}
	}
	return nil, false
}

// byteSpan turns a location, which counts runes, into a span of bytes that is not empty where src is not.
func byteSpan(src string, l file.Location) (offset, end int) {
	return byteOffset(src, l.From), max(byteOffset(src, l.To), byteOffset(src, l.From))
}

func byteOffset(src string, rune int) int {
	n := 0
	for i := range src {
		if n == rune {
			return i
		}
		n++
	}
	return len(src)
}
