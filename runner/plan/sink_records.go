package plan

import (
	"slices"
	"strings"

	"tidemark/io/codec"
	"tidemark/operators/expression"
	"tidemark/spec"
	"tidemark/stream"
)

// keyed finds out what is beside the value of the records that a sink writes: their key and their headers.
func (c *compiler) keyed(b *spec.Block, s *Sink, o sinkOptions) {
	records := writesRecords(s.Kind)
	if s.Upsert && o.Key == nil {
		c.report("TM307", spec.Error, c.option(b, "mode"), spec.Diagnostic{Node: b.Name,
			Message: "upsert needs key: a row replaces the one with the same key", Hint: c.keyHint(s)})
	}
	if o.Key != nil && (records || s.Upsert) {
		c.sinkKeys(b, s, o.Key)
	}
	if o.Headers != nil && records {
		c.headers(b, s, o.Headers)
	}
}

// keyHint proposes a key for a sink: what tells apart the rows that it reads.
func (c *compiler) keyHint(s *Sink) string {
	for _, in := range s.Inputs {
		if t := c.windowedBehind(in); t != nil {
			if names := identity(t); len(names) > 0 {
				return "key: " + flow(names)
			}
		}
	}
	return "key: [user], the fields that tell rows apart"
}

// sinkKeys compiles the `key` of a sink for each of its inputs: one name, whose text is the key, or a list of names,
// which becomes an object.
func (c *compiler) sinkKeys(b *spec.Block, s *Sink, n *spec.Node) {
	if n.Unset {
		return
	}
	if n.Kind == spec.Map || n.Kind == spec.List && len(n.Items) == 0 {
		c.report("TM006", spec.Error, n, spec.Diagnostic{Node: b.Name, Message: `the "key" of a sink wants the name of a field, or a list of names`, Hint: "key: [user, window_start]"})
		return
	}
	list, found := spec.DecodeExprs(n, "key", true)
	c.add(b.Name, found)
	if len(found) > 0 {
		return
	}
	for _, in := range s.Inputs {
		var key SinkKey
		for _, e := range list {
			if path := c.keyPath(b, in, e.Expr); path != nil {
				key.Columns = append(key.Columns, in.Column(path))
			}
		}
		if len(key.Columns) == len(list) && n.Kind == spec.List {
			key.Object = &codec.Layout{Base: -1}
			for i, e := range list {
				key.Object.Fields = append(key.Object.Fields, codec.LayoutField{Name: e.Name, Column: key.Columns[i]})
			}
		}
		s.Keys = append(s.Keys, key)
	}
}

// keyPath gives the path that a name in a sink's key stands for, nil where an input has no such field.
func (c *compiler) keyPath(b *spec.Block, in *Output, e spec.Expr) stream.Path {
	if !e.Known() {
		return nil
	}
	p, err := expression.Compile(e.Text, newStageBuilder(&Stage{}, in).scope())
	if err != nil {
		c.once(func() { c.expressionError(b, "key", e.Node, 0, err) })
		return nil
	}
	if !bare(p) {
		c.once(func() {
			c.report("TM006", spec.Error, e.Node, spec.Diagnostic{Node: b.Name, Message: e.Node.Quote() + " is no field", Hint: "compute it in a transform, and name it here"})
		})
		return nil
	}
	return p.Uses()[0]
}

// headers compiles the `headers` of a sink for each of its inputs.
func (c *compiler) headers(b *spec.Block, s *Sink, n *spec.Node) {
	list, found := spec.DecodeExprs(n, "headers", false)
	c.add(b.Name, found)
	for _, e := range list {
		s.HeaderNames = append(s.HeaderNames, e.Name)
	}
	if len(list) == 0 {
		return
	}
	for _, in := range s.Inputs {
		var stage Stage
		var slots []int
		build := newStageBuilder(&stage, in)
		for _, e := range list {
			slots = append(slots, c.header(b, build, e))
		}
		s.Headers, s.HeaderSlots = append(s.Headers, stage), append(s.HeaderSlots, slots)
	}
}

// header gives the slot of a header's value.
func (c *compiler) header(b *spec.Block, build *stageBuilder, e spec.NamedExpr) int {
	var p *expression.Program
	if e.Expr.Known() {
		c.once(func() { p = c.program(b, "headers", e.Expr.Node, e.Expr.Text, build.scope()) })
	}
	if p == nil {
		return build.nothing()
	}
	return build.compute(Step{Clause: "headers", Field: e.Name, Program: p, Node: e.Expr.Node})
}

// once does a check that is made for several inputs. What it finds twice at one place is reported once.
func (c *compiler) once(check func()) {
	before := len(c.diags)
	check()
	found := c.diags[before:]
	c.diags = c.diags[:before:before]
	for _, d := range found {
		if !slices.ContainsFunc(c.diags, func(have spec.Diagnostic) bool {
			return have.Rule == d.Rule && have.Line == d.Line && have.Column == d.Column
		}) {
			c.diags = append(c.diags, d)
		}
	}
}

// windowedBehind gives the transform with a window whose rows an output has, be it behind others without; nil where
// there is none, or more than one.
func (c *compiler) windowedBehind(o *Output) *Transform {
	_, t := c.maker(o)
	switch {
	case t == nil || o.Port != stream.Main:
		return nil
	case t.Window != nil:
		return t
	case len(t.Inputs) == 1:
		return c.windowedBehind(t.Inputs[0])
	}
	return nil
}

// identity names the fields that tell the rows of a windowed transform apart.
func identity(t *Transform) []string {
	names := slices.Clone(t.Window.KeyNames)
	if t.Window.Bounds {
		names = append(names, "window_start")
	}
	return names
}

// flow writes names as a list of YAML.
func flow(names []string) string { return "[" + strings.Join(names, ", ") + "]" }
