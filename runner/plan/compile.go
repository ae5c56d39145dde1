package plan

import (
	"strings"
	"unicode/utf8"

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
	// meant are blocks that an unknown name in a `from` likely means; vague says that some `from` can't be read.
	meant map[string]bool
	vague bool
}

// Compile checks a file and makes its plan. All problems are found in one go; where one of them is an error the
// plan is incomplete and must not be run.
func Compile(file *spec.File) (*Plan, spec.Diagnostics) {
	c := &compiler{
		file: file, plan: &Plan{Name: redact(file.Node.Get("name"), file.Name)},
		blocks: map[string]*spec.Block{}, outputs: map[string]*Output{}, broken: map[string]bool{}, meant: map[string]bool{},
	}
	c.settings()
	c.index()
	transforms, sinks := c.graph()
	for i, b := range file.Sources {
		if !b.Node.Unset {
			c.source(i, b)
		}
	}
	for _, b := range transforms {
		if !b.Node.Unset {
			c.transform(b)
		}
	}
	for _, b := range sinks {
		if !b.Node.Unset {
			c.sink(b)
		}
	}
	for _, s := range c.plan.Sources {
		s.Skips = c.skips(s)
	}
	for _, r := range rules {
		if r.check != nil {
			r.check(c)
		}
	}
	c.diags.Sort()
	return c.plan, c.diags
}

// report adds a problem at a node of the file, or at the place that d has where node is nil. A value that is
// not known has its own problem already.
func (c *compiler) report(rule string, severity spec.Severity, node *spec.Node, d spec.Diagnostic) {
	shown := d
	if node != nil {
		if node.Unset {
			return
		}
		shown = node.Diagnose(rule, redact(node, d.Message), redact(node, d.Hint))
	}
	shown.File, shown.Rule, shown.Severity, shown.Node = c.file.Path, rule, severity, d.Node
	shown.Note, shown.Fix = d.Note, d.Fix
	if node != nil && strings.Contains(node.Raw, "${") {
		shown.Fix = ""
	}
	c.diags = append(c.diags, shown)
}

// reportName adds a problem at the name of a block, for something that the block lacks.
func (c *compiler) reportName(rule string, severity spec.Severity, b *spec.Block, d spec.Diagnostic) {
	d.Line, d.Column, d.Node = b.NamePos.Line, b.NamePos.Column, b.Name
	d.EndColumn = b.NamePos.Column + max(1, utf8.RuneCountInString(b.Name))
	c.report(rule, severity, nil, d)
}

// reportKey adds a problem at the key of an entry.
func (c *compiler) reportKey(rule string, severity spec.Severity, e spec.Entry, d spec.Diagnostic) {
	d.Line, d.Column, d.EndColumn = e.KeyPos.Line, e.KeyPos.Column, e.KeyEnd.Column
	c.report(rule, severity, nil, d)
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
	for _, ref := range c.fromOf(b) {
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
	dot         bool
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
