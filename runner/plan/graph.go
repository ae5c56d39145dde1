package plan

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"tidemark/spec"
)

// fromOf gives the names in a block's `from`. The aliases of a join count as a list.
func (c *compiler) fromOf(b *spec.Block) []reference {
	n := c.clause(b, "from")
	if n == nil || n.Unset {
		return nil
	}
	values := n.List()
	if n.Kind == spec.Map {
		values = nil
		for _, e := range n.Entries {
			values = append(values, e.Value)
		}
	}
	var refs []reference
	for _, value := range values {
		if value.Kind == spec.Scalar && !value.Unset {
			block, port, dot := strings.Cut(value.Text, ".")
			refs = append(refs, reference{block, port, dot, value})
		}
	}
	return refs
}

// graph checks every `from` and gives the transforms and the sinks in an order in which each comes after what it reads.
func (c *compiler) graph() (transforms, sinks []*spec.Block) {
	c.needs("sources", len(c.file.Sources), "a pipeline reads something: sources: {in: {type: file, path: in.jsonl}}")
	c.needs("sinks", len(c.file.Sinks), "a pipeline writes something: sinks: {out: {from: NAME, type: stdout}}")
	for _, b := range append(append([]*spec.Block{}, c.file.Transforms...), c.file.Sinks...) {
		c.checkFrom(b)
	}
	transforms, sinks = c.sorted()
	c.unused()
	return transforms, sinks
}

// needs reports a section without blocks. In a file of which parts could not be read it may stand there.
func (c *compiler) needs(section string, blocks int, hint string) {
	if blocks > 0 || c.file.Partial {
		return
	}
	at := c.file.Node.Get(section)
	if at == nil {
		at = c.file.Node
	}
	c.report("TM023", spec.Error, at, spec.Diagnostic{Message: "no " + section, Hint: hint})
}

func (c *compiler) checkFrom(b *spec.Block) {
	n := c.clause(b, "from")
	if b.Node.Unset || n != nil && n.Unset {
		c.broken[b.Name], c.vague = true, true
		return
	}
	if n == nil {
		c.reportName("TM005", spec.Error, b, spec.Diagnostic{
			Message: fmt.Sprintf("%s %q needs \"from\"", b.Role, b.Name), Hint: "from: NAME of a source or transform"})
		c.broken[b.Name], c.vague = true, true
		return
	}
	refs := c.fromOf(b)
	joins := n.Kind == spec.Map && c.clause(b, "join") != nil
	if len(refs) == 0 || len(refs) < len(n.List()) || n.Kind == spec.Map && !joins {
		hint := "from: orders"
		if n.Kind == spec.Map {
			hint = "a list is read as one: from: [a, b]"
		}
		c.report("TM006", spec.Error, n, spec.Diagnostic{Node: b.Name, Message: `"from" wants the name of an output, or a list of names`, Hint: hint})
		c.broken[b.Name], c.vague = true, true
	}
	for _, ref := range refs {
		if !c.checkReference(b, ref) {
			c.broken[b.Name] = true
		}
	}
}

func (c *compiler) checkReference(b *spec.Block, ref reference) bool {
	target, ok := c.blocks[ref.block]
	switch {
	case !ok:
		c.unknownBlock(b, ref)
		return false
	case target.Role == spec.Sink && !ref.dot:
		c.report("TM020", spec.Error, ref.node, spec.Diagnostic{Node: b.Name,
			Message: fmt.Sprintf("%q is a sink: only what it could not write can be read", ref.block),
			Hint:    fmt.Sprintf("%s.dirty, or one of: %s", ref.block, strings.Join(c.readable(), ", "))})
		return false
	case target.Role == spec.Sink && ref.port == "dirty" && b.Role == spec.Transform:
		c.refuse(b.Name, ref.node, "a transform over "+ref.node.Quote(), "write it to a sink: from: "+ref.name())
		return false
	}
	if known, good := c.checkPort(b, target, ref); known {
		return good
	}
	if _, ok := ports[ref.port]; !ok || ref.dot && ref.port == "" || target.Role == spec.Sink && ref.port != "dirty" {
		d := spec.Diagnostic{Node: b.Name,
			Message: fmt.Sprintf("%s does not exist", ref.node.Quote()), Hint: fmt.Sprintf("outputs of %s: %s", ref.block, strings.Join(c.outputsOf(target), ", "))}
		if near, found := spec.Nearest(ref.port, []string{"late", "dirty"}); found && slices.Contains(c.outputsOf(target), ref.block+"."+near) {
			d.Fix = ref.block + "." + near
		}
		c.report("TM024", spec.Error, ref.node, d)
		return false
	}
	if ref.port == "late" && !c.canBeLate(target) {
		message := fmt.Sprintf("%q has no window, so nothing can be late", ref.block)
		if target.Role == spec.Source {
			message = fmt.Sprintf("%q is a source: records are late for a window, not for a source", ref.block)
		}
		c.report("TM025", spec.Error, ref.node, spec.Diagnostic{Node: b.Name, Message: message, Hint: "read .late of the transform with the window"})
		return false
	}
	return true
}

// unknownBlock reports a name that no block has. Where parts of the file could not be read, it may stand there.
func (c *compiler) unknownBlock(b *spec.Block, ref reference) {
	known := c.readable()
	if ref.port == "dirty" {
		for _, s := range c.file.Sinks {
			known = append(known, s.Name)
		}
	}
	near, found := spec.Nearest(ref.block, known)
	c.meant[near] = true
	c.vague = c.vague || !found
	if c.file.Partial || len(c.readable()) == 0 {
		return
	}
	d := spec.Diagnostic{Node: b.Name, Message: fmt.Sprintf("%q does not exist", ref.block), Hint: "known: " + strings.Join(c.readable(), ", ")}
	if found {
		d.Hint, d.Fix = "did you mean "+near+"?", near
		if ref.dot {
			d.Fix += "." + ref.port
		}
	}
	c.report("TM020", spec.Error, ref.node, d)
}

// canBeLate reports whether a block has a window, or a join that waits, as it is written.
func (c *compiler) canBeLate(b *spec.Block) bool {
	return b.Role == spec.Transform && (c.clause(b, "window") != nil || c.clause(b, "join") != nil)
}

func (c *compiler) outputsOf(b *spec.Block) []string {
	if b.Role == spec.Sink {
		return []string{b.Name + ".dirty"}
	}
	list := []string{b.Name}
	if names := c.splitNames(b); names != nil {
		list = list[:0]
		for _, name := range names {
			list = append(list, b.Name+"."+name)
		}
	}
	if c.canBeLate(b) {
		list = append(list, b.Name+".late")
	}
	return append(list, b.Name+".dirty")
}

func (c *compiler) readable() []string {
	var names []string
	for _, list := range [][]*spec.Block{c.file.Sources, c.file.Transforms} {
		for _, b := range list {
			names = append(names, b.Name)
		}
	}
	return names
}

// unused reports sources and transforms from which no sink can be reached. Where a `from` can't be read, nobody
// knows what it would have reached.
func (c *compiler) unused() {
	if len(c.file.Sinks) == 0 || c.file.Partial || c.vague {
		return
	}
	reached := map[string]bool{}
	var mark func(b *spec.Block)
	reach := func(name string) {
		if target := c.blocks[name]; target != nil && !reached[name] {
			reached[name] = true
			mark(target)
		}
	}
	mark = func(b *spec.Block) {
		for _, ref := range c.fromOf(b) {
			reach(ref.block)
		}
	}
	for _, b := range c.file.Sinks {
		mark(b)
	}
	for name := range c.meant {
		reach(name)
	}
	for _, b := range append(append([]*spec.Block{}, c.file.Sources...), c.file.Transforms...) {
		if c.blocks[b.Name] == b && !reached[b.Name] {
			c.reportName("TM022", spec.Warning, b, spec.Diagnostic{
				Message: fmt.Sprintf("%s %q is not used by any sink", b.Role, b.Name), Hint: "add a sink or remove it"})
		}
	}
}

// readers counts who reads each output of a block.
func (c *compiler) readers(name string) int {
	n := 0
	for _, list := range [][]*spec.Block{c.file.Transforms, c.file.Sinks} {
		for _, b := range list {
			for _, ref := range c.fromOf(b) {
				if ref.name() == name {
					n++
				}
			}
		}
	}
	return n
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
