package plan

import (
	"fmt"
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

// graph checks every `from` and gives the transforms in an order in which each comes after what it reads.
func (c *compiler) graph() []*spec.Block {
	c.needs("sources", len(c.file.Sources), "a pipeline reads something: sources: {in: {type: file, path: in.jsonl}}")
	c.needs("sinks", len(c.file.Sinks), "a pipeline writes something: sinks: {out: {from: NAME, type: stdout}}")
	for _, b := range append(append([]*spec.Block{}, c.file.Transforms...), c.file.Sinks...) {
		c.checkFrom(b)
	}
	order := c.sorted()
	c.unused()
	return order
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
	case target.Role == spec.Sink:
		c.report("TM020", spec.Error, ref.node, spec.Diagnostic{Node: b.Name,
			Message: fmt.Sprintf("%q is a sink: nothing can be read from it", ref.block), Hint: "known: " + strings.Join(c.readable(), ", ")})
		return false
	}
	if known, good := c.checkPort(b, target, ref); known {
		return good
	}
	if _, ok := ports[ref.port]; !ok || ref.dot && ref.port == "" {
		d := spec.Diagnostic{Node: b.Name,
			Message: fmt.Sprintf("%s does not exist", ref.node.Quote()), Hint: fmt.Sprintf("outputs of %s: %s", ref.block, strings.Join(c.outputsOf(target), ", "))}
		if near, found := spec.Nearest(ref.port, []string{"late", "dirty"}); found {
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
	near, found := spec.Nearest(ref.block, c.readable())
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

// sorted orders the transforms by what they read, and reports cycles.
func (c *compiler) sorted() []*spec.Block {
	const (
		unseen = iota
		open
		done
	)
	state := map[*spec.Block]int{}
	var order, path []*spec.Block
	var visit func(b *spec.Block)
	visit = func(b *spec.Block) {
		state[b] = open
		path = append(path, b)
		for _, ref := range c.fromOf(b) {
			target := c.blocks[ref.block]
			if target == nil || target.Role != spec.Transform {
				continue
			}
			switch state[target] {
			case unseen:
				visit(target)
			case open:
				c.cycle(path, target, ref)
			}
		}
		path = path[:len(path)-1]
		state[b] = done
		order = append(order, b)
	}
	for _, b := range c.file.Transforms {
		if state[b] == unseen {
			visit(b)
		}
	}
	return order
}

// cycle reports the blocks of path from target on, which lead back to target through ref.
func (c *compiler) cycle(path []*spec.Block, target *spec.Block, ref reference) {
	for path[0] != target {
		path = path[1:]
	}
	var names, lines []string
	for i := len(path) - 1; i >= 0; i-- {
		b := path[i]
		names = append(names, b.Name)
		if n := c.clause(b, "from"); n != nil {
			lines = append(lines, fmt.Sprintf("%s reads in line %d", b.Name, n.Pos.Line))
		}
		c.broken[b.Name] = true
	}
	names = append(names, names[0])
	c.report("TM021", spec.Error, ref.node, spec.Diagnostic{Node: path[len(path)-1].Name,
		Message: "cycle: " + strings.Join(names, " → "), Hint: strings.Join(lines, ", ") + "; records must flow one way"})
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
