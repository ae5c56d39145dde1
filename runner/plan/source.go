package plan

import (
	"fmt"
	"strings"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/operators/expression"
	"tidemark/operators/watermark"
	"tidemark/spec"
	"tidemark/stream"
)

// sourceOptions are the options of every source, whatever its type.
type sourceOptions struct {
	Format    string     `spec:"format"`
	Schema    *spec.Node `spec:"schema"`
	Timestamp *spec.Node `spec:"timestamp"`
	Watermark *spec.Node `spec:"watermark"`
}

// commonSource and commonSink are the keys that a connector's own options leave to others.
var (
	commonSource = []string{"type", "format", "header", "delimiter", "columns", "null_values", "schema", "timestamp", "watermark"}
	commonSink   = []string{"type", "from", "format", "mode", "key", "time_format", "with_meta"}
)

func (c *compiler) source(number int, b *spec.Block) {
	s := &Source{Name: b.Name, Number: number, Block: b}
	c.plan.Sources = append(c.plan.Sources, s)
	s.Kind, s.Options = c.connector(b, connector.SourceRole, commonSource)
	s.Main = &Output{Node: b.Name, Name: b.Name, Open: true, Bounded: s.bounded(), Readers: c.readers(b.Name)}
	s.Dirty = dirtyOutput(b.Name, c.readers(b.Name+".dirty"), s.Main.Bounded)
	c.outputs[b.Name], c.outputs[b.Name+".dirty"] = s.Main, s.Dirty

	var o sourceOptions
	c.decode(b, &o)
	if files, ok := s.Options.(connector.Columnar); ok {
		c.columnar(s, files, b)
	} else {
		c.schema(s, o.Schema)
		c.format(s, b, o.Format)
	}
	input := *s.Main
	input.column = s.column
	if s.Kind != nil && s.Kind.Derived {
		input = *c.derive(s)
	}
	build := newStageBuilder(&s.Stage, &input)
	build.meta = func(path stream.Path) int { return s.meta(build, path) }
	c.timestamp(s, build, o.Timestamp)
	c.watermark(s, build, o.Watermark)
	s.Main.column = build.column
	s.Main.facts = s.facts()
	s.Main.layout = s.layout
	s.Main.asRead = s.Format
	switch {
	case s.Dirty.Readers == 0:
	case s.Main.Open:
		s.column(codec.Raw)
	default:
		l := s.layout()
		s.Record = &l
	}
}

// layout says how the source's records are written: as their text, or field by field where there is none.
func (s *Source) layout() codec.Layout {
	if s.Main.Open {
		l := codec.Layout{Base: s.Main.Column(s.text())}
		for _, f := range s.Main.Fields {
			if s.Format == CSV && f.Type.Kind == stream.Instant { // a time, where other cells are values as they stand
				l.Fields = append(l.Fields, codec.LayoutField{Name: f.Name, Column: s.Main.Column(stream.Path{f.Name})})
			}
		}
		return l
	}
	l := codec.Layout{Base: -1}
	for _, f := range s.Main.Fields {
		l.Fields = append(l.Fields, codec.LayoutField{Name: f.Name, Column: s.Main.Column(stream.Path{f.Name})})
	}
	return l
}

// metaFacts are what the engine and a source of files know of a record.
var metaFacts = []string{"event_time", "file", "line", "partition"}

// meta gives the slot of something below meta.
func (s *Source) meta(build *stageBuilder, path stream.Path) int {
	if records, ok := s.Options.(connector.RecordSource); ok && path[1] != "event_time" {
		return s.recordFact(build, records, path)
	}
	if len(path) > 2 || !contains(metaFacts, path[1]) {
		return build.nothing()
	}
	if path[1] == "line" {
		s.NeedsLine = true
	}
	return build.fact(path[1])
}

// column gives the column of a path in the codec's batches, adding it to the projection if it is new.
func (s *Source) column(path stream.Path) int {
	for i, col := range s.Columns {
		if col.Path.Equal(path) && !col.Millis {
			return i
		}
	}
	col := codec.Column{Path: path}
	if len(path) == 1 && s.Main.Open {
		for _, f := range s.Main.Fields {
			if f.Name == path[0] {
				col.Type, col.Typed = f.Type, true
			}
		}
	}
	s.Columns = append(s.Columns, col)
	at := len(s.Columns) - 1
	if len(path) == 0 && s.Main.Open { // who asks for the whole record reads each field as the schema has it
		for _, f := range s.Main.Fields {
			s.column(stream.Path{f.Name})
		}
	}
	return at
}

var schemaTypes = map[string]stream.Type{
	"int": {Kind: stream.Int}, "float": {Kind: stream.Float}, "string": {Kind: stream.String}, "bool": {Kind: stream.Bool},
	"timestamp": {Kind: stream.Instant}, "list": {Shape: stream.List}, "object": {Shape: stream.Object}, "any": {Null: true},
}

func (c *compiler) schema(s *Source, n *spec.Node) {
	if n == nil {
		return
	}
	s.Main.Fields = c.types(s.Name, n)
	s.Main.Declared = len(s.Main.Fields) > 0
	c.dottedNames(s, n)
}

// types reads a map of names and types.
func (c *compiler) types(block string, n *spec.Node) []stream.Field {
	if n.Kind != spec.Map || len(n.Entries) == 0 {
		c.report("TM006", spec.Error, n, spec.Diagnostic{Node: block, Message: `"schema" wants a map of names and types`, Hint: "schema: {user_id: string, ts: int}"})
		return nil
	}
	var fields []stream.Field
	for _, e := range n.Entries {
		base, null, found := strings.Cut(e.Value.Text, "|")
		base = strings.TrimSpace(base)
		t, ok := schemaTypes[base]
		if !ok || e.Value.Kind != spec.Scalar || found && strings.TrimSpace(null) != "null" {
			c.unknownType(block, e, base, ok)
			t = stream.Type{Null: true}
			if e.Value.Kind == spec.Map {
				t = stream.Type{Shape: stream.Object, Null: true}
			}
		}
		t.Null = t.Null || found
		fields = append(fields, stream.Field{Name: e.Key, Type: t})
	}
	return fields
}

// timestampOptions is the long form of `timestamp`.
type timestampOptions struct {
	Expr     spec.Expr `spec:"expr,required"`
	Unit     string    `spec:"unit"`
	Timezone string    `spec:"timezone"`
}

func (c *compiler) timestamp(s *Source, build *stageBuilder, n *spec.Node) {
	if n == nil {
		if records, ok := s.Options.(connector.RecordSource); ok {
			s.defaultTime(build, records)
		}
		return
	}
	s.Main.EventTime = true
	var o timestampOptions
	if n.Kind == spec.Map {
		c.diags = append(c.diags, spec.Decode(n, &o, spec.DecodeOptions{What: fmt.Sprintf("timestamp of %q", s.Name), Node: s.Name})...)
	} else {
		e, found := spec.DecodeExpr(n, "timestamp")
		o.Expr = e
		c.add(s.Name, found)
	}
	if !o.Expr.Known() {
		return
	}
	t := &Timestamp{Node: o.Expr.Node}
	c.unit(s, t, n, o)
	p := c.program(s.Block, "timestamp", o.Expr.Node, o.Expr.Text, build.scope())
	if p == nil {
		return
	}
	t.Step = Step{Clause: "timestamp", Field: "timestamp", Program: p, Node: o.Expr.Node, Target: -1}
	if t.Zone != nil && !bare(p) && p.Type().Kind == stream.Instant {
		c.report("TM506", spec.Warning, optionOf(n, "timezone"), spec.Diagnostic{Node: s.Name, Message: "timezone has no effect: the expression gives a time, not text",
			Hint: fmt.Sprintf("name the zone where text becomes a time: date(x, layout, %q)", o.Timezone)})
	}
	if _, columnar := s.Options.(connector.Columnar); columnar && s.Derive == nil && bare(p) {
		// An event time is in milliseconds, so finer fractions, which cost, are not asked for.
		s.Columns = append(s.Columns, codec.Column{Path: p.Uses()[0], Millis: true})
		t.Step.Columns = []int{build.loadColumn(len(s.Columns) - 1)}
	} else {
		t.Step.Columns = build.bind(p)
	}
	t.Arrival = strings.ReplaceAll(o.Expr.Text, " ", "") == "now()"
	s.Timestamp = t
	c.checkTimestamp(s, t, o.Unit != "" || n.Has("unit"))
}

// unit reads the unit and the zone of a timestamp.
func (c *compiler) unit(s *Source, t *Timestamp, n *spec.Node, o timestampOptions) {
	if o.Unit != "" {
		unit, ok := watermark.ParseUnit(o.Unit)
		if !ok {
			c.choiceAt(s.Name, "unit", optionOf(n, "unit"), []string{"s", "ms", "us", "ns"})
		}
		t.Unit = unit
	}
	if o.Timezone != "" {
		t.Zone = c.zone(s.Name, optionOf(n, "timezone"))
	}
}

// markerScope adds to a scope the names that a punctuated strategy may speak of.
func markerScope(scope expression.Scope) expression.Scope {
	scope.Fields = append(append([]stream.Field{}, scope.Fields...),
		stream.Field{Name: "event_time", Type: stream.Type{Kind: stream.Instant}},
		stream.Field{Name: "max_event_time", Type: stream.Type{Kind: stream.Instant}})
	return scope
}
