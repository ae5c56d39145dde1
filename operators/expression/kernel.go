package expression

import (
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"

	"tidemark/stream"
)

// frame is the batch that kernels work on.
type frame struct {
	batch *stream.Batch
	n     int
	all   bool // the rows asked for at the top are all rows of the batch
}

// dense reports that a loop over all rows of the batch is cheaper than one over the rows asked for. It may
// only be used where no value, however undefined, does harm.
func (f frame) dense(rows []int32) bool { return len(rows)*2 >= f.n }

// kernel is a node of an expression with the memory it needs. The vector it gives is valid until the next
// call, and the caller must not change it.
type kernel interface {
	eval(f frame, rows []int32) *stream.Column
}

// plan decides whether kernels run the program, and compiles the parts that have none.
func (p *Program) plan(tree *parser.Tree, c *conf.Config) {
	p.parts = map[ast.Node]*vm.Program{}
	b := builder{program: p, columns: make([]int, len(p.uses)), machine: &machine{}, faults: &faults{},
		compile: func(n ast.Node) *vm.Program { return partCode(tree, n, c) }}
	root := b.build(p.tree)
	_, whole := root.(*opaque)
	p.kernels = !whole
}

// builder makes kernels of a syntax tree.
type builder struct {
	program *Program
	columns []int
	machine *machine
	compile func(ast.Node) *vm.Program // nil when all parts are compiled
	faults  *faults
}

// build gives the kernel of a node; one that asks the virtual machine where there is no other.
func (b *builder) build(n ast.Node) kernel {
	if p, ok := pathOf(n, never, b.program.scope.isScalar); ok {
		return b.leaf(p)
	}
	if v, ok := literal(n); ok {
		if k := newConstant(v); k != nil {
			return k
		}
	}
	var k kernel
	switch n := n.(type) {
	case *ast.UnaryNode:
		k = b.unary(n)
	case *ast.BinaryNode:
		k = b.binary(n)
	case *ast.ConditionalNode:
		k = &conditional{cond: b.build(n.Cond), yes: b.build(n.Exp1), no: b.build(n.Exp2)}
	case *ast.BuiltinNode:
		k = b.call(n.Name, n.Arguments)
	case *ast.CallNode:
		switch callee := n.Callee.(type) {
		case *ast.IdentifierNode:
			k = b.call(callee.Value, n.Arguments)
		case *ast.MemberNode:
			k = b.timeMethod(callee, n.Arguments)
		}
	}
	if k == nil {
		return b.opaque(n)
	}
	return k
}

func (b *builder) blame(n *ast.BinaryNode) blame { return blame{node: n, faults: b.faults} }

func (b *builder) leaf(p path) kernel {
	for i, u := range b.program.uses {
		if u.Equal(p.names) {
			return &leaf{path: p, column: b.columns[i]}
		}
	}
	return nil
}

// opaque is a part of an expression without a kernel: the virtual machine evaluates it row by row, on its
// own, so that the rest of the expression keeps its kernels.
type opaque struct {
	machine *machine
	code    *vm.Program
	out     stream.Column
}

func (b *builder) opaque(n ast.Node) kernel {
	if b.compile != nil {
		b.program.parts[n] = b.compile(n)
	}
	return &opaque{machine: b.machine, code: b.program.parts[n]}
}

// partCode compiles a part of a checked and optimised tree.
func partCode(tree *parser.Tree, n ast.Node, c *conf.Config) *vm.Program {
	code, err := compiler.Compile(&parser.Tree{Node: n, Source: tree.Source}, c)
	if err != nil {
		return nil
	}
	return code
}

func (k *opaque) eval(f frame, rows []int32) *stream.Column {
	if k.code == nil {
		return redoAll(&k.out, stream.Int, f.n, rows)
	}
	k.out.Reset(stream.Any, f.n)
	untag(&k.out, f.n)
	first := true
	for _, r := range rows {
		k.machine.load(f.batch, int(r))
		v, sure := k.machine.part(k.code)
		if !sure {
			tag(&k.out, r, tagRedo)
			continue
		}
		if first && v != nil {
			first = false
			k.retype(stream.KindOf(v), f.n)
		}
		k.out.SetValue(int(r), v)
	}
	return &k.out
}

// retype gives the vector the kind of its first value that is not nil, keeping the tags of the rows before.
func (k *opaque) retype(kind stream.Kind, n int) {
	tags, odd := k.out.Tags, k.out.Odd
	k.out.Reset(kind, n)
	k.out.Tags, k.out.Odd = tags, odd
}
