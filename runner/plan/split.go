package plan

import (
	"fmt"
	"regexp"
	"strings"

	"tidemark/spec"
	"tidemark/stream"
)

// Split deals the rows of a transform out: each goes to the output of the first condition that is true, or to the last
// output where none is.
type Split struct {
	// Conditions are over the columns of the transform's last stage.
	Conditions []Step
	// Outputs has one more element than Conditions: their outputs, and that of the rest. All have the columns of the
	// transform's main output.
	Outputs []*Output
}

// restOutput is the output of what no condition of a split takes.
const restOutput = "rest"

var outputName = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// splitNames gives the outputs that a block's split names, as it is written; none where there is no split.
func (c *compiler) splitNames(b *spec.Block) []string {
	n := c.clause(b, "split")
	if n == nil {
		return nil
	}
	names := []string{}
	for _, e := range n.Entries {
		names = append(names, e.Key)
	}
	return append(names, restOutput)
}

// checkPort checks the output that a reference asks of a block with a split, or `rest` of one without.
func (c *compiler) checkPort(b, target *spec.Block, ref reference) (known, good bool) {
	names := c.splitNames(target)
	d := spec.Diagnostic{Node: b.Name, Hint: fmt.Sprintf("outputs of %s: %s", ref.block, strings.Join(c.outputsOf(target), ", "))}
	switch {
	case names == nil && ref.port == restOutput:
		d.Message = fmt.Sprintf("%q has no split, so there is no rest", ref.block)
	case names == nil:
		return false, false
	case !ref.dot:
		d.Message = fmt.Sprintf("%q is split: it has no output of its own name", ref.block)
	case contains(names, ref.port):
		return true, true
	default:
		return false, false
	}
	c.report("TM025", spec.Error, ref.node, d)
	return true, false
}

// split compiles `split` over what a stage makes.
func (k *block) split(s *stageBuilder) {
	n := k.o.Split
	if n == nil || n.Unset {
		return
	}
	if n.Kind != spec.Map || len(n.Entries) == 0 {
		k.report("TM006", spec.Error, n, spec.Diagnostic{Node: k.Name,
			Message: `"split" wants a map {output: condition}`, Hint: "split: {large: amount > 100}"})
		return
	}
	list, found := spec.DecodeExprs(n, "split", false)
	for i := range found {
		found[i].Node = k.Name
	}
	k.diags = append(k.diags, found...)
	split := &Split{}
	k.t.Split = split
	for _, e := range list {
		k.splitName(e)
		k.branch(split, e.Name)
		if !e.Expr.Known() {
			continue
		}
		if p := k.condition(k.Block, "split", e.Expr.Node, e.Expr.Text, s.scope()); p != nil {
			split.Conditions = append(split.Conditions, Step{Clause: "split", Field: e.Name, Program: p, Columns: s.bind(p), Node: e.Expr.Node})
		}
	}
	k.branch(split, restOutput)
}

// branch adds an output, which is as the main one.
func (k *block) branch(split *Split, name string) {
	o := *k.t.Main
	o.Name = k.Name + "." + name
	o.Port = stream.First + stream.Port(len(split.Outputs))
	o.Readers = k.readers(o.Name)
	split.Outputs = append(split.Outputs, &o)
}

// splitName checks the name of an output.
func (k *block) splitName(e spec.NamedExpr) {
	d := spec.Diagnostic{Line: e.Pos.Line, Column: e.Pos.Column, EndColumn: e.Pos.Column + len([]rune(e.Name)), Node: k.Name}
	switch _, taken := ports[e.Name]; {
	case taken || e.Name == restOutput:
		d.Message, d.Hint = fmt.Sprintf("every transform has an output %q of its own", e.Name), "give this one another name"
		if e.Name == restOutput {
			d.Message = `"rest" is the output of what no condition takes`
		}
	case !outputName.MatchString(e.Name):
		d.Message, d.Hint = fmt.Sprintf("%q is no name of an output", e.Name), "small letters, digits and _, a letter first"
	default:
		return
	}
	k.report("TM006", spec.Error, nil, d)
}
