package plan

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/spec"
	"tidemark/stream"
)

// sinkOptions are the options of every sink, whatever its type.
type sinkOptions struct {
	From       *spec.Node `spec:"from"`
	Format     *spec.Node `spec:"format"`
	Mode       string     `spec:"mode"`
	Key        *spec.Node `spec:"key"`
	Headers    *spec.Node `spec:"headers"`
	TimeFormat string     `spec:"time_format"`
	WithMeta   bool       `spec:"with_meta"`
}

var timeFormats = map[string]codec.TimeFormat{
	"": codec.RFC3339, "rfc3339": codec.RFC3339, "ms": codec.Milliseconds, "s": codec.Seconds,
}

func (c *compiler) sink(b *spec.Block) {
	s := &Sink{Name: b.Name, Block: b}
	c.plan.Sinks = append(c.plan.Sinks, s)
	s.Kind, s.Options = c.connector(b, connector.SinkRole, commonSink)
	var o sinkOptions
	c.decode(b, &o)
	c.refuseSink(b, o)
	if o.Format != nil && s.Kind != nil {
		s.Format = o.Format.Text
		if !contains(s.Kind.Formats, s.Format) && len(s.Kind.Formats) > 0 {
			c.choice(b, "format", s.Kind.Formats)
		}
	}
	if f, ok := timeFormats[o.TimeFormat]; ok {
		s.TimeFormat = f
	} else {
		c.choice(b, "time_format", []string{"rfc3339", "ms", "s"})
	}
	if o.Mode != "" && o.Mode != "append" && o.Mode != "upsert" {
		c.choice(b, "mode", []string{"append", "upsert"})
	}
	s.Upsert = o.Mode == "upsert" && !contains(appending, b.Type)
	inputs, whole := c.inputs(b)
	if !whole || c.broken[b.Name] {
		return
	}
	s.Inputs = inputs
	c.records(b, s)
	if o.WithMeta && s.Kind != nil {
		c.withMeta(b, s)
	}
	c.keyed(b, s, o)
	s.Dirty = dirtyOutput(b.Name, c.readers(b.Name+".dirty"), !slices.ContainsFunc(inputs, func(in *Output) bool { return !in.Bounded }))
	c.outputs[s.Dirty.Name] = s.Dirty
}

// appending are the kinds of sinks that can only append.
var appending = []string{"file", "parquet"}

// records finds out how the records of a sink's inputs are written.
func (c *compiler) records(b *spec.Block, s *Sink) {
	switch {
	case s.Kind == nil:
	case s.Kind.Typed:
		c.noFormat(b, s)
		c.typed(b, s)
	case s.Format == CSV && len(s.Kind.Formats) > 0:
		c.csvSink(b, s)
	case len(s.Kind.Formats) > 0: // else nothing is written, so nothing need be known
		for _, in := range s.Inputs {
			s.Layouts = append(s.Layouts, s.timed(in, in.Layout()))
		}
	}
}

// timed writes the times of records that pass as they were read in the sink's own form, where it has one. Late and dirty
// records are what they were.
func (s *Sink) timed(in *Output, l codec.Layout) codec.Layout {
	if s.TimeFormat == codec.RFC3339 || in.Port != stream.Main {
		return l
	}
	for i := range l.Choices {
		l.Choices[i] = s.timed(in, l.Choices[i])
	}
	if l.Base < 0 {
		return l
	}
	for _, f := range in.Fields {
		if f.Type.Kind == stream.Instant && !hasLayout(l.Fields, f.Name) {
			l.Fields = append(l.Fields, codec.LayoutField{Name: f.Name, Column: in.Column(stream.Path{f.Name}), InPlace: true})
		}
	}
	return l
}

// choice reports an option whose value is none of those known.
func (c *compiler) choice(b *spec.Block, option string, known []string) {
	c.choiceAt(b.Name, option, c.option(b, option), known)
}

func (c *compiler) choiceAt(name, option string, n *spec.Node, known []string) {
	d := spec.Diagnostic{Node: name, Message: fmt.Sprintf("%q can't be %s", option, n.Quote()), Hint: "known: " + strings.Join(known, ", ")}
	if near, ok := n.Nearest(known); ok {
		d.Hint, d.Fix = "did you mean "+near+"?", near
	}
	if n.Secret() {
		d.Hint = "look at the value in the environment; " + d.Hint
	}
	c.report("TM006", spec.Error, n, d)
}

// connector finds the kind that a source or sink names, and fills its options.
func (c *compiler) connector(b *spec.Block, role connector.Role, common []string) (*connector.Kind, any) {
	if b.Type == "" {
		if c.misspelledType(b) {
			return nil, nil
		}
		if b.Node.Get("type") == nil {
			c.reportName("TM005", spec.Error, b, spec.Diagnostic{
				Message: fmt.Sprintf("%s needs \"type\"", b.Title()), Hint: "known: " + strings.Join(kindNames(role), ", ")})
		}
		return nil, nil
	}
	kind, ok := connector.Lookup(role, b.Type)
	if !ok {
		c.unknownKind(b, role)
		return nil, nil
	}
	options := kind.New()
	common = append(commonOf(kind, common), c.withoutEffect(b, options)...)
	found := spec.Decode(b.Node, options, spec.DecodeOptions{What: b.Title(), Node: b.Name, Pos: b.NamePos, Ignore: common})
	c.diags = append(c.diags, found...)
	var problems []connector.Problem
	switch o := options.(type) {
	case connector.RecordSource:
		problems = o.Validate()
	case connector.Source:
		problems = o.Validate()
	case connector.Sink:
		problems = o.Validate()
	}
	for _, p := range problems {
		if n := at(b.Node, p.Option); n != nil && !faulty(found, n) {
			c.report(ruleOfOption(p), spec.Error, n, spec.Diagnostic{Node: b.Name, Message: p.Message, Hint: p.Hint})
		}
	}
	return kind, options
}

// misspelledType reports a key that is meant to be the type, and whether there is one: without a type nothing decodes
// the block's keys, and so nothing else would speak of it.
func (c *compiler) misspelledType(b *spec.Block) bool {
	if b.Node.Get("type") != nil {
		return false
	}
	known := knownKeys(b)
	for i := range b.Node.Entries {
		e := &b.Node.Entries[i]
		if contains(known, e.Key) {
			continue
		}
		if d, meant := spec.UnknownKey(e, b.Title(), known); meant == "type" {
			d.Node = b.Name
			c.diags = append(c.diags, d)
			return true
		}
	}
	return false
}

// commonOf gives the keys that a kind leaves to others: of a sink of typed columns the schema too, of one of records
// the headers, and the fields of a source that derives them.
func commonOf(kind *connector.Kind, common []string) []string {
	switch {
	case kind.Typed:
		return append(slices.Clone(common), "schema")
	case writesRecords(kind):
		return append(slices.Clone(common), "headers")
	}
	if kind.Derived {
		return append(slices.Clone(common), "fields")
	}
	return slices.Clone(common)
}

// withoutEffect reports options that mean something to other kinds, and gives their names.
func (c *compiler) withoutEffect(b *spec.Block, options any) []string {
	n := b.Node.Get("start")
	if _, files := options.(connector.Located); !files || n == nil {
		return nil
	}
	c.report("TM506", spec.Warning, n, spec.Diagnostic{Node: b.Name,
		Message: fmt.Sprintf("start has no effect: %q is read from the start of its files", b.Name), Hint: "leave it out"})
	return []string{"start"}
}

// at gives the node of an option by its dotted name.
func at(n *spec.Node, option string) *spec.Node {
	for _, name := range strings.Split(option, ".") {
		n = n.Get(name)
	}
	return n
}

func ruleOfOption(p connector.Problem) string {
	if strings.Contains(p.Message, notYet) {
		return "TM099"
	}
	return "TM006"
}

func kindNames(role connector.Role) []string {
	var names []string
	for _, k := range connector.Kinds(role) {
		names = append(names, k.Name)
	}
	return names
}

// kindOfFormat gives the first kind that has a format.
func kindOfFormat(role connector.Role, format string) (string, bool) {
	for _, k := range connector.Kinds(role) {
		if contains(k.Formats, format) {
			return k.Name, true
		}
	}
	return "", false
}

func (c *compiler) unknownKind(b *spec.Block, role connector.Role) {
	n := b.Node.Get("type")
	known := kindNames(role)
	d := spec.Diagnostic{Node: b.Name, Message: fmt.Sprintf("unknown %s type %s", b.Role, n.Quote()), Hint: "known: " + strings.Join(known, ", ")}
	if near, ok := n.Nearest(known); ok {
		d.Hint = "did you mean " + near + "? " + d.Hint
	} else if kind, ok := kindOfFormat(role, b.Type); ok && !n.Secret() {
		d.Hint = "write type: " + kind + ", format: " + b.Type + "; " + d.Hint
	}
	c.report("TM004", spec.Error, n, d)
}

// decode fills the options that all blocks of a role share; keys that are not among them are the kind's.
func (c *compiler) decode(b *spec.Block, dst any) {
	own, known := spec.Keys(dst), knownKeys(b)
	role := connector.SourceRole
	if b.Role == spec.Sink {
		role = connector.SinkRole
	}
	_, kindKnown := connector.Lookup(role, b.Type)
	var others []string
	for i := range b.Node.Entries {
		e := &b.Node.Entries[i]
		if contains(own, e.Key) {
			continue
		}
		if kindKnown && !contains(known, e.Key) {
			if _, meant := spec.UnknownKey(e, "", known); contains(own, meant) {
				continue // the kind's own decoding has reported it; what it means is decoded here
			}
		}
		others = append(others, e.Key)
	}
	found := spec.Decode(b.Node, dst, spec.DecodeOptions{What: b.Title(), Node: b.Name, Pos: b.NamePos, Ignore: others})
	for _, d := range found {
		if d.Rule != "TM003" {
			c.diags = append(c.diags, d)
		}
	}
}
