package plan

import (
	"fmt"
	"slices"

	"tidemark/io/codec"
	"tidemark/spec"
	"tidemark/stream"
)

// csvSink finds out the columns of a sink of CSV: the fields of its input. Records that come from CSV with the same
// fields, and as they are, are written byte for byte, unless the sink has a form of its own for their times.
func (c *compiler) csvSink(b *spec.Block, s *Sink) {
	if len(s.Inputs) > 1 {
		s.Union = c.union(b, s.Inputs)
		s.Inputs = []*Output{s.Union.Output}
	}
	in := s.Inputs[0]
	l := codec.Layout{Base: -1}
	for _, f := range in.Fields {
		l.Fields = append(l.Fields, codec.LayoutField{Name: f.Name, Column: in.Column(stream.Path{f.Name})})
	}
	timed := s.TimeFormat != codec.RFC3339 && slices.ContainsFunc(in.Fields, func(f stream.Field) bool { return f.Type.Kind == stream.Instant })
	if in.asRead == CSV && !timed {
		l.Base = in.Column(codec.Verbatim)
	}
	s.Layouts = []codec.Layout{l}
	if in.Open && !in.Declared && !in.unsure {
		c.report("TM501", spec.Error, c.option(b, "from"), spec.Diagnostic{Node: b.Name,
			Message: fmt.Sprintf("csv needs columns, and the fields of %q are not known", in.Name),
			Hint:    "select the fields in a transform, as in select: [user, price], or give the source a schema"})
	}
}

// noFormat reports a format where there is nothing to choose.
func (c *compiler) noFormat(b *spec.Block, s *Sink) {
	if s.Format != "" {
		c.report("TM009", spec.Error, c.option(b, "format"), spec.Diagnostic{Node: b.Name, Message: fmt.Sprintf(`"format" does not go with %s`, b.Type), Hint: "remove it, or write type: file"})
	}
}
