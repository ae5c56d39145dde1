package plan

import (
	"fmt"
	"strings"

	"tidemark/spec"
)

// sorted orders the transforms, and the sinks, by what they read, and reports cycles.
func (c *compiler) sorted() (transforms, sinks []*spec.Block) {
	const (
		unseen = iota
		open
		done
	)
	state := map[*spec.Block]int{}
	var path []*spec.Block
	var visit func(b *spec.Block)
	visit = func(b *spec.Block) {
		state[b] = open
		path = append(path, b)
		for _, ref := range c.fromOf(b) {
			target := c.blocks[ref.block]
			if target == nil || target.Role == spec.Source {
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
		if b.Role == spec.Sink {
			sinks = append(sinks, b)
		} else {
			transforms = append(transforms, b)
		}
	}
	for _, list := range [][]*spec.Block{c.file.Transforms, c.file.Sinks} {
		for _, b := range list {
			if state[b] == unseen {
				visit(b)
			}
		}
	}
	return transforms, sinks
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
