package plan

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/spec"
	"tidemark/stream"
)

// facts names what there is below meta in a source's records.
func (s *Source) facts() []string {
	names := []string{"file", "line", "partition"}
	if records, ok := s.Options.(connector.RecordSource); ok {
		names = nil
		for _, name := range records.Facts() {
			names = append(names, strings.TrimSuffix(name, "."))
		}
	}
	if s.Main.EventTime {
		names = append(names, "event_time")
	}
	return names
}

// factNames gives all names that there are below meta: what any source, the engine or a window knows of records.
var factNames = sync.OnceValue(func() []string {
	names := append(slices.Clone(metaFacts), lateFacts...)
	for _, k := range connector.Kinds(connector.SourceRole) {
		if records, ok := k.New().(connector.RecordSource); ok {
			for _, name := range records.Facts() {
				names = append(names, strings.TrimSuffix(name, "."))
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
})

// merged gives the names that are in either list, each once.
func merged(a, b []string) []string {
	a = slices.Clone(a)
	for _, name := range b {
		if !contains(a, name) {
			a = append(a, name)
		}
	}
	return a
}

// withMeta makes the records of a sink end with what is known of them beside their fields.
func (c *compiler) withMeta(b *spec.Block, s *Sink) {
	n := c.option(b, "with_meta")
	if s.Kind.Typed || s.Format == "table" || s.Format == CSV {
		what := s.Kind.Name
		if s.Format != "" {
			what = "format: " + s.Format
		}
		c.report("TM009", spec.Error, n, spec.Diagnostic{Node: b.Name, Message: fmt.Sprintf(`"with_meta" does not go with %s, whose columns are fields`, what),
			Hint: "select the facts by name: {file: meta.file}"})
		return
	}
	for i, in := range s.Inputs[:len(s.Layouts)] {
		if in.Port != stream.Dirty { // whose records have a field meta
			s.Layouts[i] = in.describe(s.Layouts[i])
		}
	}
}

// describe adds the facts of an output's records to their layout.
func (o *Output) describe(l codec.Layout) codec.Layout {
	for i := range l.Choices {
		l.Choices[i] = o.describe(l.Choices[i])
	}
	if len(l.Choices) > 0 {
		return l
	}
	for _, name := range o.facts {
		l.Meta = append(l.Meta, codec.LayoutField{Name: name, Column: o.Column(stream.Path{stream.Meta, name})})
	}
	return l
}
