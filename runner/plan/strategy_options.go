package plan

import (
	"fmt"
	"slices"
	"strconv"

	"tidemark/spec"
)

// What an unbounded source does unless its watermark says otherwise.
const (
	defaultIdle     = spec.Minute
	defaultMaxAhead = spec.Hour
)

// watermarkOptions reads what stands beside a watermark's strategy.
func (c *compiler) watermarkOptions(s *Source, o watermarkOptions) {
	if s.Main.Bounded {
		c.boundedOptions(s, o)
	} else {
		w := &s.Watermark
		c.span(s, "idle", o.Idle, &w.Idle)
		c.span(s, "max_ahead", o.MaxAhead, &w.MaxAhead)
		c.span(s, "align", o.Align, &w.Align)
		c.interval(s, o.Interval)
	}
}

// per says whose watermarks the source combines: its partitions', none but its own, or those of an expression's values.
func (c *compiler) per(s *Source, build *stageBuilder, o watermarkOptions) {
	switch n := o.Per; {
	case n == nil || n.Unset || n.IsPlain("partition"):
		return
	case n.IsPlain("source"):
		s.Watermark.PerSource = true
		return
	}
	e, found := spec.DecodeExpr(o.Per, "per")
	c.add(s.Name, found)
	if !e.Known() {
		return
	}
	var limit spec.Limit
	switch n := o.Idle; {
	case n == nil:
		c.report("TM216", spec.Error, o.Per, spec.Diagnostic{Node: s.Name,
			Message: fmt.Sprintf("a value of %s that falls silent stops every window", o.Per.Quote()), Hint: "idle: 1m beside it: a value that is further behind is forgotten"})
	case n.Unset:
	default:
		if found := limit.DecodeNode(n, spec.DecodeOptions{What: strconv.Quote("idle")}); len(found) == 0 && (limit.Off || limit.Value <= 0) {
			c.report("TM216", spec.Error, n, spec.Diagnostic{Node: s.Name,
				Message: fmt.Sprintf("a value of %s that falls silent stops every window", o.Per.Quote()), Hint: "idle: 1m: a value that is further behind is forgotten"})
		}
	}
	s.Watermark.ValueIdle = int64(limit.Value)
	if s.live() { // of a partition that gives nothing at all the clock has to tell
		s.Watermark.Idle = int64(defaultIdle)
	}
	p := c.program(s.Block, "per", e.Node, e.Text, build.scope())
	if p == nil {
		return
	}
	s.Watermark.Per = &Step{Clause: "per", Field: "watermark", Program: p, Node: e.Node, Target: -1, Columns: build.bind(p)}
}

// regresses are the words of on_regress.
var regresses = []string{"ignore", "warn", "dirty", "fail"}

// onRegress reads what becomes of records behind others.
func (c *compiler) onRegress(s *Source, o watermarkOptions) {
	n := o.OnRegress
	if n == nil || n.Unset {
		return
	}
	i := slices.Index(regresses, n.Text)
	if n.Kind != spec.Scalar || i < 0 {
		c.choiceAt(s.Name, "on_regress", n, regresses)
		return
	}
	s.Watermark.OnRegress = Regress(i)
	if i > 0 && (o.Monotonous == nil || !*o.Monotonous) {
		c.report("TM009", spec.Error, n, spec.Diagnostic{Node: s.Name,
			Message: `"on_regress" belongs to monotonous: with any other strategy records may be behind others`, Hint: "watermark: {monotonous: true, on_regress: " + n.Text + "}"})
	}
}

// boundedOptions reads the options of a source that is read to its end. Of an unknown kind nobody knows whether it is.
func (c *compiler) boundedOptions(s *Source, o watermarkOptions) {
	if s.Kind == nil {
		return
	}
	perValue := o.Per != nil && !o.Per.IsPlain("partition") && !o.Per.IsPlain("source")
	if o.Idle != nil && !o.Idle.IsPlain("off") && !perValue {
		c.noEffect(s, "idle", o.Idle)
	}
	if o.Align != nil && !o.Align.IsPlain("off") {
		c.noEffect(s, "align", o.Align)
	}
	c.span(s, "max_ahead", o.MaxAhead, &s.Watermark.MaxAhead)
	c.interval(s, o.Interval)
}

// span reads an option that is a duration above 0, or off.
func (c *compiler) span(s *Source, word string, n *spec.Node, into *int64) {
	if n == nil || n.Unset {
		return
	}
	var limit spec.Limit
	found := limit.DecodeNode(n, spec.DecodeOptions{What: strconv.Quote(word)})
	c.add(s.Name, found)
	switch {
	case len(found) > 0:
	case limit.Off:
		*into = 0
	case limit.Value <= 0:
		c.report("TM006", spec.Error, n, spec.Diagnostic{Node: s.Name,
			Message: fmt.Sprintf("%q must be more than 0, got %s", word, n.Quote()), Hint: word + ": 1m, or off"})
	default:
		*into = int64(limit.Value)
	}
}

// interval reads how often watermarks are given.
func (c *compiler) interval(s *Source, n *spec.Node) {
	if n == nil || n.Unset {
		return
	}
	d, found := spec.DecodeDuration(n, "interval")
	c.add(s.Name, found)
	s.Watermark.Interval = int64(d)
}

// noEffect says that an option does nothing for a source which ends by itself.
func (c *compiler) noEffect(s *Source, word string, n *spec.Node) {
	if _, found := spec.DecodeDuration(n, word); len(found) > 0 {
		c.add(s.Name, found)
		return
	}
	c.report("TM506", spec.Warning, n, spec.Diagnostic{Node: s.Name,
		Message: fmt.Sprintf("%s has no effect: %q is read to its end", word, s.Name), Hint: "leave it out"})
}
