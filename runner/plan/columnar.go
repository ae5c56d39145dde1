package plan

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/spec"
	"tidemark/stream"
)

func init() {
	spec.RegisterRule(spec.Rule{ID: "TM501", Group: "connectors", Severity: spec.Error, Fixed: true, Title: "a sink of columns whose columns are not known",
		Text: `A Parquet file has columns of fixed types, and a CSV file has columns with names. They follow from the types of the input: from a schema, from the columns of Parquet files, or from
aggregates whose type does not depend on the data. Where that does not give them, name them in schema on the Parquet sink. What goes into a CSV file needs no types, so selecting fields by name will do.`,
		Fails: `
sources:
  clicks: {type: file, path: clicks.jsonl}
sinks:
  out: {from: clicks, type: parquet, path: out.parquet}
`, Passes: `
sources:
  clicks: {type: file, path: clicks.jsonl}
sinks:
  out: {from: clicks, type: parquet, path: out.parquet, schema: {user: string, price: "float|null"}}
`})
	spec.RegisterRule(spec.Rule{ID: "TM502", Group: "connectors", Severity: spec.Error, Fixed: true, Title: "a column that the input does not give",
		Text: `A column of the sink's schema is missing in the input, is of a type that cannot be written as the one named, or may be null where the
schema says that it is not.`,
		Fails: `
sources:
  clicks: {type: file, path: clicks.jsonl, schema: {site: string}}
sinks:
  out: {from: clicks, type: parquet, path: out.parquet, schema: {site: int}}
`, Passes: `
sources:
  clicks: {type: file, path: clicks.jsonl, schema: {site: string}}
sinks:
  out: {from: clicks, type: parquet, path: out.parquet, schema: {site: string}}
`})
}

// columnar takes the fields of a source from its files, as far as they are there.
func (c *compiler) columnar(s *Source, files connector.Columnar, b *spec.Block) {
	s.Main.Open = false
	for _, option := range append([]string{"schema", "format"}, csvKeys...) {
		if n := b.Node.Get(option); n != nil {
			c.report("TM009", spec.Error, n, spec.Diagnostic{Node: s.Name, Message: fmt.Sprintf("%q does not go with %s", option, b.Type), Hint: "remove it: the source knows its columns"})
		}
	}
	path := b.Node.Get("path")
	if _, ok := s.Options.(connector.Located); ok && (path == nil || path.Unset) {
		s.Main.unsure = true
		return
	}
	fields, err := files.Fields(context.Background(), connector.Environment{Node: s.Name})
	if err == nil {
		s.Main.Fields, s.Main.Declared = fields, true
		return
	}
	s.Main.unsure = true
	located, ok := s.Options.(connector.Located)
	if errors.Is(err, fs.ErrNotExist) || ok && len(located.Missing()) > 0 {
		return // run says so
	}
	c.report("TM508", spec.Error, path, spec.Diagnostic{Node: s.Name, Message: redact(path, err.Error()), Hint: "every file of a source has to be readable"})
}

// typed finds out the columns of a sink that has to know their types: those of its schema, else its input's.
func (c *compiler) typed(b *spec.Block, s *Sink) {
	if len(s.Inputs) > 1 {
		s.Union = c.union(b, s.Inputs)
		s.Inputs = []*Output{s.Union.Output}
	}
	in := s.Inputs[0]
	given := b.Node.Get("schema")
	switch {
	case given == nil && c.unsure():
		return
	case given != nil:
		s.Fields, s.Strict = c.columns(b, given, in), true
		if fixed, ok := s.Options.(connector.WithSchema); ok {
			fixed.SetSchema(s.Fields)
		}
	default:
		s.Fields = in.Fields
		c.derivable(b, in)
	}
	c.partitions(b, s)
	l := codec.Layout{Base: -1}
	for _, f := range s.Fields {
		l.Fields = append(l.Fields, codec.LayoutField{Name: f.Name, Column: in.Column(stream.Path{f.Name})})
	}
	s.Layouts = []codec.Layout{l}
}

// partitions reports names in partition_by that are no column.
func (c *compiler) partitions(b *spec.Block, s *Sink) {
	for _, n := range b.Node.Get("partition_by").List() {
		if n.Kind != spec.Scalar || hasField(s.Fields, n.Text) {
			continue
		}
		d := spec.Diagnostic{Node: b.Name, Message: fmt.Sprintf("partition_by names %s, which is no column", n.Quote()), Hint: "columns here: " + strings.Join(names(s.Fields), ", ")}
		if near, ok := n.Nearest(names(s.Fields)); ok {
			d.Hint, d.Fix = "did you mean "+near+"?", near
		}
		c.report("TM502", spec.Error, n, d)
	}
}

// unsure reports whether the fields of some source are not known, for a reason that is told elsewhere.
func (c *compiler) unsure() bool {
	for _, s := range c.plan.Sources {
		if s.Main.unsure {
			return true
		}
	}
	return false
}

// derivable reports an input whose columns or types are not known.
func (c *compiler) derivable(b *spec.Block, in *Output) {
	var unknown []string
	for _, f := range in.Fields {
		if f.Type.Kind == stream.Any && f.Type.Shape == stream.Unknown {
			unknown = append(unknown, f.Name)
		}
	}
	whole := in.Open && !in.Declared
	if !whole && len(unknown) == 0 {
		return
	}
	message := fmt.Sprintf("%s needs columns of fixed types, and the fields of %q are not known", b.Type, in.Name)
	if !whole {
		message = fmt.Sprintf("%s needs columns of fixed types, and the type of %s is not known", b.Type, strings.Join(unknown, ", "))
	}
	var columns []string
	for _, f := range in.Fields {
		t := f.Type.String()
		if contains(unknown, f.Name) {
			t = "float|null"
		}
		columns = append(columns, fmt.Sprintf("%s: %q", f.Name, t))
	}
	if len(columns) == 0 {
		columns = []string{"user: string", `price: "float|null"`}
	}
	c.report("TM501", spec.Error, c.option(b, "from"), spec.Diagnostic{Node: b.Name, Message: message,
		Hint: "schema: {" + strings.Join(columns, ", ") + "}, or a schema on the source"})
}

// columns reads the schema of a sink and compares it with the input.
func (c *compiler) columns(b *spec.Block, n *spec.Node, in *Output) []stream.Field {
	fields := c.types(b.Name, n)
	for i, f := range fields {
		if n.Kind != spec.Map || i >= len(n.Entries) {
			break
		}
		at := n.Entries[i].Value
		have, known := field(in.Fields, f.Name)
		switch {
		case in.unsure || !known && in.Open && !in.Declared:
		case !known:
			c.report("TM502", spec.Error, at, spec.Diagnostic{Node: b.Name, Message: fmt.Sprintf("column %q is not in %s", f.Name, in.Name),
				Hint: "fields there: " + strings.Join(names(in.Fields), ", ")})
		case !fits(have.Type, f.Type):
			c.report("TM502", spec.Error, at, spec.Diagnostic{Node: b.Name, Message: fmt.Sprintf("column %q is %s, got %s", f.Name, f.Type, have.Type),
				Hint: fmt.Sprintf("%s: %s, or convert it with set", f.Name, have.Type)})
		case have.Type.Null && have.Type.Kind != stream.Any && !f.Type.Null:
			c.report("TM502", spec.Error, at, spec.Diagnostic{Node: b.Name, Message: fmt.Sprintf("column %q is %s, got %s", f.Name, f.Type, have.Type),
				Hint: fmt.Sprintf("%s: \"%s|null\"", f.Name, f.Type)})
		}
	}
	return fields
}

// fits reports whether values of one type can be written as another.
func fits(have, want stream.Type) bool {
	switch {
	case have.Kind == stream.Any && have.Shape == stream.Unknown, want.Kind == stream.Any && want.Shape == stream.Unknown:
		return true
	case have.Kind == stream.Int && want.Kind == stream.Float:
		return true
	}
	return have.Kind == want.Kind && have.Shape == want.Shape
}

func field(fields []stream.Field, name string) (stream.Field, bool) {
	for _, f := range fields {
		if f.Name == name {
			return f, true
		}
	}
	return stream.Field{}, false
}

func names(fields []stream.Field) []string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.Name
	}
	return list
}
