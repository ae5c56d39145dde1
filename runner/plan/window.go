package plan

import (
	"fmt"
	"unicode/utf8"

	"tidemark/io/codec"
	"tidemark/operators/expression"
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
	k.idleLateness()
	if !k.aggregated() && !k.refused() {
		k.report("TM005", spec.Error, k.o.Window, spec.Diagnostic{Node: k.Name,
			Message: fmt.Sprintf("the window of %q needs aggregate", k.Name), Hint: "aggregate: {n: count()}"})
	}
	keys := k.keys()
	result := &Output{Node: k.Name, Fields: keys, EventTime: true}
	result.Fields = append(result.Fields, boundFields(w.Bounds)...)
	k.post = newStageBuilder(&t.Finish, result)
	k.post.closed, k.post.unsure = true, k.keysInDoubt
	result.column = func(stream.Path) int { return 0 }
	for i, f := range result.Fields {
		k.post.set(f.Name, k.post.loadColumn(i), f.Type)
	}
	k.doubt(k.post, "aggregate")
	k.aggregates(result)
	k.having()
	k.finish(t.Main, k.post)
	t.Main.EventTime, t.Main.facts = w.Bounds, nil
	if w.Bounds {
		t.Main.facts = []string{"event_time"}
	}
	t.Main.column = func(path stream.Path) int {
		if len(path) == 2 && path[0] == stream.Meta && path[1] == "event_time" {
			return k.post.fact("event_time")
		}
		if len(path) > 0 && path[0] == stream.Meta {
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

// boundFields are the fields that say when a window began and ended.
func boundFields(bounds bool) []stream.Field {
	if !bounds {
		return nil
	}
	instant := stream.Type{Kind: stream.Instant}
	return []stream.Field{{Name: "window_start", Type: instant}, {Name: "window_end", Type: instant}}
}

// keys compiles `key` and gives the key fields.
func (k *block) keys() []stream.Field {
	w := k.t.Window
	if k.o.Key == nil {
		return nil
	}
	scope := k.pre.scope()
	list, found := namedExprs(k.o.Key, "key", k.Name, scope.Fields)
	k.diags = append(k.diags, found...)
	k.keysInDoubt = k.o.Key.Unset || len(found) > 0
	var fields []stream.Field
	for _, e := range list {
		slot, typ := k.pre.nothing(), stream.Type{}
		if p := k.program(k.Block, "key", e.Expr.Node, e.Expr.Text, scope); p != nil {
			slot, typ = k.pre.compute(Step{Clause: "key", Field: e.Name, Program: p, Node: e.Expr.Node}), p.Type()
			w.keyed = append(w.keyed, keyExpression{p, e.Expr.Node})
			k.unique(append(boundFields(w.Bounds), fields...), e)
		}
		w.Keys, w.KeyNames = append(w.Keys, slot), append(w.KeyNames, e.Name)
		fields = append(fields, stream.Field{Name: e.Name, Type: typ})
	}
	return fields
}

// unique reports a result field whose name is taken.
func (k *block) unique(fields []stream.Field, e spec.NamedExpr) {
	if hasField(fields, e.Name) {
		k.report("TM002", spec.Error, nil, spec.Diagnostic{Line: e.Pos.Line, Column: e.Pos.Column, EndColumn: e.Pos.Column + utf8.RuneCountInString(e.Name), Node: k.Name,
			Message: fmt.Sprintf("the result has two fields %q", e.Name), Hint: "key fields, window_start, window_end and aggregates share their names: rename one"})
	}
}

// having compiles `having`, which speaks of result fields.
func (k *block) having() {
	e := k.o.Having
	if e == nil || !e.Known() {
		return
	}
	if p := k.condition(k.Block, "having", e.Node, e.Text, k.post.scope()); p != nil {
		k.post.filter(Step{Clause: "having", Field: "having", Program: p, Node: e.Node})
	}
}

// lateFacts are what a window knows of late records.
var lateFacts = []string{"late_by", "window_end"}

// late makes the late output: the records as they came in, with what the window knows of them.
func (k *block) late() {
	t := k.t
	from, build, behind := k.entered()
	out := &Output{
		Node: k.Name, Name: k.Name + ".late", Port: stream.Late, Fields: from.Fields, Open: from.Open,
		Declared: from.Declared, EventTime: true, Bounded: from.Bounded, Readers: k.readers(k.Name + ".late"), unsure: from.unsure, asRead: from.asRead,
		facts: merged(from.facts, lateFacts),
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
		if len(path) == 2 && path[0] == stream.Meta {
			switch path[1] {
			case "late_by":
				return add(LateColumn{Fact: LateBy})
			case "window_end":
				return add(LateColumn{Fact: WindowEnd})
			}
		}
		return add(LateColumn{Slot: behind(build.load(path))})
	}
	out.layout = func() codec.Layout {
		return from.layoutIn(build).Columns(func(slot int) int { return add(LateColumn{Slot: behind(slot)}) })
	}
	t.Late = out
}
