package plan

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/operators/agg"
	"tidemark/operators/expression"
	"tidemark/spec"
	"tidemark/stream"
)

// aggregates compiles `aggregate`: the calls' arguments before the window, the rest behind it. A field whose
// expression is at fault is a field all the same, so that what speaks of it gets no message of its own.
func (k *block) aggregates(result *Output) {
	fields := len(result.Fields)
	for _, e := range k.aggregateClause() {
		k.unique(k.post.fields(), e)
		first := k.called
		p, words := k.aggregate(e, fields)
		if p != nil {
			step := Step{Clause: "aggregate", Field: e.Name, Program: p, Node: e.Expr.Node, Words: words}
			k.post.set(e.Name, k.post.compute(step), p.Type())
		} else {
			k.post.set(e.Name, k.post.nothing(), stream.Type{})
		}
		for i := first; i < k.called; i++ {
			k.post.unhide(aggregateName(i))
		}
	}
}

// aggregateClause gives the entries of `aggregate`.
func (k *block) aggregateClause() spec.Exprs {
	if k.o.Aggregate == nil {
		return nil
	}
	return *k.o.Aggregate
}

// aggregateName is the name of an aggregate's result within expressions over aggregates.
func aggregateName(i int) string { return expression.ResultName(i) }

// aggregate adds the calls of an entry to the window and gives the expression over their results, and the names in
// it that stand for calls, each followed by the call. fields is the number of key fields and bounds, behind which
// the results stand.
func (k *block) aggregate(e spec.NamedExpr, fields int) (p *expression.Program, words []string) {
	if !e.Expr.Known() {
		return nil, nil
	}
	first := k.called
	post, calls, err := expression.SplitAggregates(e.Expr.Text, calledLikeAggregate, first)
	if err != nil {
		k.expressionError(k.Block, "aggregate", e.Expr.Node, 0, err)
		return nil, nil
	}
	k.called += len(calls)
	inner, whole := scope{Fields: append([]stream.Field{}, k.post.fields()...), Open: k.post.unsure}, true
	for i, call := range calls {
		a, typ, ok := k.call(e, call)
		if !ok {
			typ, whole = stream.Type{}, false
		}
		k.post.hidden(aggregateName(first+i), k.post.loadColumn(fields+k.hold(a)))
		words = append([]string{aggregateName(first + i), a.Text}, words...) // agg12 before agg1
		inner.Fields = append(inner.Fields, stream.Field{Name: aggregateName(first + i), Type: typ})
	}
	p, err = expression.Compile(post, inner)
	if err != nil {
		k.postErrors(e, post, calls, first, faultsOf(err, whole))
		return nil, nil
	}
	k.warnPost(e, p, wordsFor(e, calls, first))
	if !whole {
		return nil, nil
	}
	return p, words
}

// hold gives the place of an aggregate in the window, which computes it once however often it is called.
func (k *block) hold(a Aggregate) int {
	w := k.t.Window
	for i, have := range w.Aggregates {
		if a.Kind != nil && have.Kind != nil && have.Kind.Same(a.Kind) && slices.Equal(have.Args, a.Args) {
			return i
		}
	}
	w.Aggregates = append(w.Aggregates, a)
	return len(w.Aggregates) - 1
}

// faultsOf gives the faults of an expression over aggregates that stand for themselves. Where an aggregate is at
// fault nobody knows the types, and what an unknown function is given may well be records.
func faultsOf(err error, whole bool) []*expression.Error {
	first := errorOf(err)
	all := append([]*expression.Error{first}, first.More...)
	unknown := slices.ContainsFunc(all, func(f *expression.Error) bool { return f.Kind == expression.UnknownFunction })
	return slices.DeleteFunc(all, func(f *expression.Error) bool {
		return f.Kind == expression.Type && !whole || f.Kind == expression.UnknownName && unknown
	})
}

// warnPost reports what is likely not meant in an expression over aggregates. Quotients are: there is no group of
// no records, and the ratio of two results is what people come for.
func (k *block) warnPost(e spec.NamedExpr, p *expression.Program, words *strings.Replacer) {
	for _, w := range p.Warnings() {
		if of, ok := warningOf[w.Kind]; ok && w.Kind != expression.Division && w.Kind != expression.Nullable && len(p.Source()) == len(e.Expr.Text) {
			k.at(e.Expr.Node, w.Offset, w.End, spec.Diagnostic{Rule: of.rule, Severity: of.severity, Node: k.Name, Message: words.Replace(w.Message), Hint: words.Replace(w.Hint)})
		}
	}
}

// wordsFor puts the calls of an entry in the place of the names that stand for their results.
func wordsFor(e spec.NamedExpr, calls []expression.Call, first int) *strings.Replacer {
	var names []string
	for i := len(calls) - 1; i >= 0; i-- { // agg12 before agg1
		names = append(names, aggregateName(first+i), e.Expr.Text[calls[i].Offset:calls[i].End])
	}
	return strings.NewReplacer(names...)
}

// postErrors reports the faults of an expression over aggregates, in the words of the file: post has names in the
// place of the calls.
func (k *block) postErrors(e spec.NamedExpr, post string, calls []expression.Call, first int, faults []*expression.Error) {
	words := wordsFor(e, calls, first)
	for _, f := range faults {
		shown := *f
		shown.Message, shown.Hint, shown.More = words.Replace(shown.Message), words.Replace(shown.Hint), nil
		if len(post) != len(e.Expr.Text) {
			shown.Offset, shown.End = 0, len(e.Expr.Text)
		}
		for _, call := range calls {
			if shown.Offset == call.Offset {
				shown.End = max(shown.End, call.End)
			}
		}
		k.postError(e, &shown)
	}
}

// postError reports one such fault. A field of the records that come in is no field of the result.
func (k *block) postError(e spec.NamedExpr, fault *expression.Error) {
	switch fault.Kind {
	case expression.UnknownName:
		in := k.pre.scope()
		if isAggregate(fault.Name) && !hasField(in.Fields, fault.Name) {
			fault.Kind, fault.Hint = expression.Aggregate, fmt.Sprintf("write %s(…)", fault.Name)
			fault.Message = fmt.Sprintf("%s is an aggregate and wants brackets", fault.Name)
			break
		}
		if in.Open || hasField(in.Fields, fault.Name) {
			hint := overListMeant(e.Expr.Text, fault.Offset, fault.Name)
			if hint == "" {
				hint = fmt.Sprintf("first(%s) or add it to key", fault.Name)
			}
			k.at(e.Expr.Node, fault.Offset, fault.End, spec.Diagnostic{Rule: "TM117", Severity: spec.Error, Node: k.Name,
				Message: fmt.Sprintf("%q is not aggregated and not in key", fault.Name), Hint: hint})
			return
		}
		for _, f := range in.Fields {
			if near, ok := spec.Nearest(fault.Name, []string{f.Name}); ok {
				fault.Hint = fmt.Sprintf("did you mean an aggregate of %s, such as first(%s)?", near, near)
			}
		}
	case expression.UnknownFunction:
		near, ok := spec.Nearest(fault.Name, aggregateNames())
		if ok && !strings.HasPrefix(fault.Hint, "write ") { // coalesce is known, and not collect
			fault.Hint = "did you mean " + near + "()?"
		}
	}
	k.expressionError(k.Block, "aggregate", e.Expr.Node, 0, fault)
}

// call compiles one aggregate call.
func (k *block) call(e spec.NamedExpr, call expression.Call) (a Aggregate, typ stream.Type, ok bool) {
	kind, found := agg.Lookup(call.Name)
	if !found {
		k.unknownAggregate(e, call)
		k.arguments(e, call, nil)
		return a, typ, false
	}
	a = Aggregate{Kind: kind, Field: e.Name, Text: call.Name + "(" + strings.Join(call.Args, ", ") + ")"}
	if e.Expr.Node.Secret() {
		a.Text = call.Name + "(…)" // any part of it may have come from the environment
	}
	if err := arity(kind, len(call.Args)); err != nil {
		k.at(e.Expr.Node, call.Offset, call.Offset+len(call.Name), spec.Diagnostic{Rule: "TM111", Severity: spec.Error, Node: k.Name,
			Message: err.Error(), Hint: "for example " + kind.Example.Call})
		k.arguments(e, call, nil)
		return a, typ, false
	}
	bound, values := k.bindConstants(e, call, kind)
	if bound == nil {
		k.arguments(e, values, nil)
		return a, typ, false
	}
	a.Kind = bound
	if !k.arguments(e, values, &a) {
		return a, typ, false
	}
	return a, kind.ResultType(a.Types), true
}

// arguments compiles a call's arguments into a; without a it only checks them.
func (k *block) arguments(e spec.NamedExpr, call expression.Call, a *Aggregate) bool {
	scope, whole := k.pre.scope(), true
	for i, text := range call.Args {
		at := call.ArgOffsets[i]
		p, err := expression.Compile(text, scope)
		if err != nil {
			k.expressionError(k.Block, "aggregate", e.Expr.Node, at, err)
			whole = false
			continue
		}
		k.warnings(k.Block, e.Expr.Node, at, p, scope)
		if a == nil {
			continue
		}
		if rule, message := argumentFault(a.Kind, i, len(call.Args), p.Type()); message != "" {
			k.at(e.Expr.Node, at, at+len(text), spec.Diagnostic{Rule: rule, Severity: spec.Error, Node: k.Name,
				Message: message, Hint: argumentHint(a.Kind, call, i, p.Type())})
			whole = false
			continue
		}
		k.constantText(e, call, i, p, scope)
		a.Types = append(a.Types, p.Type())
		a.Args = append(a.Args, k.pre.compute(Step{Clause: "aggregate", Field: e.Name, Program: p, Node: e.Expr.Node}))
	}
	return whole
}

// argumentHint says what would suit in the place of argument i.
func argumentHint(kind *agg.Kind, call expression.Call, i int, t stream.Type) string {
	if t.Kind == stream.String && (!kind.Conditional || i < len(call.Args)-1) && kind.Accepts(i, stream.Type{Kind: stream.Float}) {
		return fmt.Sprintf("float(%s) makes a number of a text; where the schema says string, it can say float or int", call.Args[i])
	}
	return "for example " + kind.Example.Call
}

// constantText warns of a text in the place of a field.
func (k *block) constantText(e spec.NamedExpr, call expression.Call, i int, p *expression.Program, in scope) {
	v, _ := p.Constant()
	text, ok := v.(string)
	if !ok {
		return
	}
	d := spec.Diagnostic{Rule: "TM120", Severity: spec.Warning, Node: k.Name,
		Message: fmt.Sprintf("%s is a text, the same for every record", call.Args[i]), Hint: "a field has no quotes"}
	if near, ok := spec.Nearest(text, names(in.Fields)); ok && !e.Expr.Node.Secret() {
		if !isName(near) {
			near = fmt.Sprintf("row[%q]", near)
		}
		d.Hint = "a field has no quotes: " + near
	}
	k.at(e.Expr.Node, call.ArgOffsets[i], call.ArgOffsets[i]+len(call.Args[i]), d)
}

// argumentFault says what is wrong with the type of argument i of n.
func argumentFault(kind *agg.Kind, i, n int, t stream.Type) (rule, message string) {
	switch {
	case !known(t):
	case kind.Conditional && i == n-1 && t.Kind != stream.Bool:
		return "TM113", fmt.Sprintf("the condition of %s gives %s, wants true or false", kind.Name, kindOf(t))
	case !kind.Accepts(i, t):
		return "TM112", fmt.Sprintf("%s can't use %s", kind.Name, kindOf(t))
	}
	return "", ""
}

// arity checks the number of a call's arguments.
func arity(kind *agg.Kind, n int) error {
	if n >= kind.MinArgs && n <= kind.MaxArgs {
		return nil
	}
	want, noun := itoa(kind.MinArgs), "arguments"
	if kind.MaxArgs > kind.MinArgs {
		want += " to " + itoa(kind.MaxArgs)
	} else if kind.MinArgs == 1 {
		noun = "argument"
	}
	return fmt.Errorf("%s takes %s %s, got %d", kind.Name, want, noun, n)
}
