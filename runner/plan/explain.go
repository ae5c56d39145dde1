package plan

import (
	"fmt"
	"io"
	"strings"

	"tidemark/io/codec"
	"tidemark/operators/expression"
	"tidemark/operators/watermark"
	"tidemark/operators/window"
	"tidemark/spec"
	"tidemark/stream"
)

// Explain writes the plan for people: what is read, how event time and watermarks come about, what every node
// does and gives, which expressions run on kernels and which in the virtual machine, and what runs side by side.
func (p *Plan) Explain(w io.Writer) error {
	x := &explainer{plan: p, prepared: p.preparedByWorkers()}
	x.line("pipeline", p.Name)
	for _, s := range p.Sources {
		x.source(s)
	}
	for _, t := range p.Transforms {
		x.transform(t)
	}
	for _, s := range p.Sinks {
		x.sink(s)
	}
	_, err := io.WriteString(w, x.plan.Redact(x.b.String()))
	return err
}

// explainer collects the lines.
type explainer struct {
	plan *Plan
	b    strings.Builder
	// prepared are the nodes whose stateless work the workers do.
	prepared map[string]bool
}

func (x *explainer) line(word, text string) { fmt.Fprintf(&x.b, "%s %s\n", word, text) }

func (x *explainer) node(role, name, kind string) {
	if kind != "" {
		name += " (" + kind + ")"
	}
	x.b.WriteString("\n")
	x.line(role, name)
}

func (x *explainer) row(word, text string) { fmt.Fprintf(&x.b, "  %-11s %s\n", word, text) }

// preparedByWorkers gives the nodes that a worker can do for a chunk before the chunk's turn: those that are
// reached from one source without a window or a union between.
func (p *Plan) preparedByWorkers() map[string]bool {
	prepared := map[string]bool{}
	for _, s := range p.Sources {
		prepared[s.Name] = true
	}
	before := func(inputs []*Output) bool {
		return len(inputs) == 1 && inputs[0].Port == stream.Main && prepared[inputs[0].Node]
	}
	windowed := map[string]bool{}
	for _, t := range p.Transforms {
		prepared[t.Name] = t.Explode == nil && before(t.Inputs) && !windowed[t.Inputs[0].Node]
		windowed[t.Name] = t.Window != nil
	}
	return prepared
}

func (x *explainer) source(s *Source) {
	x.node("source", s.Name, s.Kind.Name)
	x.records(s)
	if s.Format == CSV || s.Format == Text {
		x.row("format", s.Format)
	}
	x.row("columns", columnsText(s))
	if s.Derive != nil {
		x.steps(s.Derive.Steps)
	}
	if t := s.Timestamp; t != nil {
		unit := ""
		if t.Unit != 0 {
			unit = " in " + t.Unit.String()
		}
		x.row("event time", t.Step.Expression()+unit+engine(t.Step))
		x.row("watermark", s.Watermark.String()+s.Watermark.whose()+s.Watermark.live())
	} else {
		x.row("event time", "none")
	}
	x.outputs(s.Main, s.Main, s.Dirty)
	if s.NeedsLine {
		x.row("runs", "chunks are scanned side by side in the workers; expressions wait for the numbers of lines before")
		return
	}
	x.row("runs", "chunks side by side in the workers, then in the source order")
}

// columnsText lists the projection: what is read of each record.
func columnsText(s *Source) string {
	var columns []string
	for _, c := range s.Columns {
		name := c.Path.String()
		switch {
		case isRaw(c.Path):
			name = "(the line)"
		case c.Path.Equal(codec.Object):
			name = "(the record as JSON)"
		case c.Path.Equal(codec.Verbatim):
			name = "(the record as it was read)"
		case len(c.Path) == 0:
			name = "(the whole record)"
		case c.Typed:
			name += " " + c.Type.String()
		}
		columns = append(columns, name)
	}
	if len(columns) == 0 {
		return "none: lines are only checked"
	}
	return strings.Join(columns, ", ")
}

// String says the strategy in words.
func (w Watermark) String() string {
	text := w.Strategy.Kind.String()
	if w.Strategy.Kind == watermark.Bounded {
		text += " " + spec.Duration(w.Strategy.Delay).String()
	}
	if w.Marker != nil {
		text += " " + w.Marker.Expression() + engine(*w.Marker)
	}
	return text
}

// engine says what evaluates a step's expression.
func engine(s Step) string {
	if bare(s.Program) {
		return ""
	}
	if s.Program.Vectorized() {
		return "  [kernel]"
	}
	return "  [vm]"
}

func (x *explainer) transform(t *Transform) {
	x.node("transform", t.Name, "")
	x.row("reads", namesOf(t.Inputs))
	if len(t.Inputs) > 1 {
		x.row("watermark", "the lowest of its inputs")
	}
	if t.Explode != nil {
		x.steps(t.Explode.Stage.Steps)
		x.row("explode", t.Explode.Name+": a record for each element")
	}
	x.steps(t.Prepare.Steps)
	if w := t.Window; w != nil {
		if len(w.KeyNames) > 0 {
			x.row("key", strings.Join(w.KeyNames, ", "))
		}
		x.row("window", windowText(w))
		for _, a := range w.Aggregates {
			x.row("state", a.Text)
		}
		x.steps(t.Finish.Steps)
	}
	late := t.Late
	if t.Window != nil && !t.Window.Bounds {
		late = nil
	}
	rows := []*Output{t.Main}
	if t.Split != nil {
		x.split(t.Split)
		rows = t.Split.Outputs
	}
	x.outputs(t.Main, append(rows[:len(rows):len(rows)], late, t.Dirty)...)
	x.row("runs", x.place(t))
}

// place says where a transform's work is done.
func (x *explainer) place(t *Transform) string {
	place := "in the source order"
	if x.prepared[t.Name] {
		place = "in the workers"
	}
	if t.Window == nil {
		return place
	}
	if x.prepared[t.Name] {
		place += " up to the window; the window in the source order"
	}
	if len(t.Window.Keys) > 0 {
		place += ", its keys in lanes where there are many workers"
	}
	return place
}

// steps lists what a stage computes. Arguments of aggregates that are more than a field are among it.
func (x *explainer) steps(steps []Step) {
	for _, s := range steps {
		if s.Program == nil {
			continue
		}
		text := s.Expression()
		if s.Kind == Compute {
			if s.Clause == "aggregate" && strings.Contains(text, expression.Result) && s.Node != nil && !s.Node.Secret() {
				text = strings.Join(strings.Fields(s.Node.Text), " ") // in the place of the names of results
			}
			text = s.Field + " = " + text
		}
		x.row(s.Clause, text+engine(s))
	}
}

// split says where rows go.
func (x *explainer) split(s *Split) {
	for i, c := range s.Conditions {
		x.row("split", s.Outputs[i].Name+" if "+c.Expression()+engine(c))
	}
	x.row("split", s.Outputs[len(s.Outputs)-1].Name+" else")
}

// outputs says what a node gives, and which of its outputs nobody reads.
func (x *explainer) outputs(main *Output, all ...*Output) {
	var fields []string
	for _, f := range main.Fields {
		fields = append(fields, f.Name)
	}
	gives := strings.Join(fields, ", ")
	switch {
	case main.Open && gives == "":
		gives = "the records as they were read"
	case main.Open:
		gives += ", over the records as they were read"
	}
	x.row("gives", gives)
	var unread []string
	for _, o := range all {
		if o != nil && o.Readers == 0 {
			unread = append(unread, o.Name)
		}
	}
	if len(unread) > 0 {
		x.row("only counts", strings.Join(unread, ", "))
	}
}

func (x *explainer) sink(s *Sink) {
	x.node("sink", s.Name, s.Kind.Name)
	x.row("reads", namesOf(s.Inputs))
	x.keys(s)
	text := !s.Kind.Typed && !s.Kind.Records && len(s.Layouts) > 0 && s.Format != "table" && s.Keys == nil
	if in := s.Inputs; text && len(in) == 1 && in[0].Port == stream.Main && x.prepared[in[0].Node] && !x.windowed(in[0].Node) {
		x.row("runs", "rows are encoded in the workers and written in the source order")
		return
	}
	x.row("runs", "in the source order")
}

func (x *explainer) windowed(name string) bool {
	for _, t := range x.plan.Transforms {
		if t.Name == name {
			return t.Window != nil
		}
	}
	return false
}

func namesOf(list []*Output) string {
	names := make([]string, len(list))
	for i, o := range list {
		names[i] = o.Name
	}
	return strings.Join(names, ", ")
}

// windowText says the window in the words of the file.
func windowText(w *Window) string {
	var text string
	offset := func(ms int64) {
		if ms != 0 {
			text += ", offset " + spec.Duration(ms).String()
		}
	}
	switch o := w.Spec.(type) {
	case window.Tumbling:
		text = "tumbling " + spec.Duration(o.Size).String()
		offset(o.Offset)
	case window.Sliding:
		text = "sliding " + spec.Duration(o.Size).String() + ", every " + spec.Duration(o.Every).String()
		offset(o.Offset)
	case window.Calendar:
		text = "calendar " + o.Unit.String()
		if o.Zone != nil {
			text += " in " + o.Zone.String()
		}
	case window.Session:
		text = "session " + spec.Duration(o.Gap).String()
	default:
		text = "global, written at the end of the input"
	}
	if w.Lateness > 0 {
		text += ", late records accepted for " + w.Lateness.String()
	}
	return text
}
