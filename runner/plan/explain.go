package plan

import (
	"fmt"
	"io"
	"strings"

	"tidemark/spec"
)

// Explain writes the plan for people: what is read, how event time and watermarks come about, what every node
// does, and which expressions run on kernels.
func (p *Plan) Explain(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "pipeline %s\n", p.Name)
	for _, s := range p.Sources {
		s.explain(&b)
	}
	for _, t := range p.Transforms {
		t.explain(&b)
	}
	for _, s := range p.Sinks {
		names := make([]string, len(s.Inputs))
		for i, in := range s.Inputs {
			names[i] = in.Name
		}
		fmt.Fprintf(&b, "\nsink %s (%s)\n  reads      %s\n", s.Name, s.Kind.Name, strings.Join(names, ", "))
	}
	_, err := io.WriteString(w, p.Redact(b.String()))
	return err
}

func (s *Source) explain(b *strings.Builder) {
	fmt.Fprintf(b, "\nsource %s (%s)\n", s.Name, s.Kind.Name)
	var columns []string
	for _, c := range s.Columns {
		name := c.Path.String()
		switch {
		case isRaw(c.Path):
			name = "(the line)"
		case len(c.Path) == 0:
			name = "(the whole record)"
		case c.Typed:
			name += " " + c.Type.String()
		}
		columns = append(columns, name)
	}
	if len(columns) == 0 {
		columns = []string{"none: lines are only checked"}
	}
	fmt.Fprintf(b, "  columns    %s\n", strings.Join(columns, ", "))
	if t := s.Timestamp; t != nil {
		unit := ""
		if t.Unit != 0 {
			unit = " in " + t.Unit.String()
		}
		fmt.Fprintf(b, "  event time %s%s%s\n", t.Step.Expression(), unit, engine(t.Step))
		fmt.Fprintf(b, "  watermark  %s, per partition\n", s.Watermark)
	} else {
		b.WriteString("  event time none\n")
	}
	b.WriteString("  runs       in every worker, chunk by chunk; then in the source order\n")
}

// String says the strategy in words.
func (w Watermark) String() string {
	text := w.Strategy.Kind.String()
	if w.Strategy.Delay > 0 {
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

func (t *Transform) explain(b *strings.Builder) {
	names := make([]string, len(t.Inputs))
	for i, in := range t.Inputs {
		names[i] = in.Name
	}
	fmt.Fprintf(b, "\ntransform %s\n  reads      %s\n", t.Name, strings.Join(names, ", "))
	explainSteps(b, t.Prepare.Steps)
	w := t.Window
	if w == nil {
		return
	}
	if len(w.KeyNames) > 0 {
		fmt.Fprintf(b, "  key        %s\n", strings.Join(w.KeyNames, ", "))
	}
	fmt.Fprintf(b, "  window     %s\n", windowText(w))
	for _, a := range w.Aggregates {
		fmt.Fprintf(b, "  state      %s\n", a.Text)
	}
	explainSteps(b, t.Finish.Steps)
}

func explainSteps(b *strings.Builder, steps []Step) {
	for _, s := range steps {
		if s.Program == nil {
			continue
		}
		name := ""
		if s.Kind == Compute {
			name = s.Field + " = "
		}
		fmt.Fprintf(b, "  %-10s %s%s%s\n", s.Clause, name, s.Expression(), engine(s))
	}
}

func windowText(w *Window) string {
	text := fmt.Sprint(w.Spec)
	if w.Lateness > 0 {
		text += ", late records accepted for " + w.Lateness.String()
	}
	return text
}
