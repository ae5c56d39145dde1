package plan

import (
	"fmt"
	"strings"

	"tidemark/io/codec"
	"tidemark/operators/expression"
	"tidemark/spec"
	"tidemark/stream"
)

// transformOptions are the clauses of a query block.
type transformOptions struct {
	From            *spec.Node     `spec:"from"`
	Where           *spec.Expr     `spec:"where"`
	Set             spec.Exprs     `spec:"set"`
	Select          *spec.Node     `spec:"select"`
	Drop            []string       `spec:"drop"`
	Key             *spec.Node     `spec:"key"`
	Window          *spec.Node     `spec:"window"`
	AllowedLateness *spec.Duration `spec:"allowed_lateness"`
	Aggregate       *spec.Exprs    `spec:"aggregate"`
	Having          *spec.Expr     `spec:"having"`

	Join    *spec.Node `spec:"join,later"`
	Explode *spec.Node `spec:"explode"`
	Emit    *spec.Node `spec:"emit"`
	Dedup   *spec.Node `spec:"dedup,later"`
	Top     *spec.Node `spec:"top,later"`
	Split   *spec.Node `spec:"split"`
}

// block is a transform while it is compiled.
type block struct {
	*compiler
	*spec.Block
	t *Transform
	o transformOptions
	// found is what decoding the clauses found.
	found spec.Diagnostics
	// keysInDoubt says that a fault hides which key fields there are.
	keysInDoubt bool
	// called counts the aggregate calls so far.
	called int
	pre    *stageBuilder
	post   *stageBuilder
}

func (c *compiler) transform(b *spec.Block) {
	t := &Transform{Name: b.Name, Block: b}
	k := &block{compiler: c, Block: b, t: t}
	k.found = spec.Decode(b.Node, &k.o, spec.DecodeOptions{What: fmt.Sprintf("transform %q", b.Name), Node: b.Name})
	c.diags = append(c.diags, k.found...)
	if !b.Node.Has("allowed_lateness") {
		k.o.AllowedLateness = nil // a guess, whose consequences nobody wants to hear of
	}
	k.refuseClauses()
	inputs, whole := c.inputs(b)
	if !whole || c.broken[b.Name] {
		c.broken[b.Name] = true
		inputs = []*Output{anything()}
	}
	t.Inputs = inputs
	t.From = inputs[0]
	if len(inputs) > 1 {
		t.Union = c.union(b, inputs)
		t.From = t.Union.Output
	}
	t.Dirty = dirtyOutput(b.Name, c.readers(b.Name+".dirty"), t.From.Bounded)
	t.Main = &Output{
		Node: b.Name, Name: b.Name, Fields: nil, Bounded: t.From.Bounded,
		EventTime: t.From.EventTime, Readers: c.readers(b.Name), facts: t.From.facts,
	}
	k.pre = newStageBuilder(&t.Prepare, t.From)
	k.clauses()
	if k.windowed() {
		k.window()
	} else {
		k.stateless()
	}
	t.asks = k.pre.asks
	k.emit()
	k.split(k.last())
	if t.Dirty.Readers > 0 {
		l := t.From.layoutIn(k.pre)
		t.Record = &l
	}
	c.plan.Transforms = append(c.plan.Transforms, t)
	if c.broken[b.Name] = c.broken[b.Name] || k.refused(); c.broken[b.Name] {
		return
	}
	c.outputs[b.Name+".dirty"] = t.Dirty
	if t.Split == nil {
		c.outputs[b.Name] = t.Main
	} else {
		for _, o := range t.Split.Outputs {
			c.outputs[o.Name] = o
		}
	}
	if t.Late != nil {
		c.outputs[b.Name+".late"] = t.Late
	}
}

// last gives the stage that makes the block's rows.
func (k *block) last() *stageBuilder {
	if k.post != nil {
		return k.post
	}
	return k.pre
}

// anything stands for an output that could not be made, so that the rest of a block is checked all the same.
func anything() *Output {
	return &Output{
		Open: true, EventTime: true, Bounded: true, unsure: true,
		column: func(stream.Path) int { return 0 },
		layout: func() codec.Layout { return codec.Layout{Base: -1} },
	}
}

func (k *block) windowed() bool {
	return k.o.Window != nil || k.aggregated()
}

// aggregated reports whether the block has an `aggregate`, be it at fault.
func (k *block) aggregated() bool {
	return k.o.Aggregate != nil || k.clause(k.Block, "aggregate") != nil
}

// refused reports whether the block has a clause in the place of `aggregate` that this version does not do.
func (k *block) refused() bool {
	return k.o.Join != nil || k.o.Dedup != nil || k.o.Top != nil || k.o.Emit != nil && !k.emitsAtEnd()
}

// clauses compiles where, set, explode, select and drop.
func (k *block) clauses() {
	if e := k.o.Where; e != nil && e.Known() {
		if p := k.condition(k.Block, "where", e.Node, e.Text, k.pre.scope()); p != nil {
			k.pre.filter(Step{Clause: "where", Field: "where", Program: p, Node: e.Node})
		}
	}
	k.doubt(k.pre, "set")
	for _, e := range k.o.Set {
		k.define(k.pre, "set", e, k.pre.scope())
	}
	k.explode()
	k.selectFields()
	k.dropFields()
}

// dropFields takes the fields of `drop` away. A slip would leave in what should go. Records may have fields that their schema
// does not name, so there it is one only if a field that is named was likely meant.
func (k *block) dropFields() {
	scope := k.pre.scope()
	fields := names(scope.Fields)
	for _, n := range k.clause(k.Block, "drop").List() {
		if n.Kind != spec.Scalar || n.Unset || scope.Open || contains(fields, n.Text) {
			continue
		}
		d := spec.Diagnostic{Node: k.Name, Message: fmt.Sprintf("unknown field `%s` in `drop`", strings.Trim(n.Quote(), `"`))}
		root, _, dotted := strings.Cut(n.Text, ".")
		near, slip := n.Nearest(fields)
		switch {
		case dotted && !n.Secret() && contains(fields, root):
			d.Hint = "drop takes whole fields, such as " + root
		case slip:
			d.Hint, d.Fix = "did you mean `"+near+"`?", near
		case k.pre.closed || !k.pre.input.Open:
			d.Hint = "fields here: " + strings.Join(fields, ", ")
		default:
			continue
		}
		k.report("TM110", spec.Error, n, d)
	}
	for _, name := range k.o.Drop {
		k.pre.remove(name)
	}
}

// doubt notes that a clause which names fields is at fault: what its fields are is not known then.
func (k *block) doubt(s *stageBuilder, clause string) {
	s.unsure = s.unsure || faulty(k.found, k.clause(k.Block, clause))
}

// define compiles a named expression and makes it a field.
func (k *block) define(s *stageBuilder, clause string, e spec.NamedExpr, scope scope) {
	var p *expression.Program
	if e.Expr.Known() {
		p = k.program(k.Block, clause, e.Expr.Node, e.Expr.Text, scope)
	}
	if p == nil {
		s.set(e.Name, s.nothing(), stream.Type{})
		return
	}
	slot := s.compute(Step{Clause: clause, Field: e.Name, Program: p, Node: e.Expr.Node})
	s.set(e.Name, slot, p.Type())
}

// selectFields compiles `select`: a list of names or a map of expressions, all over the fields before it.
func (k *block) selectFields() {
	n := k.o.Select
	if n == nil {
		return
	}
	scope := k.pre.scope()
	list, found := namedExprs(n, "select", k.Name, scope.Fields)
	k.diags = append(k.diags, found...)
	k.pre.unsure = n.Unset || len(found) > 0
	type field struct {
		name string
		slot int
		t    stream.Type
	}
	var fields []field
	for _, e := range list {
		f := field{e.Name, -1, stream.Type{}}
		if p := k.program(k.Block, "select", e.Expr.Node, e.Expr.Text, scope); p != nil {
			f.slot, f.t = k.pre.compute(Step{Clause: "select", Field: e.Name, Program: p, Node: e.Expr.Node}), p.Type()
		} else {
			f.slot = k.pre.nothing()
		}
		fields = append(fields, f)
	}
	k.pre.names, k.pre.order, k.pre.types = map[string]int{}, nil, map[string]stream.Type{}
	k.pre.closed = true
	for _, f := range fields {
		k.pre.set(f.name, f.slot, f.t)
	}
}

// stateless finishes a block without a window: its output is what its stage makes.
func (k *block) stateless() {
	for _, clause := range []string{"key", "allowed_lateness", "having"} {
		if n := k.clause(k.Block, clause); n != nil && !k.refused() {
			k.report("TM005", spec.Error, n, spec.Diagnostic{Node: k.Name,
				Message: fmt.Sprintf("%q needs aggregate", clause), Hint: "aggregate: {n: count()}"})
		}
	}
	k.finish(k.t.Main, k.pre)
}

// finish makes out the output of a stage.
func (k *block) finish(out *Output, s *stageBuilder) {
	out.Fields = s.fields()
	out.Open = !s.closed && s.input.Open
	out.Declared = s.input.Declared
	out.unsure = s.unsure
	out.column = s.column
	out.layout = s.layout
	if !s.closed && len(s.names) == 0 && len(s.drop) == 0 {
		out.asRead = s.input.asRead
	}
}

// layout says how the records that a stage makes are written.
func (s *stageBuilder) layout() codec.Layout {
	if s.closed {
		return s.over(codec.Layout{Base: -1})
	}
	return s.over(s.input.layoutIn(s))
}

// over lays what the stage computes over a layout of its input.
func (s *stageBuilder) over(l codec.Layout) codec.Layout {
	for i := range l.Choices {
		l.Choices[i] = s.over(l.Choices[i])
	}
	if len(l.Choices) > 0 {
		return l
	}
	l.Drop = append(l.Drop, s.drop...)
	kept := l.Fields[:0:0]
	for _, f := range l.Fields {
		if slot, ok := s.names[f.Name]; ok {
			f.Column = slot
		}
		if !contains(s.drop, f.Name) {
			kept = append(kept, f)
		}
	}
	l.Fields = kept
	for _, name := range s.order {
		if !hasLayout(l.Fields, name) {
			l.Fields = append(l.Fields, codec.LayoutField{Name: name, Column: s.names[name]})
		}
	}
	return l
}

// layoutIn gives an output's layout in the slots of a stage that reads it.
func (o *Output) layoutIn(s *stageBuilder) codec.Layout { return o.layout().Columns(s.loadColumn) }

// loadColumn gives a slot with a column of the input.
func (s *stageBuilder) loadColumn(column int) int {
	for i, slot := range s.stage.Slots {
		if slot.From == FromInput && slot.Input == column {
			return i
		}
	}
	return s.add(Slot{From: FromInput, Input: column})
}

func hasLayout(fields []codec.LayoutField, name string) bool {
	for _, f := range fields {
		if f.Name == name {
			return true
		}
	}
	return false
}
