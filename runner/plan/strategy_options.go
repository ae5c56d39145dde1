package plan

import (
	"fmt"
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
	c.refuseOption(s, "per", o.Per, "partition")
	c.refuseOption(s, "on_regress", o.OnRegress, "ignore")
}

// boundedOptions reads the options of a source that is read to its end. Of an unknown kind nobody knows whether it is.
func (c *compiler) boundedOptions(s *Source, o watermarkOptions) {
	if s.Kind == nil {
		return
	}
	if o.Idle != nil && !o.Idle.IsPlain("off") {
		c.idle(s, o.Idle)
	}
	c.refuseOption(s, "max_ahead", o.MaxAhead, "off")
	c.refuseOption(s, "interval", o.Interval, "0s", "0", "0ms")
	c.refuseOption(s, "align", o.Align)
}

// refuseOption refuses an option, but for values that say what happens anyway.
func (c *compiler) refuseOption(s *Source, word string, n *spec.Node, always ...string) {
	if n != nil && !(n.Kind == spec.Scalar && contains(always, n.Text)) {
		c.refuse(s.Name, n, `"`+word+`"`, "leave it out")
	}
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

// idle says that a source which ends by itself is never idle.
func (c *compiler) idle(s *Source, n *spec.Node) {
	if _, found := spec.DecodeDuration(n, "idle"); len(found) > 0 {
		c.add(s.Name, found)
		return
	}
	c.report("TM506", spec.Warning, n, spec.Diagnostic{Node: s.Name,
		Message: fmt.Sprintf("idle has no effect: %q is read to its end", s.Name), Hint: "leave it out"})
}
