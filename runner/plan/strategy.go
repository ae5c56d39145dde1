package plan

import (
	"fmt"

	"tidemark/operators/watermark"
	"tidemark/spec"
)

// watermarkOptions is the long form of `watermark`.
type watermarkOptions struct {
	Bounded    *spec.Duration `spec:"bounded"`
	Monotonous *bool          `spec:"monotonous"`
	None       *bool          `spec:"none"`
	Punctuated *spec.Expr     `spec:"punctuated"`

	Idle      *spec.Node `spec:"idle"`
	MaxAhead  *spec.Node `spec:"max_ahead"`
	Interval  *spec.Node `spec:"interval"`
	Align     *spec.Node `spec:"align"`
	Per       *spec.Node `spec:"per"`
	OnRegress *spec.Node `spec:"on_regress"`
}

func (c *compiler) watermark(s *Source, build *stageBuilder, n *spec.Node) {
	s.Watermark.Strategy = watermark.Strategy{Kind: watermark.Bounded}
	if s.Timestamp == nil {
		s.Watermark.Strategy = watermark.Strategy{Kind: watermark.None}
	}
	if s.live() {
		s.Watermark.Idle, s.Watermark.MaxAhead = int64(defaultIdle), int64(defaultMaxAhead)
	}
	if n == nil {
		return
	}
	s.Watermark.Given, s.Watermark.Node = true, n
	if n.Kind != spec.Map {
		c.shortWatermark(s, n)
		return
	}
	var o watermarkOptions
	found := spec.Decode(n, &o, spec.DecodeOptions{What: fmt.Sprintf("watermark of %q", s.Name), Node: s.Name})
	c.diags = append(c.diags, found...)
	c.watermarkOptions(s, o)
	c.per(s, build, o)
	if o.Punctuated != nil && s.Watermark.Per != nil {
		c.report("TM009", spec.Error, o.Per, spec.Diagnostic{Node: s.Name,
			Message: "a watermark per value follows from event times, and a punctuated one from markers", Hint: "per: partition, or {bounded: 5s, per: …}"})
	}
	c.onRegress(s, o)
	given := 0
	for _, key := range []string{"bounded", "monotonous", "none", "punctuated"} {
		if v := n.Get(key); v != nil && faulty(found, v) {
			return
		}
	}
	if o.Bounded != nil {
		given++
		s.Watermark.Strategy = watermark.Strategy{Kind: watermark.Bounded, Delay: int64(*o.Bounded)}
	}
	if o.Monotonous != nil && *o.Monotonous {
		given++
		s.Watermark.Strategy = watermark.Strategy{Kind: watermark.Monotonous}
	}
	if o.None != nil && *o.None {
		given++
		s.Watermark.Strategy = watermark.Strategy{Kind: watermark.None}
	}
	if o.Punctuated != nil && o.Punctuated.Known() {
		given++
		c.punctuated(s, build, *o.Punctuated)
	}
	if given != 1 {
		rule, message := "TM009", "only one of bounded, monotonous, punctuated and none can be given"
		if given == 0 {
			rule, message = "TM005", "watermark needs a strategy"
		}
		c.report(rule, spec.Error, n, spec.Diagnostic{Node: s.Name, Message: message, Hint: "watermark: 5s, or {bounded: 5s}, {monotonous: true}, {punctuated: EXPR}, {none: true}"})
	}
}

// shortWatermark reads `5s`, `monotonous` and `none`.
func (c *compiler) shortWatermark(s *Source, n *spec.Node) {
	switch {
	case n.Kind == spec.Scalar && n.Text == "monotonous":
		s.Watermark.Strategy = watermark.Strategy{Kind: watermark.Monotonous}
	case n.Kind == spec.Scalar && n.Text == "none":
		s.Watermark.Strategy = watermark.Strategy{Kind: watermark.None}
	default:
		if n.Unset {
			return
		}
		d, found := spec.DecodeDuration(n, "watermark")
		if near, ok := n.Nearest([]string{"monotonous", "none"}); ok && len(found) > 0 {
			found[0].Hint, found[0].Fix = "did you mean "+near+"?", near
		}
		c.add(s.Name, found)
		s.Watermark.Strategy = watermark.Strategy{Kind: watermark.Bounded, Delay: int64(d)}
	}
}

// punctuated compiles the marker of a punctuated strategy.
func (c *compiler) punctuated(s *Source, build *stageBuilder, e spec.Expr) {
	s.Watermark.Strategy = watermark.Strategy{Kind: watermark.Punctuated}
	p := c.program(s.Block, "punctuated", e.Node, e.Text, markerScope(build.scope()))
	if p == nil {
		return
	}
	step := &Step{Clause: "punctuated", Field: "watermark", Program: p, Node: e.Node, Target: -1}
	for _, path := range p.Uses() {
		if len(path) == 1 && (path[0] == "event_time" || path[0] == "max_event_time") {
			step.Columns = append(step.Columns, build.fact(path[0]))
			continue
		}
		step.Columns = append(step.Columns, build.column(path))
	}
	s.Watermark.Marker = step
	if s.Timestamp != nil {
		c.checkMarker(s, step)
	}
}
