package plan

import (
	"fmt"
	"slices"

	"tidemark/operators/agg"
	"tidemark/operators/expression"
	"tidemark/spec"
)

// bindConstants takes the arguments that must be constants out of a call, and gives the kind that has them. The kind is
// nil where one of them is at fault, which is reported.
func (k *block) bindConstants(e spec.NamedExpr, call expression.Call, kind *agg.Kind) (*agg.Kind, expression.Call) {
	from, to := kind.Values(), len(call.Args)
	if kind.Conditional {
		to--
	}
	if kind.Parameters == 0 || from > to {
		return kind, call
	}
	var constants []any
	whole := true
	for i := from; i < to; i++ {
		v, ok := k.constant(e, call, kind, i)
		constants, whole = append(constants, v), whole && ok
	}
	rest := call
	rest.Args = slices.Delete(slices.Clone(call.Args), from, to)
	rest.ArgOffsets = slices.Delete(slices.Clone(call.ArgOffsets), from, to)
	if !whole {
		return nil, rest
	}
	bound, err := kind.Bind(constants)
	if err != nil {
		k.constantFault(e, call, kind, from, err.Error())
		return nil, rest
	}
	return bound, rest
}

// constant gives the value of argument i.
func (k *block) constant(e spec.NamedExpr, call expression.Call, kind *agg.Kind, i int) (any, bool) {
	p, err := expression.Compile(call.Args[i], k.pre.scope())
	if err != nil {
		k.expressionError(k.Block, "aggregate", e.Expr.Node, call.ArgOffsets[i], err)
		return nil, false
	}
	v, ok := p.Constant()
	if !ok {
		k.constantFault(e, call, kind, i, fmt.Sprintf("argument %d of %s must be a constant: it is the same for all records", i+1, kind.Name))
	}
	return v, ok
}

// constantFault reports a fault of argument i.
func (k *block) constantFault(e spec.NamedExpr, call expression.Call, kind *agg.Kind, i int, message string) {
	if e.Expr.Node.Secret() {
		message = fmt.Sprintf("argument %d of %s is not what it wants", i+1, kind.Name) // it may have come from the environment
	}
	at := call.ArgOffsets[i]
	k.at(e.Expr.Node, at, at+len(call.Args[i]), spec.Diagnostic{Rule: "TM111", Severity: spec.Error, Node: k.Name,
		Message: message, Hint: "for example " + kind.Example.Call})
}
