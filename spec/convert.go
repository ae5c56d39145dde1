package spec

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

// aliasBudget is how many values may come out of aliases in one file; more is a bomb.
const aliasBudget = 100_000

// converter makes Nodes of YAML's nodes: places, substitution, and the slips that only the written text shows.
type converter struct {
	doc              *document
	names            *variables
	done             map[*yaml.Node]*Node // what has an anchor
	varsFrom, varsTo Pos                  // the section vars, whose values are looked up outside only
	copied           int
	faults           Diagnostics
}

func (c *converter) report(d Diagnostic) { c.faults = append(c.faults, d) }

// node converts a value; flow says that it stands within { } or [ ].
func (c *converter) node(y *yaml.Node, flow bool) *Node {
	n := &Node{doc: c.doc, Pos: c.doc.place(y), Flow: flow || y.Style&yaml.FlowStyle != 0}
	if y.Style&yaml.TaggedStyle != 0 {
		n.Tag = y.Tag
	}
	switch y.Kind {
	case yaml.AliasNode:
		return c.follow(y, n.Pos)
	case yaml.ScalarNode:
		c.scalar(n, y)
	case yaml.SequenceNode:
		n.Kind = List
		c.list(n, y)
	case yaml.MappingNode:
		n.Kind = Map
		c.entries(n, y)
	}
	c.checkTag(n)
	if y.Anchor != "" {
		c.done[y] = n
	}
	return n
}

// follow gives what an alias stands for, placed at the alias.
func (c *converter) follow(y *yaml.Node, p Pos) *Node {
	end := Pos{p.Line, p.Column + 1 + len(y.Value)}
	unset := &Node{doc: c.doc, Pos: p, End: end, Unset: true}
	target := c.done[y.Alias]
	if target == nil {
		c.report(c.doc.diagnose(p, end, "TM001", fmt.Sprintf("*%s stands within the value that &%s names", y.Value, y.Value),
			"a value can't contain itself: write the value out"))
		return unset
	}
	before := c.copied
	n := c.relocate(target, p, end)
	if c.copied > aliasBudget {
		if before <= aliasBudget {
			c.report(c.doc.diagnose(p, end, "TM001", fmt.Sprintf("*%s grows to too many values", y.Value),
				"aliases of aliases multiply: write the values out"))
		}
		return unset
	}
	return n
}

// relocate copies a value to the place of an alias.
func (c *converter) relocate(n *Node, p, end Pos) *Node {
	c.copied++
	out := *n
	out.Pos, out.End, out.alias = p, end, true
	if c.copied > aliasBudget {
		return &out
	}
	if n.Items != nil {
		out.Items = make([]*Node, len(n.Items))
		for i, item := range n.Items {
			out.Items[i] = c.relocate(item, p, end)
		}
	}
	if n.Entries != nil {
		out.Entries = make([]Entry, len(n.Entries))
		for i, e := range n.Entries {
			out.Entries[i] = Entry{Key: e.Key, KeyPos: p, KeyEnd: end, Value: c.relocate(e.Value, p, end)}
		}
	}
	return &out
}

// scalar fills n from a scalar.
func (c *converter) scalar(n *Node, y *yaml.Node) {
	n.Kind, n.Text, n.Raw, n.Style = Scalar, y.Value, y.Value, styleOf(y)
	if n.Style == Plain && n.Text == "" {
		c.null(n)
		return
	}
	from := c.doc.offset(n.Pos)
	to := c.doc.end(from, n.Style, n.Text)
	n.End = c.doc.pos(to)
	if n.Style >= Literal {
		n.Unset = n.Text == "" && c.doc.brokenWithin(n.Pos.Line, n.Pos.Line+1)
		c.doc.blocks = append(c.doc.blocks, [2]int{n.Pos.Line + 1, n.End.Line})
	}
	if n.Style == Plain {
		n.commented = c.doc.commentFollows(to)
		if n.Text == "~" && n.Tag == "" {
			n.Kind, n.Text = Null, ""
			return
		}
		c.checkSwallowed(n)
		c.checkNumber(n)
	}
	c.names.substitute(c, n)
}

// null marks an empty value; one beside a line that could not be read isn't known.
func (c *converter) null(n *Node) {
	n.Kind, n.End = Null, n.Pos
	if n.Tag != "" {
		n.End = Pos{n.Pos.Line, n.Pos.Column + len(n.Tag)}
	}
	first := n.Pos.Line
	if n.Flow { // YAML puts the empty value before the bracket that follows
		first--
	}
	n.Unset = c.doc.brokenWithin(first, n.Pos.Line+1)
}

// list fills n from a sequence.
func (c *converter) list(n *Node, y *yaml.Node) {
	items := y.Content
	if n.Flow {
		items = c.joinItems(items)
	}
	n.Items = make([]*Node, len(items))
	for i, item := range items {
		n.Items[i] = c.node(item, n.Flow)
	}
	n.End = n.Pos
	if len(items) > 0 {
		n.End = n.Items[len(items)-1].End
	}
	c.closeFlow(n, y, ']')
}

// closeFlow moves the end of a { } or [ ] behind its bracket when that follows at once.
func (c *converter) closeFlow(n *Node, y *yaml.Node, bracket byte) {
	if y.Style&yaml.FlowStyle == 0 {
		return
	}
	i := c.doc.offset(n.End)
	if n.End == n.Pos { // empty
		i = c.doc.skipProperties(i) + 1
	}
	for i < len(c.doc.text) && (c.doc.blank(i) || c.doc.text[i] == ',') {
		i++
	}
	if i < len(c.doc.text) && c.doc.text[i] == bracket {
		n.End = c.doc.pos(i + 1)
	}
}
