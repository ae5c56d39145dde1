package plan

import (
	"tidemark/operators/expression"
	"tidemark/spec"
	"tidemark/stream"
)

// derived are the fields that a source's block computes from the columns of its connector. A column that nothing names
// is not asked for.
type derived struct {
	*stageBuilder
	columns []stream.Field
}

// derive compiles the fields of a source and gives what they make of it.
func (c *compiler) derive(s *Source) *Output {
	s.Derive = &Stage{}
	from := *s.Main
	from.column = s.column
	d := &derived{newStageBuilder(s.Derive, &from), from.Fields}
	d.closed = true
	c.fields(s, d)
	s.Main.Fields = d.fields()
	out := *s.Main
	out.column = d.column
	return &out
}

// fields compiles the fields that the file names, each over the columns and the fields before it.
func (c *compiler) fields(s *Source, d *derived) {
	n := s.Block.Node.Get("fields")
	if n == nil {
		return
	}
	if !hasField(d.columns, "i") {
		c.report("TM009", spec.Error, n, spec.Diagnostic{Node: s.Name, Message: `"fields" and "nexmark" cannot both be given`, Hint: "the events have their own fields: add others with set in a transform"})
		return
	}
	list, found := spec.DecodeExprs(n, "fields", false)
	c.add(s.Name, found)
	d.unsure = len(found) > 0
	seed := s.Options.(interface{ RandomSeed() *int64 }).RandomSeed()
	number := d.load(stream.Path{"i"})
	for _, e := range list {
		p := (*expression.Program)(nil)
		if e.Expr.Known() {
			scope := d.scope()
			scope.Random = &expression.Random{Seed: seed, Place: e.Name}
			p = c.program(s.Block, "fields", e.Expr.Node, e.Expr.Text, scope)
		}
		if p == nil {
			d.set(e.Name, d.nothing(), stream.Type{})
			continue
		}
		step := Step{Clause: "fields", Field: e.Name, Program: p, Node: e.Expr.Node, Target: d.add(Slot{From: FromStep, Name: e.Name})}
		for _, path := range p.Uses() {
			slot := number
			if !path.Equal(stream.Path{expression.RowNumber}) {
				slot = d.column(path)
			}
			step.Columns = append(step.Columns, slot)
		}
		d.stage.Steps = append(d.stage.Steps, step)
		d.set(e.Name, step.Target, p.Type())
	}
}

// column gives the slot of a path, and sees to it that the columns which it needs are asked for.
func (d *derived) column(path stream.Path) int {
	for _, f := range d.columns {
		if len(path) == 0 || path[0] == f.Name {
			d.ask(f)
		}
	}
	return d.stageBuilder.column(path)
}

// ask makes a column of the connector a field, unless one was computed over it.
func (d *derived) ask(f stream.Field) {
	if !d.has(f.Name) {
		d.set(f.Name, d.load(stream.Path{f.Name}), f.Type)
	}
}

// fields gives the fields in order: the columns, then those that were computed.
func (d *derived) fields() []stream.Field {
	out := make([]stream.Field, 0, len(d.columns)+len(d.order))
	for _, f := range d.columns {
		if d.has(f.Name) {
			f.Type = d.types[f.Name]
		}
		out = append(out, f)
	}
	for _, name := range d.order {
		if !hasField(out, name) {
			out = append(out, stream.Field{Name: name, Type: d.types[name]})
		}
	}
	return out
}

// scope gives what a field's expression may speak of.
func (d *derived) scope() scope {
	return expression.Scope{Fields: d.fields(), Meta: []string{}, Open: d.unsure}
}
