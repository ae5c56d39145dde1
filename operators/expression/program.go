package expression

import (
	"fmt"
	"slices"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/vm"

	"tidemark/stream"
)

// Program is a compiled expression. It is immutable and may be shared between goroutines.
type Program struct {
	source   string
	scope    Scope
	uses     []stream.Path
	typ      stream.Type
	warnings []Warning
	shown    []Fact
	tree     ast.Node // resolved and optimised: what code runs
	code     *vm.Program
	parts    map[ast.Node]*vm.Program // code of the parts that have no kernel
	kernels  bool
	ofRow    bool // some fields are asked of row
}

// Compile parses, checks and compiles an expression. The error is an *Error.
func Compile(src string, scope Scope) (p *Program, err error) {
	defer func() {
		if r := recover(); r != nil { // a fault of the parser or checker must not end the run
			p, err = nil, &Error{Kind: Syntax, End: len(src), Message: fmt.Sprintf("can't read the expression: %v", r)}
		}
	}()
	functions := scope.functions()
	checked, err := parseTree(src, functions)
	if err != nil {
		return nil, err
	}
	r := &resolver{src: src, scope: scope, functions: functions}
	r.visit(checked.Node)
	if len(r.errors) > 0 {
		first := *r.errors[0]
		first.More = r.errors[1:]
		return nil, &first
	}
	typ, fault := checkTypes(src, checked, r)
	if fault != nil {
		return nil, fault
	}
	r.facts = slices.Clone(scope.Shown)
	r.warnAll(checked.Node, false)
	p = &Program{source: src, scope: scope, uses: r.uses, typ: typ, shown: r.shown(checked.Node, true)}
	p.warnings = append(commentWarning(src), r.warnings...)
	if err := p.compile(functions); err != nil {
		return nil, err
	}
	return p, nil
}

// compile makes the code for the virtual machine, from a tree that was never checked against a schema.
func (p *Program) compile(functions functionTable) error {
	tree, err := parseTree(p.source, functions)
	if err != nil {
		return err
	}
	r := &resolver{src: p.source, scope: p.scope, functions: functions}
	r.visit(tree.Node)
	config := configure(functions, open)
	if p.code, err = machineCode(p.source, tree, config); err != nil {
		return err
	}
	p.tree, p.ofRow = tree.Node, r.ofRow
	p.plan(tree, config)
	return nil
}

// Uses gives the columns that an evaluator reads, in order and without duplicates. The empty path is the
// whole record.
func (p *Program) Uses() []stream.Path { return p.uses }

// Type gives what is known of the values.
func (p *Program) Type() stream.Type { return p.typ }

// Source gives the expression as it was written.
func (p *Program) Source() string { return p.source }

// Vectorized reports whether kernels do the work, and the virtual machine only the rows that they leave.
func (p *Program) Vectorized() bool { return p.kernels }

// Warnings gives what is allowed and likely not meant.
func (p *Program) Warnings() []Warning { return p.warnings }

// now gives what now() gives.
func (p *Program) now() (any, error) { return p.scope.functions()["now"].Func() }
