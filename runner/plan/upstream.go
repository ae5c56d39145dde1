package plan

import (
	"tidemark/spec"
	"tidemark/stream"
)

// maker gives the source or transform that makes an output.
func (c *compiler) maker(o *Output) (*Source, *Transform) {
	for _, s := range c.plan.Sources {
		if s.Name == o.Node {
			return s, nil
		}
	}
	for _, t := range c.plan.Transforms {
		if t.Name == o.Node {
			return nil, t
		}
	}
	return nil, nil
}

// sourcesOf visits the sources whose records reach an output without being aggregated on the way.
func (c *compiler) sourcesOf(o *Output, visit func(*Source)) {
	s, t := c.maker(o)
	switch {
	case o.Port == stream.Dirty:
	case s != nil:
		visit(s)
	case t != nil && (t.Window == nil || o.Port == stream.Late):
		for _, in := range t.Inputs {
			c.sourcesOf(in, visit)
		}
	}
}

// refinersOf visits the transforms whose windows write rows again, where those rows reach an output.
func (c *compiler) refinersOf(o *Output, visit func(*Transform)) {
	_, t := c.maker(o)
	switch {
	case t == nil || o.Port == stream.Dirty:
	case o.Port != stream.Late && t.Window != nil:
		if t.Window.Lateness > 0 && t.Window.Bounds {
			visit(t)
		}
	default:
		for _, in := range t.Inputs {
			c.refinersOf(in, visit)
		}
	}
}

// eventWindows visits the transforms whose windows go by event time.
func (c *compiler) eventWindows(visit func(*Transform)) {
	for _, t := range c.plan.Transforms {
		if t.Window != nil && t.Window.Bounds && !t.Window.Processing {
			visit(t)
		}
	}
}

// fromAt gives the place in a block's `from` that names an output.
func (c *compiler) fromAt(b *spec.Block, o *Output) *spec.Node {
	for _, ref := range c.fromOf(b) {
		if ref.name() == o.Name {
			return ref.node
		}
	}
	return c.option(b, "from")
}
