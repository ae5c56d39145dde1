package runner

import (
	"context"
	"fmt"
	"slices"

	"tidemark/io/connector"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// builder connects nodes by the outputs that they read.
type builder struct {
	engine  *engine
	sources map[string]*source
	nodes   map[string]*transform
	sinks   map[string]*sink
	// regions has, for a source or transform, its source and its place in that source's region.
	regions map[string]place
}

// place is where a node's main output comes from, as far as workers can prepare it: −1 for the source itself.
type place struct {
	source *source
	at     int
}

// build makes the nodes of a plan, those upstream first.
func (e *engine) build(ctx context.Context, p *plan.Plan) error {
	b := &builder{engine: e, sources: map[string]*source{}, nodes: map[string]*transform{}, sinks: map[string]*sink{}, regions: map[string]place{}}
	for _, ps := range p.Sources {
		s := newSource(ps)
		s.readAll = e.options.ReadAll
		s.meter = e.meter(ps.Name)
		s.counts = e.count(ps.Name, "source", ps.Dirty.Readers > 0, true)
		e.sources = append(e.sources, s)
		b.sources[ps.Name] = s
		b.regions[ps.Name] = place{s, -1}
	}
	for _, pt := range p.Transforms {
		if err := b.transform(pt); err != nil {
			return err
		}
	}
	for _, ps := range p.Sinks {
		e.watch.enter(e.meter(ps.Name))
		if err := readItself(p, ps); err != nil {
			return err
		}
		if err := ps.Options.(connector.Sink).Check(environment(ps, e.options)); err != nil {
			return fmt.Errorf("%s: %w", ps.Name, err)
		}
	}
	for _, ps := range p.Sinks {
		e.watch.enter(e.meter(ps.Name))
		s, err := openSink(ctx, ps, e)
		if err != nil {
			return err
		}
		e.sinks = append(e.sinks, s)
		b.sinks[ps.Name] = s
		b.sink(ps, s)
	}
	return nil
}

// readItself refuses a sink that would put its result in the place of what is read for it.
func readItself(p *plan.Plan, k *plan.Sink) error {
	replacing, ok := k.Options.(connector.Replacing)
	if !ok {
		return nil
	}
	var source string
	file := replacing.Replaces(func(target string) bool {
		return slices.ContainsFunc(p.Sources, func(s *plan.Source) bool {
			source = s.Name
			reader, ok := s.Options.(connector.Reader)
			return ok && reader.Reads(target)
		})
	})
	if file == "" {
		return nil
	}
	return fmt.Errorf("%s: %s is read by %s, and the result would take its place; write to another file", k.Name, file, source)
}

func (e *engine) count(name, kind string, dirty, late bool) *Counts {
	c := &Counts{Node: name, Kind: kind, dirty: dirty, late: late}
	e.counts = append(e.counts, c)
	return c
}

func (b *builder) transform(p *plan.Transform) error {
	e := b.engine
	t, err := newTransform(p, e.options.lanes(e.workers), e.workers)
	if err != nil {
		return err
	}
	t.meter = e.meter(p.Name)
	t.engine = e
	if p.Window != nil && p.Window.Processing {
		e.timed = append(e.timed, t)
	}
	t.counts = e.count(p.Name, "transform", p.Dirty.Readers > 0, p.Late == nil || p.Late.Readers > 0)
	b.nodes[p.Name] = t
	if p.Union != nil {
		u := newUnion(p.Union, []target{e.target(t, 0, t.meter)})
		for i, in := range p.Inputs {
			b.read(in, e.target(u, i, t.meter))
		}
		e.add(u, t.meter)
		e.add(t, t.meter)
		return nil
	}
	e.add(t, t.meter)
	from, ok := b.region(p.Inputs[0])
	if !ok || p.Explode != nil {
		b.read(p.Inputs[0], e.target(t, 0, t.meter))
		return nil
	}
	from.source.region = append(from.source.region, regionNode{from: from.at, transform: t})
	if p.Window == nil {
		b.regions[p.Name] = place{from.source, len(from.source.region) - 1}
	}
	return nil
}

// target makes an input of a node, whose time is counted.
func (e *engine) target(n node, input int, m *meter) target { return target{n, input, &e.watch, m} }

// add takes up a node that is downstream of those before it.
func (e *engine) add(n node, m *meter) {
	e.nodes = append(e.nodes, n)
	e.flushed = append(e.flushed, e.target(n, 0, m))
}

func (b *builder) sink(p *plan.Sink, s *sink) {
	e := b.engine
	s.meter = e.meter(p.Name)
	s.counts = b.engine.count(p.Name, "sink", p.Dirty != nil && p.Dirty.Readers > 0, true)
	if p.Union != nil {
		u := newUnion(p.Union, []target{e.target(s, 0, s.meter)})
		for i, in := range p.Union.Inputs {
			b.read(in, e.target(u, i, s.meter))
		}
		e.add(u, s.meter)
		e.add(s, s.meter)
		return
	}
	e.add(s, s.meter)
	if from, ok := b.region(p.Inputs[0]); ok && len(p.Inputs) == 1 && s.rows == nil && s.records == nil && s.marks == nil && p.Keys == nil {
		from.source.region = append(from.source.region, regionNode{from: from.at, sink: s})
		return
	}
	for i, in := range p.Inputs {
		b.read(in, e.target(s, i, s.meter))
	}
}

// region tells whether workers can prepare what reads an output, and from where.
func (b *builder) region(o *plan.Output) (place, bool) {
	if o.Port != stream.Main {
		return place{}, false
	}
	p, ok := b.regions[o.Node]
	return p, ok
}

// read makes a target a reader of an output.
func (b *builder) read(o *plan.Output, t target) {
	if s, ok := b.sources[o.Node]; ok {
		if o.Port == stream.Dirty {
			s.dirt.readers = append(s.dirt.readers, t)
		} else {
			s.readers = append(s.readers, t)
		}
		return
	}
	if s, ok := b.sinks[o.Node]; ok {
		s.dirt.readers = append(s.dirt.readers, t)
		return
	}
	n := b.nodes[o.Node]
	switch o.Port {
	case stream.Dirty:
		n.dirt.readers = append(n.dirt.readers, t)
	case stream.Late:
		n.late = append(n.late, t)
	case stream.Main:
		n.readers = append(n.readers, t)
	default:
		n.split.readers[o.Port-stream.First] = append(n.split.readers[o.Port-stream.First], t)
	}
}
