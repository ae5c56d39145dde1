package oracle

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Write makes the pipeline's files in folder: its input and pipeline.yaml, whose name it gives. The sinks write
// to folder/out.
func (p *Pipeline) Write(folder string) (string, error) {
	for _, s := range p.Sources {
		for i, lines := range s.Partitions {
			if p.CSV {
				lines = append([]string{headerCSV}, lines...)
			}
			text := strings.Join(lines, "\n")
			if i%2 == 0 && len(lines) > 0 { // every other file lacks its last newline
				text += "\n"
			}
			if s.Packed {
				text = packed(text)
			}
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%s-%d.jsonl", s.Name, i)), []byte(text), 0o644); err != nil {
				return "", err
			}
		}
	}
	if err := os.MkdirAll(filepath.Join(folder, "out"), 0o755); err != nil {
		return "", err
	}
	name := filepath.Join(folder, "pipeline.yaml")
	return name, os.WriteFile(name, []byte(p.YAML(folder)), 0o644)
}

// packed compresses a text with gzip, as two members.
func packed(text string) string {
	var out bytes.Buffer
	for _, part := range []string{text[:len(text)/3], text[len(text)/3:]} {
		w := gzip.NewWriter(&out)
		w.Write([]byte(part))
		w.Close() // a buffer takes everything
	}
	return out.String()
}

// Output is the file that a sink writes when the pipeline's files are in folder.
func (s Sink) Output(folder string) string { return filepath.Join(folder, "out", s.Name+".jsonl") }

// YAML gives the pipeline file for input and output in folder.
func (p *Pipeline) YAML(folder string) string {
	var out strings.Builder
	out.WriteString("sources:\n")
	for _, s := range p.Sources {
		fmt.Fprintf(&out, "  %s:\n    type: file\n    path: %q\n", s.Name, filepath.Join(folder, s.Name+"-*.jsonl"))
		if p.CSV {
			out.WriteString("    format: csv\n")
		}
		switch {
		case p.CSV:
			out.WriteString("    schema: {ts: int, k: \"string|null\", g: int, v: \"int|null\", p: int}\n")
		case p.Schema:
			out.WriteString("    schema: {ts: int, k: \"string|null\", g: int, v: \"int|null\", p: int, e: \"list|null\"}\n")
		}
		if s.Chained {
			out.WriteString("    partitions: one\n")
		}
		fmt.Fprintf(&out, "    timestamp: {expr: ts, unit: ms}\n    watermark: %s\n", s.Watermark.yaml())
	}
	if len(p.Transforms) > 0 {
		out.WriteString("transforms:\n")
	}
	for _, t := range p.Transforms {
		t.yaml(&out)
	}
	out.WriteString("sinks:\n")
	for _, s := range p.Sinks {
		fmt.Fprintf(&out, "  %s: {from: [%s], ", s.Name, strings.Join(s.From, ", "))
		switch {
		case s.Stdout:
			out.WriteString("type: stdout")
		case s.Discard:
			out.WriteString("type: discard")
		default:
			fmt.Fprintf(&out, "type: file, path: %q", s.Output(folder))
		}
		if s.Milliseconds {
			out.WriteString(", time_format: ms")
		}
		out.WriteString("}\n")
	}
	return out.String()
}

func (w Watermark) yaml() string {
	text := w.strategy()
	if w.MaxAhead > 0 {
		text += fmt.Sprintf(", max_ahead: %dms", w.MaxAhead)
	}
	switch {
	case w.PerSource:
		text += ", per: source"
	case w.PerValue:
		text += fmt.Sprintf(", per: g, idle: %dms", w.Idle)
	}
	if w.Regress {
		text += ", on_regress: dirty"
	}
	return "{" + text + "}"
}

func (w Watermark) strategy() string {
	switch w.Strategy {
	case Bounded:
		return fmt.Sprintf("bounded: %dms", w.Delay)
	case Monotonous:
		return "monotonous: true"
	case None:
		return "none: true"
	}
	value := "event_time"
	if w.Greatest {
		value = "max_event_time"
	}
	if w.Every == 1 {
		return fmt.Sprintf("punctuated: %s", value)
	}
	return fmt.Sprintf("punctuated: '%s'", fmt.Sprintf("p %% %d == 0 ? %s : nil", w.Every, value))
}

func (t Transform) yaml(out *strings.Builder) {
	fmt.Fprintf(out, "  %s:\n    from: %s\n", t.Name, list(t.From))
	if t.Where != nil {
		fmt.Fprintf(out, "    where: %s\n", t.Where.yaml())
	}
	if len(t.Set) > 0 {
		fmt.Fprintf(out, "    set: {%s}\n", assignments(t.Set))
	}
	if t.Explode != "" {
		fmt.Fprintf(out, "    explode: {%s: e}\n", t.Explode)
	}
	if t.Select != nil {
		fmt.Fprintf(out, "    select: %s\n", selection(t.Select))
	}
	if t.Window != nil {
		t.windowYAML(out)
	}
	if len(t.Split) > 0 {
		out.WriteString("    split:\n")
	}
	for _, b := range t.Split {
		fmt.Fprintf(out, "      %s: %s\n", b.Name, b.If.yaml())
	}
}

func (t Transform) windowYAML(out *strings.Builder) {
	if len(t.Key) > 0 {
		fmt.Fprintf(out, "    key: %s\n", list(t.Key))
	}
	fmt.Fprintf(out, "    window: %s\n", t.Window.yaml())
	if t.Lateness > 0 {
		fmt.Fprintf(out, "    allowed_lateness: %dms\n", t.Lateness)
	}
	out.WriteString("    aggregate:\n")
	for _, a := range t.Aggregates {
		fmt.Fprintf(out, "      %s: %s\n", a.Name, a.call())
	}
	if t.Having != nil {
		fmt.Fprintf(out, "    having: %s\n", t.Having.yaml())
	}
}

func (w Window) yaml() string {
	offset := ""
	if w.Offset != 0 {
		offset = fmt.Sprintf(", offset: %dms", w.Offset)
	}
	switch w.Kind {
	case Tumbling:
		return fmt.Sprintf("{tumbling: %dms%s}", w.Size, offset)
	case Sliding:
		return fmt.Sprintf("{sliding: %dms, every: %dms%s}", w.Size, w.Every, offset)
	case Calendar:
		return fmt.Sprintf("{calendar: %s, timezone: %s}", w.Unit, w.Zone)
	}
	return fmt.Sprintf("{session: %dms}", w.Size)
}

func (c *Condition) yaml() string {
	if c.Modulo != 0 {
		return fmt.Sprintf("%s %% %d %s %d", c.Field, c.Modulo, c.Op, c.Value)
	}
	return fmt.Sprintf("%s %s %d", c.Field, c.Op, c.Value)
}

func assignments(all []Assignment) string {
	var parts []string
	for _, a := range all {
		part := a.Name + ": " + a.Field
		if a.Plus != 0 {
			part += fmt.Sprintf(" + %d", a.Plus)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// selection is a list where all fields keep their names and values, else a map.
func selection(all []Assignment) string {
	var names []string
	for _, a := range all {
		if a.Plus != 0 || a.Name != a.Field {
			return "{" + assignments(all) + "}"
		}
		names = append(names, a.Name)
	}
	return "[" + strings.Join(names, ", ") + "]"
}

// list is a list of names; one alone is written without brackets.
func list(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return "[" + strings.Join(names, ", ") + "]"
}
