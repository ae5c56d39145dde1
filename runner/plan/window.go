package plan

import (
	"fmt"
	"strings"

	"tidemark/io/codec"
	"tidemark/operators/agg"
	"tidemark/operators/expression"
	"tidemark/operators/window"
	"tidemark/spec"
	"tidemark/stream"
)

type scope = expression.Scope

// window finishes a block with a window: keys and aggregate arguments before it, expressions over aggregates
// and having behind it.
func (k *block) window() {
	t := k.t
	w := &Window{Node: k.o.Window}
	t.Window = w
	w.Spec, w.Bounds = k.windowSpec()
	if k.o.AllowedLateness != nil {
		w.Lateness = *k.o.AllowedLateness
	}
	if k.Node.Get("aggregate") == nil {
		k.report("TM005", spec.Error, k.o.Window, spec.Diagnostic{Node: k.Name,
			Message: fmt.Sprintf("the window of %q needs aggregate", k.Name), Hint: "aggregate: {n: count()}"})
	}
	keys := k.keys()
	result := &Output{Node: k.Name, Fields: keys, EventTime: true}
	if w.Bounds {
		for _, name := range []string{"window_start", "window_end"} {
			result.Fields = append(result.Fields, stream.Field{Name: name, Type: stream.Type{Kind: stream.Instant}})
		}
	}
	k.post = newStageBuilder(&t.Finish, result)
	k.post.closed = true
	result.column = func(stream.Path) int { return 0 }
	for i, f := range result.Fields {
		k.post.set(f.Name, k.post.loadColumn(i), f.Type)
	}
	k.aggregates(result)
	k.having()
	k.finish(t.Main, k.post)
	t.Main.EventTime = true
	t.Main.column = func(path stream.Path) int {
		if len(path) == 2 && path[0] == "meta" && path[1] == "event_time" {
			return k.post.fact("event_time")
		}
		if len(path) > 0 && path[0] == "meta" {
			return k.post.nothing()
		}
		return k.post.column(path)
	}
	k.late()
	if t.Dirty.Readers > 0 {
		l := codec.Layout{Base: -1}
		for i, f := range result.Fields {
			if i < len(keys)+2 || !w.Bounds {
				l.Fields = append(l.Fields, codec.LayoutField{Name: f.Name, Column: i})
			}
		}
		t.ResultRecord = &l
	}
}

// windowOptions is the `window` clause.
type windowOptions struct {
	Tumbling *spec.Duration `spec:"tumbling"`
	Sliding  *spec.Duration `spec:"sliding"`
	Session  *spec.Duration `spec:"session"`
	Every    *spec.Duration `spec:"every"`
	Offset   *spec.Duration `spec:"offset"`
	Global   *bool          `spec:"global"`
	Calendar *spec.Node     `spec:"calendar"`
	Timezone *spec.Node     `spec:"timezone"`
	Time     string         `spec:"time"`
}

// windowSpec reads the window; bounds says whether its results have window_start and window_end.
func (k *block) windowSpec() (s window.Spec, bounds bool) {
	n := k.o.Window
	if n == nil || n.Kind == spec.Scalar && n.Text == "global" {
		return window.Global{}, false
	}
	var o windowOptions
	if n.Kind != spec.Map {
		k.report("TM006", spec.Error, n, spec.Diagnostic{Node: k.Name, Message: `"window" wants a map, got ` + n.Quote(), Hint: "window: {tumbling: 1m}"})
		return window.Global{}, false
	}
	k.diags = append(k.diags, spec.Decode(n, &o, spec.DecodeOptions{What: fmt.Sprintf("window of %q", k.Name), Node: k.Name})...)
	k.refuseWindow(o)
	var kinds []string
	s = window.Global{}
	for _, kind := range []struct {
		name  string
		given bool
		make  func() window.Spec
	}{
		{"tumbling", o.Tumbling != nil, func() window.Spec { return window.Tumbling{Size: ms(o.Tumbling), Offset: ms(o.Offset)} }},
		{"sliding", o.Sliding != nil, func() window.Spec {
			return window.Sliding{Size: ms(o.Sliding), Every: ms(o.Every), Offset: ms(o.Offset)}
		}},
		{"session", o.Session != nil, func() window.Spec { return window.Session{Gap: ms(o.Session)} }},
		{"global", o.Global != nil && *o.Global, func() window.Spec { return window.Global{} }},
	} {
		if kind.given {
			kinds = append(kinds, kind.name)
			s = kind.make()
		}
	}
	switch {
	case len(kinds) > 1:
		k.report("TM009", spec.Error, n, spec.Diagnostic{Node: k.Name, Message: strings.Join(kinds, " and ") + " cannot both be given", Hint: "a window is of one kind"})
	case len(kinds) == 0 && o.Calendar == nil:
		k.report("TM005", spec.Error, n, spec.Diagnostic{Node: k.Name, Message: "the window has no kind", Hint: "window: {tumbling: 1m}, {sliding: 10m, every: 1m}, {session: 30m} or global"})
	case len(kinds) == 1:
		k.windowSteps(n, o, kinds[0])
	}
	_, global := s.(window.Global)
	return s, !global
}

// ms gives a duration that may be left out.
func ms(d *spec.Duration) int64 {
	if d == nil {
		return 0
	}
	return int64(*d)
}

// windowSteps says where every and offset are missing or don't belong.
func (k *block) windowSteps(n *spec.Node, o windowOptions, kind string) {
	if kind == "sliding" && o.Every == nil {
		k.report("TM005", spec.Error, n, spec.Diagnostic{Node: k.Name, Message: `a sliding window needs "every"`, Hint: fmt.Sprintf("window: {sliding: %s, every: 10s}", n.Get("sliding").Text)})
	}
	if kind != "sliding" && o.Every != nil {
		k.report("TM009", spec.Error, n.Get("every"), spec.Diagnostic{Node: k.Name, Message: `"every" belongs to a sliding window`, Hint: "window: {sliding: 10m, every: 1m}"})
	}
	if kind != "sliding" && kind != "tumbling" && o.Offset != nil {
		k.report("TM009", spec.Error, n.Get("offset"), spec.Diagnostic{Node: k.Name, Message: `"offset" belongs to a tumbling or sliding window`, Hint: "remove it"})
	}
}

// keys compiles `key` and gives the key fields.
func (k *block) keys() []stream.Field {
	w := k.t.Window
	if k.o.Key == nil {
		return nil
	}
	list, found := namedExprs(k.o.Key, "key", k.Name)
	k.diags = append(k.diags, found...)
	scope := k.pre.scope()
	var fields []stream.Field
	for _, e := range list {
		slot, typ := k.pre.nothing(), stream.Type{Null: true}
		if p := k.program(k.Block, "key", e.Expr.Node, e.Expr.Text, scope); p != nil {
			slot, typ = k.pre.compute(Step{Clause: "key", Field: e.Name, Program: p, Node: e.Expr.Node}), p.Type()
		}
		w.Keys, w.KeyNames = append(w.Keys, slot), append(w.KeyNames, e.Name)
		k.unique(fields, e)
		fields = append(fields, stream.Field{Name: e.Name, Type: typ})
	}
	return fields
}

// unique reports a result field whose name is taken.
func (k *block) unique(fields []stream.Field, e spec.NamedExpr) {
	if hasField(fields, e.Name) {
		k.report("TM002", spec.Error, nil, spec.Diagnostic{Line: e.Pos.Line, Column: e.Pos.Column, EndColumn: e.Pos.Column + len(e.Name), Node: k.Name,
			Message: fmt.Sprintf("the result has two fields %q", e.Name), Hint: "key fields, window_start, window_end and aggregates share their names: rename one"})
	}
}

// aggregates compiles `aggregate`: the calls' arguments before the window, the rest behind it.
func (k *block) aggregates(result *Output) {
	for _, e := range k.o.Aggregate {
		if !e.Expr.Known() {
			continue
		}
		k.unique(result.Fields[:k.declared(result)], e)
		k.unique(k.post.fields()[k.declared(result):], e)
		first := len(k.t.Window.Aggregates)
		post, calls, err := expression.SplitAggregates(e.Expr.Text, isAggregate, first)
		if err != nil {
			k.expressionError(k.Block, "aggregate", e.Expr.Node, 0, err)
			continue
		}
		inner := scope{Fields: append([]stream.Field{}, k.post.fields()...)}
		for i, call := range calls {
			a, typ, ok := k.call(e, call)
			if !ok {
				typ = stream.Type{Null: true}
			}
			k.t.Window.Aggregates = append(k.t.Window.Aggregates, a)
			name := "agg" + itoa(first+i)
			slot := k.post.loadColumn(k.declared(result) + first + i)
			k.post.hidden(name, slot)
			inner.Fields = append(inner.Fields, stream.Field{Name: name, Type: typ})
		}
		p, err := expression.Compile(post, inner)
		if err != nil {
			k.postError(e, post, err)
			continue
		}
		slot := k.post.compute(Step{Clause: "aggregate", Field: e.Name, Program: p, Node: e.Expr.Node})
		for i := range calls {
			k.post.unhide("agg" + itoa(first+i))
		}
		k.post.set(e.Name, slot, p.Type())
	}
}

// declared gives the number of key fields and bounds.
func (k *block) declared(result *Output) int { return len(result.Fields) }

// postError reports a fault of an expression over aggregates. Its text is ours, so the place is the whole
// expression unless the fault names something that the file has too.
func (k *block) postError(e spec.NamedExpr, post string, err error) {
	shown := *errorOf(err)
	if shown.Offset < len(post) && shown.End <= len(post) && shown.End > shown.Offset {
		word := post[shown.Offset:shown.End]
		if at := strings.Index(e.Expr.Text, word); at >= 0 {
			shown.Offset, shown.End = at, at+len(word)
			k.expressionError(k.Block, "aggregate", e.Expr.Node, 0, &shown)
			return
		}
	}
	shown.Offset, shown.End = 0, len(e.Expr.Text)
	k.expressionError(k.Block, "aggregate", e.Expr.Node, 0, &shown)
}

// call compiles one aggregate call.
func (k *block) call(e spec.NamedExpr, call expression.Call) (a Aggregate, typ stream.Type, ok bool) {
	kind, found := agg.Lookup(call.Name)
	if !found {
		k.unknownAggregate(e, call)
		return a, typ, false
	}
	a = Aggregate{Kind: kind, Text: call.Name + "(" + strings.Join(call.Args, ", ") + ")"}
	if err := arity(kind, len(call.Args)); err != nil {
		k.at(e.Expr.Node, call.Offset, call.Offset+len(call.Name), spec.Diagnostic{Rule: "TM111", Severity: spec.Error, Node: k.Name, Message: err.Error(), Hint: "for example " + kind.Example.Call})
		return a, typ, false
	}
	scope := k.pre.scope()
	for i, text := range call.Args {
		p, err := expression.Compile(text, scope)
		if err != nil {
			k.expressionError(k.Block, "aggregate", e.Expr.Node, call.ArgOffsets[i], err)
			return a, typ, false
		}
		a.Types = append(a.Types, p.Type())
		a.Args = append(a.Args, k.pre.compute(Step{Clause: "aggregate", Field: e.Name, Program: p, Node: e.Expr.Node}))
	}
	return a, kind.ResultType(a.Types), true
}

// having compiles `having`, which speaks of result fields.
func (k *block) having() {
	e := k.o.Having
	if e == nil || !e.Known() {
		return
	}
	if p := k.program(k.Block, "having", e.Node, e.Text, k.post.scope()); p != nil {
		k.post.filter(Step{Clause: "having", Field: "having", Program: p, Node: e.Node})
	}
}

// late makes the late output: the records as they came in, with what the window knows of them.
func (k *block) late() {
	t := k.t
	out := &Output{
		Node: k.Name, Name: k.Name + ".late", Port: stream.Late, Fields: t.From.Fields, Open: t.From.Open,
		Declared: t.From.Declared, EventTime: true, Bounded: t.From.Bounded, Readers: k.readers(k.Name + ".late"),
	}
	add := func(lc LateColumn) int {
		for i, have := range t.LateColumns {
			if have == lc {
				return i
			}
		}
		t.LateColumns = append(t.LateColumns, lc)
		return len(t.LateColumns) - 1
	}
	out.column = func(path stream.Path) int {
		if len(path) == 2 && path[0] == "meta" {
			switch path[1] {
			case "late_by":
				return add(LateColumn{Fact: LateBy})
			case "window_end":
				return add(LateColumn{Fact: WindowEnd})
			}
		}
		return add(LateColumn{Slot: k.pre.load(path)})
	}
	out.layout = func() codec.Layout {
		l := t.From.layoutIn(k.pre)
		if l.Base >= 0 {
			l.Base = add(LateColumn{Slot: l.Base})
		}
		for i := range l.Fields {
			l.Fields[i].Column = add(LateColumn{Slot: l.Fields[i].Column})
		}
		return l
	}
	t.Late = out
}

// arity checks the number of a call's arguments.
func arity(kind *agg.Kind, n int) error {
	if n >= kind.MinArgs && n <= kind.MaxArgs {
		return nil
	}
	want := itoa(kind.MinArgs)
	if kind.MaxArgs > kind.MinArgs {
		want += " to " + itoa(kind.MaxArgs)
	}
	return fmt.Errorf("%s takes %s arguments, got %d", kind.Name, want, n)
}
