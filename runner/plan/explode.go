package plan

import (
	"fmt"
	"strings"

	"tidemark/io/codec"
	"tidemark/spec"
	"tidemark/stream"
)

// Explode makes a record of each element of a list, between `set` and the clauses behind it.
type Explode struct {
	// Stage does the clauses in front of it. Its slots, repeated for each element, are the columns of what the
	// transform's Prepare stage reads.
	Stage Stage
	// List is the slot with the list, Element the one that takes an element, in the field Name.
	List, Element int
	Name          string
	// Step says for dirty records where it was written.
	Step Step
	// Record writes the record as it came in, for the dirty output; nil where nobody reads it.
	Record *codec.Layout
	// from is what the transform reads, and build makes Stage.
	from  *Output
	build *stageBuilder
}

// explode compiles `explode`. What is compiled after it reads the records of the elements.
func (k *block) explode() {
	n := k.o.Explode
	if n == nil || n.Unset {
		return
	}
	list, found := namedExprs(n, "explode", k.Name, k.pre.scope().Fields)
	k.diags = append(k.diags, found...)
	if len(list) != 1 {
		if len(found) == 0 {
			k.report("TM006", spec.Error, n, spec.Diagnostic{Node: k.Name,
				Message: fmt.Sprintf(`"explode" wants the name of one list, got %d`, len(list)), Hint: "explode: items"})
		}
		k.pre.unsure = true
		return
	}
	e := list[0]
	name := e.Name
	if n.Kind != spec.Map {
		name = name[strings.LastIndexByte(name, '.')+1:]
	}
	x := &Explode{Name: name, List: k.pre.nothing(), Step: Step{Clause: "explode", Field: name, Node: e.Expr.Node}}
	if p := k.program(k.Block, "explode", e.Expr.Node, e.Expr.Text, k.pre.scope()); p != nil {
		if t := p.Type(); known(t) && t.Shape != stream.List {
			k.report("TM112", spec.Error, e.Expr.Node, spec.Diagnostic{Node: k.Name,
				Message: fmt.Sprintf(`"explode" wants a list, %s is %s`, e.Expr.Node.Quote(), kindOf(t)), Hint: "explode: items"})
		}
		x.Step.Program = p
		x.List = k.pre.compute(x.Step)
	}
	x.Element = k.pre.add(Slot{From: FromNothing, Name: name})
	k.exploded(x)
}

// exploded puts a stage of its own behind an explode.
func (k *block) exploded(x *Explode) {
	before := k.pre
	x.Stage = *before.stage
	before.stage = &x.Stage
	x.from, x.build = k.t.From, before
	if k.t.Dirty.Readers > 0 {
		l := k.t.From.layoutIn(before)
		x.Record = &l
	}
	elements := &Output{Node: k.Name, Name: k.Name, EventTime: k.t.From.EventTime, Bounded: k.t.From.Bounded}
	k.finish(elements, before)
	elements.Fields = withField(elements.Fields, stream.Field{Name: x.Name, Type: stream.Type{Null: true}})
	elements.column = func(path stream.Path) int {
		if len(path) > 0 && path[0] == x.Name {
			return x.Element
		}
		return before.column(path)
	}
	elements.layout = func() codec.Layout { return withColumn(before.layout(), x.Name, x.Element) }
	k.t.Explode, k.t.From, k.t.Prepare = x, elements, Stage{}
	k.pre = newStageBuilder(&k.t.Prepare, elements)
	k.pre.set(x.Name, k.pre.loadColumn(x.Element), stream.Type{Null: true})
}

// entered gives what the block reads, and how a slot of its first stage is found behind an explode.
func (k *block) entered() (from *Output, build *stageBuilder, behind func(slot int) int) {
	if x := k.t.Explode; x != nil {
		return x.from, x.build, k.pre.loadColumn
	}
	return k.t.From, k.pre, func(slot int) int { return slot }
}

// withField puts a field in the place of the one of its name, or behind all.
func withField(fields []stream.Field, f stream.Field) []stream.Field {
	for i := range fields {
		if fields[i].Name == f.Name {
			fields[i] = f
			return fields
		}
	}
	return append(fields, f)
}

// withColumn makes a column the value of a field.
func withColumn(l codec.Layout, name string, column int) codec.Layout {
	for i := range l.Choices {
		l.Choices[i] = withColumn(l.Choices[i], name, column)
	}
	if len(l.Choices) > 0 {
		return l
	}
	for i := range l.Fields {
		if l.Fields[i].Name == name {
			l.Fields[i].Column = column
			return l
		}
	}
	l.Fields = append(l.Fields, codec.LayoutField{Name: name, Column: column})
	return l
}
