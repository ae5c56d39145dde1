package expression

import (
	"github.com/expr-lang/expr/ast"

	"tidemark/stream"
)

// call gives the kernel of a function's call, or nil.
func (b *builder) call(name string, args []ast.Node) kernel {
	if name == "now" && len(args) == 0 {
		v, err := b.program.now()
		if err != nil {
			return nil
		}
		return newConstant(v)
	}
	if name == "random" && b.program.scope.Random != nil {
		site, _ := literal(args[1])
		n, _ := site.(int)
		return &randomKernel{row: b.build(args[0]), start: b.program.scope.Random.start(n)}
	}
	if (name == "max" || name == "min") && len(args) == 2 {
		return &extreme{left: b.build(args[0]), right: b.build(args[1]), lowest: name == "min"}
	}
	if name == "time" && len(args) == 2 {
		unit, _ := literal(args[1])
		text, _ := unit.(string)
		if digits, ok := unitDigits[text]; ok {
			return &timeCall{arg: b.build(args[0]), digits: digits}
		}
		return nil
	}
	if k := b.pickFunction(name, args); k != nil {
		return k
	}
	switch {
	case len(args) > 1:
		return b.timeFunction(name, args)
	case len(args) == 0:
		return nil
	case name == "date":
		return &dateCall{arg: b.build(args[0]), parse: parseDate, rfc3339: true}
	}
	if run, ok := functionKernels[name]; ok {
		return &function{arg: b.build(args[0]), run: run}
	}
	return nil
}

// function is a function of one argument.
type function struct {
	arg kernel
	run func(f frame, out, a *stream.Column, rows []int32) bool
	out stream.Column
}

// functionKernels give false for kinds that they don't know, before they touch anything.
var functionKernels = map[string]func(f frame, out, a *stream.Column, rows []int32) bool{
	"lower": lowerKernel, "upper": upperKernel, "trim": trimKernel, "len": lenKernel, "string": stringKernel,
	"int": intKernel, "float": floatKernel, "abs": absKernel,
	"floor": floorKernel, "ceil": ceilKernel, "round": roundKernel, "hash": hashKernel,
}

func (k *function) eval(f frame, rows []int32) *stream.Column {
	a := k.arg.eval(f, rows)
	if !k.run(f, &k.out, a, rows) {
		return redoAll(&k.out, stream.Int, f.n, rows)
	}
	return &k.out
}

// start makes out ready for texts or values computed from a, and spreads a's tags.
func start(kind stream.Kind, f frame, out, a *stream.Column, rows []int32) {
	out.Reset(kind, f.n)
	spread(out, f.n, rows, a)
}

// ok reports that a row was not left to the machine.
func ok(out *stream.Column, row int32) bool { return out.Odd == 0 || out.Tags[row] == stream.TagOK }

// leave leaves a row to the machine.
func leave(out *stream.Column, n int, row int32) {
	if out.Odd == 0 {
		untag(out, n)
	}
	tag(out, row, tagRedo)
}

// extreme is max and min of two numbers.
type extreme struct {
	left, right kernel
	lowest      bool
	out         stream.Column
}

func (k *extreme) eval(f frame, rows []int32) *stream.Column {
	a, b := k.left.eval(f, rows), k.right.eval(f, rows)
	switch {
	case a.Kind == stream.Int && b.Kind == stream.Int:
		start(stream.Int, f, &k.out, a, rows)
		pick(k.out.Ints, a.Ints, b.Ints, k.lowest, rows)
	case a.Kind == stream.Float && b.Kind == stream.Float:
		start(stream.Float, f, &k.out, a, rows)
		pick(k.out.Floats, a.Floats, b.Floats, k.lowest, rows)
	default:
		return redoAll(&k.out, stream.Int, f.n, rows)
	}
	spread(&k.out, f.n, rows, a, b)
	return &k.out
}

// pick keeps the first of two numbers unless the second is beyond it, as the machine does; so NaN stays.
func pick[T int64 | float64](out, a, b []T, lowest bool, rows []int32) {
	for _, r := range rows {
		out[r] = a[r]
		if lowest && a[r] > b[r] || !lowest && a[r] < b[r] {
			out[r] = b[r]
		}
	}
}
