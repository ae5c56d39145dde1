package plan

import (
	"fmt"
	"io"
	"strings"

	"tidemark/spec"
	"tidemark/stream"
)

// shape is what a node of a diagram looks like: its role at a glance.
type shape uint8

const (
	sourceShape shape = iota
	rowsShape         // a transform that takes each record by itself
	windowShape       // a transform that keeps state
	splitShape
	sinkShape
)

// diagram is the graph of a plan, as it is drawn.
type diagram struct {
	nodes []diagramNode
	edges []diagramEdge
}

// diagramNode is a block of the file. Its lines are its name and what it is.
type diagramNode struct {
	name  string
	shape shape
	lines []string
}

// diagramEdge is an output with a reader.
type diagramEdge struct {
	from, to string
	// label names the output where it is not the main one; aside says that it is a late or dirty output.
	label string
	aside bool
}

// WriteMermaid draws the plan's graph as a Mermaid flowchart. Outputs that nobody reads are not in it.
func (p *Plan) WriteMermaid(w io.Writer) error {
	_, err := io.WriteString(w, p.diagram().mermaid())
	return err
}

// WriteDOT draws the plan's graph in the language of Graphviz. Outputs that nobody reads are not in it.
func (p *Plan) WriteDOT(w io.Writer) error {
	_, err := io.WriteString(w, p.diagram().dot())
	return err
}

// diagram gives the nodes, each after what it reads, and the edges in the order of their readers.
func (p *Plan) diagram() *diagram {
	d := &diagram{}
	for _, s := range p.Sources {
		d.node(s.Name, sourceShape, p.Redact(s.Kind.Name))
	}
	for _, t := range p.Transforms {
		look, about := rowsShape, ""
		switch {
		case t.Window != nil:
			look, about = windowShape, windowLabel(t)
		case t.Split != nil:
			look, about = splitShape, "split"
		}
		d.node(t.Name, look, about)
		d.read(t.Name, t.Inputs)
	}
	for _, s := range p.Sinks {
		d.node(s.Name, sinkShape, p.Redact(s.Kind.Name))
		d.read(s.Name, s.Inputs)
	}
	return d
}

// windowLabel says the window in words; only that there is one where values from the environment are in it, since they
// would stand there in another form.
func windowLabel(t *Transform) string {
	if secretWithin(t.Block.Node.Get("window")) || secretWithin(t.Block.Node.Get("allowed_lateness")) {
		return "window"
	}
	return windowText(t.Window)
}

// secretWithin reports whether a value from the environment is at or below a node.
func secretWithin(n *spec.Node) bool {
	if n == nil || n.Secret() {
		return n != nil
	}
	for _, item := range n.Items {
		if secretWithin(item) {
			return true
		}
	}
	for _, e := range n.Entries {
		if secretWithin(e.Value) {
			return true
		}
	}
	return false
}

func (d *diagram) node(name string, look shape, about string) {
	lines := []string{name}
	if about != "" {
		lines = append(lines, about)
	}
	d.nodes = append(d.nodes, diagramNode{name, look, lines})
}

func (d *diagram) read(reader string, inputs []*Output) {
	for _, o := range inputs {
		_, label, _ := strings.Cut(o.Name, ".")
		d.edges = append(d.edges, diagramEdge{o.Node, reader, label, o.Port == stream.Late || o.Port == stream.Dirty})
	}
}

// mermaidShapes are the brackets around a node's label.
var mermaidShapes = [...][2]string{
	sourceShape: {"[(", ")]"}, rowsShape: {"[", "]"}, windowShape: {"{{", "}}"}, splitShape: {"{", "}"}, sinkShape: {"([", "])"},
}

// mermaid writes the diagram. Names of nodes get a prefix, since some words, such as end, mean something in Mermaid.
func (d *diagram) mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for _, n := range d.nodes {
		around := mermaidShapes[n.shape]
		fmt.Fprintf(&b, "  n_%s%s%s%s\n", n.name, around[0], mermaidText(strings.Join(n.lines, "\n")), around[1])
	}
	for _, e := range d.edges {
		arrow := "-->"
		if e.aside {
			arrow = "-.->"
		}
		if e.label != "" {
			arrow += "|" + mermaidText(e.label) + "|"
		}
		fmt.Fprintf(&b, "  n_%s %s n_%s\n", e.from, arrow, e.to)
	}
	return b.String()
}

// mermaidText quotes a text. Within quotes only they themselves, what begins an entity and what could be HTML mean
// something.
func mermaidText(text string) string {
	return `"` + strings.NewReplacer("#", "#35;", `"`, "#quot;", "&", "#amp;", "<", "#lt;", ">", "#gt;", "\n", "<br>").Replace(text) + `"`
}

// dotShapes are the shapes of nodes in Graphviz.
var dotShapes = [...]string{sourceShape: "cylinder", rowsShape: "box", windowShape: "hexagon", splitShape: "diamond", sinkShape: "oval"}

func (d *diagram) dot() string {
	var b strings.Builder
	b.WriteString("digraph {\n  rankdir=LR;\n")
	for _, n := range d.nodes {
		fmt.Fprintf(&b, "  %s [shape=%s, label=%s];\n", dotText(n.name), dotShapes[n.shape], dotText(strings.Join(n.lines, "\n")))
	}
	for _, e := range d.edges {
		var with []string
		if e.label != "" {
			with = append(with, "label="+dotText(e.label))
		}
		if e.aside {
			with = append(with, "style=dashed")
		}
		list := ""
		if with != nil {
			list = " [" + strings.Join(with, ", ") + "]"
		}
		fmt.Fprintf(&b, "  %s -> %s%s;\n", dotText(e.from), dotText(e.to), list)
	}
	b.WriteString("}\n")
	return b.String()
}

// dotText quotes a text. A backslash begins an escape in a label.
func dotText(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(text) + `"`
}
