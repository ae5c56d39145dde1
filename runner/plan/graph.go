package plan

import (
	"fmt"
	"sort"
	"strings"

	"tidemark/spec"
)

// fromOf gives the names in a block's `from`.
func fromOf(b *spec.Block) []reference {
	n := b.Node.Get("from")
	if n == nil {
		return nil
	}
	var refs []reference
	add := func(n *spec.Node) {
		if n.Kind != spec.Scalar {
			return
		}
		block, port, _ := strings.Cut(n.Text, ".")
		refs = append(refs, reference{block, port, n})
	}
	if n.Kind == spec.List {
		for _, item := range n.Items {
			add(item)
		}
		return refs
	}
	add(n)
	return refs
}

// graph checks every `from` and gives the transforms in an order in which each comes after what it reads.
func (c *compiler) graph() []*spec.Block {
	if len(c.file.Sources) == 0 {
		c.whole("TM023", "no sources", "a pipeline reads something: sources: {in: {type: file, path: in.jsonl}}")
	}
	if len(c.file.Sinks) == 0 {
		c.whole("TM023", "no sinks", "a pipeline writes something: sinks: {out: {from: NAME, type: stdout}}")
	}
	for _, b := range append(append([]*spec.Block{}, c.file.Transforms...), c.file.Sinks...) {
		c.checkFrom(b)
	}
	order := c.sorted()
	c.unused()
	return order
}

func (c *compiler) whole(rule, message, hint string) {
	c.report(rule, spec.Error, nil, spec.Diagnostic{Line: 1, Column: 1, Message: message, Hint: hint})
}

func (c *compiler) checkFrom(b *spec.Block) {
	n := b.Node.Get("from")
	if n == nil {
		c.report("TM005", spec.Error, nil, spec.Diagnostic{
			Line: b.NamePos.Line, Column: b.NamePos.Column, EndColumn: b.NamePos.Column + len(b.Name), Node: b.Name,
			Message: fmt.Sprintf("%s %q needs \"from\"", b.Role, b.Name), Hint: "from: NAME of a source or transform",
		})
		c.broken[b.Name] = true
		return
	}
	refs := fromOf(b)
	if len(refs) == 0 {
		c.report("TM006", spec.Error, n, spec.Diagnostic{Node: b.Name,
			Message: `"from" wants the name of an output, or a list of names`, Hint: "from: orders"})
		c.broken[b.Name] = true
	}
	for _, ref := range refs {
		if !c.checkReference(b, ref) {
			c.broken[b.Name] = true
		}
	}
}

func (c *compiler) checkReference(b *spec.Block, ref reference) bool {
	target, ok := c.blocks[ref.block]
	if !ok || target.Role == spec.Sink {
		d := spec.Diagnostic{Node: b.Name, Message: fmt.Sprintf("%q does not exist", ref.block), Hint: "known: " + strings.Join(c.readable(), ", ")}
		if ok {
			d.Message = fmt.Sprintf("%q is a sink: nothing can be read from it", ref.block)
		} else if near, found := spec.Nearest(ref.block, c.readable()); found {
			d.Hint = "did you mean " + near + "?"
		}
		c.report("TM020", spec.Error, ref.node, d)
		return false
	}
	if _, ok := ports[ref.port]; !ok {
		c.report("TM024", spec.Error, ref.node, spec.Diagnostic{Node: b.Name,
			Message: fmt.Sprintf("%q does not exist", ref.name()), Hint: fmt.Sprintf("outputs of %s: %s", ref.block, strings.Join(outputsOf(target), ", "))})
		return false
	}
	if ref.port == "late" && !canBeLate(target) {
		message := fmt.Sprintf("%q has no window, so nothing can be late", ref.block)
		if target.Role == spec.Source {
			message = fmt.Sprintf("%q is a source: records are late for a window, not for a source", ref.block)
		}
		c.report("TM025", spec.Error, ref.node, spec.Diagnostic{Node: b.Name, Message: message, Hint: "read .late of the transform with the window"})
		return false
	}
	return true
}

// canBeLate reports whether a block has a window, as it is written.
func canBeLate(b *spec.Block) bool {
	return b.Role == spec.Transform && (b.Node.Get("window") != nil || b.Node.Get("aggregate") != nil)
}

func outputsOf(b *spec.Block) []string {
	list := []string{b.Name}
	if canBeLate(b) {
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
		for _, ref := range fromOf(b) {
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
		if n := b.Node.Get("from"); n != nil {
			lines = append(lines, fmt.Sprintf("%s reads in line %d", b.Name, n.Pos.Line))
		}
		c.broken[b.Name] = true
	}
	names = append(names, names[0])
	c.report("TM021", spec.Error, ref.node, spec.Diagnostic{Node: path[len(path)-1].Name,
		Message: "cycle: " + strings.Join(names, " → "), Hint: strings.Join(lines, ", ") + "; records must flow one way"})
}

// unused reports sources and transforms from which no sink can be reached.
func (c *compiler) unused() {
	reached := map[string]bool{}
	var mark func(b *spec.Block)
	mark = func(b *spec.Block) {
		for _, ref := range fromOf(b) {
			if target := c.blocks[ref.block]; target != nil && !reached[target.Name] {
				reached[target.Name] = true
				mark(target)
			}
		}
	}
	for _, b := range c.file.Sinks {
		mark(b)
	}
	if len(c.file.Sinks) == 0 {
		return
	}
	for _, list := range [][]*spec.Block{c.file.Sources, c.file.Transforms} {
		for _, b := range list {
			if !reached[b.Name] {
				c.report("TM022", spec.Warning, nil, spec.Diagnostic{
					Line: b.NamePos.Line, Column: b.NamePos.Column, EndColumn: b.NamePos.Column + len(b.Name), Node: b.Name,
					Message: fmt.Sprintf("%s %q is not used by any sink", b.Role, b.Name), Hint: "add a sink or remove it"})
			}
		}
	}
}

// readers counts who reads each output of a block.
func (c *compiler) readers(name string) int {
	n := 0
	for _, list := range [][]*spec.Block{c.file.Transforms, c.file.Sinks} {
		for _, b := range list {
			for _, ref := range fromOf(b) {
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
