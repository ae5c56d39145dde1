package spec

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

// entries fills n from a mapping: each key once, merge keys resolved.
func (c *converter) entries(n *Node, y *yaml.Node) {
	pairs := y.Content
	if n.Flow {
		pairs = c.joinEntries(pairs)
	}
	n.Entries = make([]Entry, 0, len(pairs)/2)
	given := make(map[string]Pos, len(pairs)/2)
	merges := map[int]*Node{} // what is merged before the entry of this number
	for i := 0; i+1 < len(pairs); i += 2 {
		key, end, ok := c.key(pairs[i])
		value := c.node(pairs[i+1], n.Flow)
		n.End = value.End
		if !ok {
			continue
		}
		e := Entry{Key: key, KeyPos: c.doc.place(pairs[i]), KeyEnd: end, Value: value}
		if first, twice := given[key]; twice {
			c.report(e.Diagnose("TM002", fmt.Sprintf("key %q is already given in line %d", key, first.Line),
				"a key stands once: remove or rename one of them"))
			continue
		}
		given[key] = e.KeyPos
		if pairs[i].Tag == "!!merge" && pairs[i].Style&yaml.TaggedStyle == 0 {
			merges[len(n.Entries)] = value
			continue
		}
		n.Entries = append(n.Entries, e)
	}
	if len(merges) > 0 {
		c.merge(n, merges, given)
	}
	if len(pairs) == 0 {
		n.End = n.Pos
	}
	c.closeFlow(n, y, '}')
}

// key reads a key, which must be text, and gives the place behind it.
func (c *converter) key(y *yaml.Node) (string, Pos, bool) {
	p := c.doc.place(y)
	switch {
	case y.Kind == yaml.AliasNode && y.Alias.Kind == yaml.ScalarNode:
		return y.Alias.Value, Pos{p.Line, p.Column + 1 + len(y.Value)}, true
	case y.Kind != yaml.ScalarNode:
		c.report(c.doc.diagnose(p, p, "TM006", "a key is text, not a map or a list", `quote it if it is an expression; ${NAME} needs quotes too`))
		return "", p, false
	}
	end := c.doc.end(c.doc.offset(p), styleOf(y), y.Value)
	return y.Value, c.doc.pos(end), true
}

// merge puts the entries of `<<` values in their places; given keys win, and of several merged maps the first.
func (c *converter) merge(n *Node, merges map[int]*Node, given map[string]Pos) {
	entries := make([]Entry, 0, len(n.Entries))
	for i := 0; i <= len(n.Entries); i++ {
		if from := merges[i]; from != nil {
			for _, m := range from.List() {
				if m.Kind != Map && !m.Unset {
					c.report(m.Diagnose("TM006", "<< wants a map to merge, got "+m.describe(), "<<: *name of a map that is marked &name"))
				}
				for _, e := range m.Entries {
					if _, taken := given[e.Key]; !taken {
						given[e.Key] = e.KeyPos
						entries = append(entries, e)
					}
				}
			}
		}
		if i < len(n.Entries) {
			entries = append(entries, n.Entries[i])
		}
	}
	n.Entries = entries
}
