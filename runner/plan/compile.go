package plan

import (
	"tidemark/spec"
	"tidemark/stream"
)

// compiler holds what is known while a file becomes a plan.
type compiler struct {
	file  *spec.File
	diags spec.Diagnostics
	plan  *Plan
	// blocks and outputs are by name in the file.
	blocks  map[string]*spec.Block
	outputs map[string]*Output
	// broken are blocks whose output could not be made; what reads them is left alone, without another message.
	broken map[string]bool
}

// Compile checks a file and makes its plan. All problems are found in one go; where one of them is an error the
// plan is incomplete and must not be run.
func Compile(file *spec.File) (*Plan, spec.Diagnostics) {
	c := &compiler{
		file: file, plan: &Plan{Name: file.Name},
		blocks: map[string]*spec.Block{}, outputs: map[string]*Output{}, broken: map[string]bool{},
	}
	c.settings()
	c.index()
	order := c.graph()
	for i, b := range file.Sources {
		c.source(i, b)
	}
	for _, b := range order {
		c.transform(b)
	}
	for _, b := range file.Sinks {
		c.sink(b)
	}
	for _, rule := range rules {
		rule.check(c)
	}
	c.diags.Sort()
	return c.plan, c.diags
}

// report adds a problem at a node of the file, or at the place that d has where node is nil.
func (c *compiler) report(rule string, severity spec.Severity, node *spec.Node, d spec.Diagnostic) {
	shown := d
	if node != nil {
		shown = node.Diagnose(rule, d.Message, d.Hint)
	}
	shown.File, shown.Rule, shown.Severity, shown.Node, shown.Note = c.file.Path, rule, severity, d.Node, d.Note
	c.diags = append(c.diags, shown)
}

// add takes over problems of a block.
func (c *compiler) add(name string, found spec.Diagnostics) {
	for _, d := range found {
		d.Node = name
		c.diags = append(c.diags, d)
	}
}

// index remembers the blocks by name.
func (c *compiler) index() {
	for _, list := range [][]*spec.Block{c.file.Sources, c.file.Transforms, c.file.Sinks} {
		for _, b := range list {
			if _, ok := c.blocks[b.Name]; !ok {
				c.blocks[b.Name] = b
			}
		}
	}
}

// inputs gives the outputs that a block's `from` names, as far as they could be made.
func (c *compiler) inputs(b *spec.Block) ([]*Output, bool) {
	var list []*Output
	whole := true
	for _, ref := range fromOf(b) {
		out, ok := c.outputs[ref.name()]
		if !ok {
			whole = false
			continue
		}
		list = append(list, out)
	}
	return list, whole && len(list) > 0
}

// reference is one name in a `from`.
type reference struct {
	block, port string
	node        *spec.Node
}

func (r reference) name() string {
	if r.port == "" {
		return r.block
	}
	return r.block + "." + r.port
}

// ports names the side outputs.
var ports = map[string]stream.Port{"": stream.Main, "late": stream.Late, "dirty": stream.Dirty}
