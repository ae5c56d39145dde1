package plan

import (
	"fmt"

	"tidemark/io/codec"
	"tidemark/spec"
	"tidemark/stream"
)

// union makes one output of all inputs of a block.
func (c *compiler) union(b *spec.Block, inputs []*Output) *Union {
	u := &Union{Inputs: inputs}
	out := &Output{Node: b.Name, Name: b.Name, EventTime: true, Bounded: true, Declared: true}
	for _, in := range inputs {
		out.Open = out.Open || in.Open
		out.Declared = out.Declared && (in.Declared || !in.Open)
		out.EventTime = out.EventTime && in.EventTime
		out.Bounded = out.Bounded && in.Bounded
		out.unsure = out.unsure || in.unsure
		out.facts = merged(out.facts, in.facts)
	}
	c.unionFields(b, inputs, out)
	if sameFields(inputs) && sameFormat(inputs) {
		out.asRead = inputs[0].asRead
	}
	out.column = u.column
	out.layout = func() codec.Layout { return u.layout(out) }
	u.Output = out
	return u
}

// sameFields reports whether all outputs have the same fields.
func sameFields(list []*Output) bool {
	for _, o := range list[1:] {
		if len(o.Fields) != len(list[0].Fields) {
			return false
		}
		for i, f := range o.Fields {
			if f.Name != list[0].Fields[i].Name {
				return false
			}
		}
	}
	return true
}

// sameFormat reports whether the records of all outputs were read in the same format.
func sameFormat(list []*Output) bool {
	for _, o := range list[1:] {
		if o.asRead != list[0].asRead {
			return false
		}
	}
	return true
}

// unionFields gives the union the fields of all its inputs. A field that an input is known to lack may be null.
func (c *compiler) unionFields(b *spec.Block, inputs []*Output, out *Output) {
	first := map[string]*Output{}
	for _, in := range inputs {
		for _, f := range in.Fields {
			if from, ok := first[f.Name]; ok {
				c.clash(b, out, from, in, f)
				continue
			}
			first[f.Name] = in
			out.Fields = append(out.Fields, f)
		}
	}
	for i, f := range out.Fields {
		for _, in := range inputs {
			if !hasField(in.Fields, f.Name) {
				out.Fields[i].Type.Null = true
			}
		}
	}
}

// clash merges the type of a field that two inputs have, and reports types that don't go together.
func (c *compiler) clash(reader *spec.Block, out, from, in *Output, f stream.Field) {
	for i := range out.Fields {
		have := &out.Fields[i]
		if have.Name != f.Name {
			continue
		}
		null := have.Type.Null || f.Type.Null
		switch a, b := have.Type.Kind, f.Type.Kind; {
		case a == b && have.Type.Shape == f.Type.Shape:
		case a == stream.Any && have.Type.Shape == stream.Unknown, b == stream.Any && f.Type.Shape == stream.Unknown:
			have.Type = stream.Type{}
		case a == stream.Int && b == stream.Float, a == stream.Float && b == stream.Int:
			have.Type = stream.Type{} // each row keeps its own kind
		default:
			c.report("TM027", spec.Error, reader.Node.Get("from"), spec.Diagnostic{Node: reader.Name,
				Message: fmt.Sprintf("field %q is %s in %s and %s in %s", f.Name, have.Type, from.Name, f.Type, in.Name),
				Hint:    "make them one type with set, or rename one"})
		}
		have.Type.Null = null
	}
}

// column gives the union's column of a path.
func (u *Union) column(path stream.Path) int {
	columns := make([]int, len(u.Inputs))
	for i, in := range u.Inputs {
		columns[i] = in.Column(path)
	}
	return u.add(columns)
}

// add gives the union's column that has the given column of each input.
func (u *Union) add(columns []int) int {
	for i, have := range u.Columns {
		if equal(have, columns) {
			return i
		}
	}
	u.Columns = append(u.Columns, columns)
	return len(u.Columns) - 1
}

// layout says how the union's records are written: as those of the input that they came from. Where all inputs have
// the same fields that is one layout for all.
func (u *Union) layout(out *Output) codec.Layout {
	if !out.Open && sameFields(u.Inputs) {
		l := codec.Layout{Base: -1}
		for _, f := range out.Fields {
			l.Fields = append(l.Fields, codec.LayoutField{Name: f.Name, Column: u.column(stream.Path{f.Name})})
		}
		return l
	}
	l := codec.Layout{Base: -1, Choice: u.add(u.each(func(int) int { return FromNumber }))}
	for i, in := range u.Inputs {
		l.Choices = append(l.Choices, in.Layout().Columns(func(column int) int {
			return u.add(u.each(func(j int) int {
				if i == j {
					return column
				}
				return FromNowhere
			}))
		}))
	}
	return l
}

// each makes a column of the union from what f gives for each input.
func (u *Union) each(f func(input int) int) []int {
	columns := make([]int, len(u.Inputs))
	for i := range columns {
		columns[i] = f(i)
	}
	return columns
}

func equal(a, b []int) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return len(a) == len(b)
}
