package plan

import (
	"fmt"
	"slices"

	"tidemark/operators/watermark"
	"tidemark/operators/window"
	"tidemark/spec"
	"tidemark/stream"
)

// clicks gives a whole file whose source has the given lines, for the examples of the rules of time.
func clicks(source string) string { return clicksInto(source, "{tumbling: 1m}") }

func clicksInto(source, window string) string {
	return `
sources:
  clicks:
    type: file
    path: clicks.jsonl
    schema: {user: string, ts: int, final: bool}
` + source + `transforms:
  visits: {from: clicks, key: user, window: ` + window + `, aggregate: {n: count()}}
sinks:
  out: {from: visits, type: stdout}
`
}

const withTime = "    timestamp: {expr: ts, unit: ms}\n"

var noEventTime = rule{check: checkEventTime, Rule: spec.Rule{ID: "TM201", Group: "time", Severity: spec.Error, Fixed: true, Title: "a window over records without event time",
	Text: `A record belongs to a window by its event time: when that happened which it tells of. timestamp says which field has it. Without one
only a Kafka record has a time. Rows of a dirty output, and of an aggregate without a window, have none.`,
	Fails: clicks(""), Passes: clicks(withTime + "    watermark: 5s\n")}}

var noWatermarkEver = rule{check: checkNone, Rule: spec.Rule{ID: "TM202", Group: "time", Severity: spec.Error, Title: "windows that never fire, or at the end of the input only",
	Text: `With watermark: none nothing tells a window that its records are complete, until the input ends. Where it never ends, no window fires.
Where it does, all fire then: all of them are held in memory till then, and no record is ever late. That is an information.`,
	Fails: fromKafka(byField + "    watermark: none\n"), Passes: fromKafka(byField + "    watermark: 5s\n")}}

var noUnit = rule{Rule: spec.Rule{ID: "TM204", Group: "time", Severity: spec.Error, Title: "a number as event time without its unit",
	Text: `The number counts from 1970 on, and nobody knows whether it counts s, ms, us or ns: a wrong guess is off by a factor of a thousand. A
value of 10 digits is likely s, of 13 ms, of 16 us.`,
	Fails: clicks("    timestamp: ts\n    watermark: 5s\n"), Passes: clicks(withTime + "    watermark: 5s\n")}}

var shortGap = rule{check: checkGap, Rule: spec.Rule{ID: "TM209", Group: "time", Severity: spec.Warning, Title: "a session gap that is not longer than the disorder",
	Text: `Records may come out of order by as much as the watermark's bound. With a gap that is not longer, one visit is cut into several windows
that are merged again as its records come in.`,
	Fails: clicksInto(withTime+"    watermark: 5s\n", "{session: 5s}"), Passes: clicksInto(withTime+"    watermark: 5s\n", "{session: 30m}")}}

var noMarker = rule{Rule: spec.Rule{ID: "TM213", Group: "time", Severity: spec.Error, Title: "a punctuated watermark that gives no watermark",
	Text: `The expression gives a time, a number in the timestamp's unit, or nil where the record says nothing about completeness. It has
event_time and max_event_time as names beside the fields. One that reads nothing gives the same for every record.`,
	Fails: clicks(withTime + "    watermark: {punctuated: final}\n"), Passes: clicks(withTime + "    watermark: {punctuated: 'final ? event_time : nil'}\n")}}

var noWatermark = rule{check: checkWatermark, Rule: spec.Rule{ID: "TM214", Group: "time", Severity: spec.Warning, Title: "no watermark on a source that a window reads",
	Text: `Without one records are taken to be in order: one that comes behind a later one, however little, is late as soon as the window between
them has ended. watermark: 5s waits for records that are up to 5s behind.`,
	Fails: clicks(withTime), Passes: clicks(withTime + "    watermark: 5s\n")}}

var notRepeatable = rule{check: checkRepeatable, Rule: spec.Rule{ID: "TM215", Group: "time", Severity: spec.Info, Title: "results that differ from run to run",
	Text: `Runs over the same input give the same rows in the same order. now(), uuid() and random() without a seed are outside of
that: they give something else each time. So are windows with time: processing, and, where the input has an end, watermarks that
are given by the clock (interval) and parts that are ended by it (roll.every).`,
	Fails: orders("    set: {id: uuid()}\n"), Passes: orders("    set: {id: hash(user)}\n")}}

// checkRepeatable names options that let the clock decide in runs that would else be the same each time.
func checkRepeatable(c *compiler) {
	for _, s := range c.plan.Sources {
		if n := s.Watermark.Node.Get("interval"); s.Main.Bounded && s.Watermark.Interval > 0 && n != nil {
			c.report("TM215", spec.Info, n, spec.Diagnostic{Node: s.Name, Message: fmt.Sprintf("watermarks of %q are given by the clock: which records are late differs from run to run", s.Name), Hint: "interval: 0s"})
		}
	}
	for _, s := range c.plan.Sinks {
		if n := s.Block.Node.Get("roll").Get("every"); n != nil && c.bounded() {
			c.report("TM215", spec.Info, n, spec.Diagnostic{Node: s.Name, Message: fmt.Sprintf("the clock decides where parts of %q end", s.Name), Hint: "roll: {rows: 1000000}, or {size: 256MiB}"})
		}
	}
}

// bounded reports whether the input has an end: that is when every source has.
func (c *compiler) bounded() bool {
	return !slices.ContainsFunc(c.plan.Sources, func(s *Source) bool { return !s.Main.Bounded })
}

func checkEventTime(c *compiler) {
	c.eventWindows(func(t *Transform) {
		for _, in := range t.Inputs {
			if in.EventTime || in.unsure {
				continue
			}
			hint := fmt.Sprintf("add timestamp: {expr: …, unit: …} to %q", in.Node)
			if source, _ := c.maker(in); in.Port == stream.Dirty {
				hint = "records of a dirty output have no event time: aggregate without window"
			} else if source == nil {
				hint = fmt.Sprintf("rows of %q come once, at the end: aggregate without window, or give %q a window", in.Node, in.Node)
				if inner := c.timeless(in); inner != "" {
					hint = fmt.Sprintf("add timestamp: {expr: …, unit: …} to %q", inner)
				}
			}
			c.report("TM201", spec.Error, t.Window.Node, spec.Diagnostic{Node: t.Name,
				Message: fmt.Sprintf("window %q needs event time, but %q has none", t.Name, in.Name), Hint: hint})
		}
	})
}

// timeless gives the source for want of whose event time an output has none; empty where a global aggregate lies
// between.
func (c *compiler) timeless(o *Output) (name string) {
	c.sourcesOf(o, func(s *Source) {
		if !s.Main.EventTime {
			name = s.Name
		}
	})
	return name
}

func checkNone(c *compiler) {
	c.readByWindow(func(t *Transform, s *Source) {
		if s.Watermark.Given && s.Watermark.Strategy.Kind == watermark.None {
			severity, message := spec.Info, "%q fires when the input ends: %q has watermark none"
			if !s.Main.Bounded {
				severity, message = spec.Error, "%q never fires: %q has watermark none"
			}
			c.report("TM202", severity, s.Watermark.Node, spec.Diagnostic{Node: s.Name,
				Message: fmt.Sprintf(message, t.Name, s.Name), Hint: "watermark: 5s"})
		}
	})
}

func checkWatermark(c *compiler) {
	reported := map[*Source]bool{}
	c.readByWindow(func(_ *Transform, s *Source) {
		if !s.Watermark.Given && !reported[s] {
			reported[s] = true
			c.reportName("TM214", spec.Warning, s.Block, spec.Diagnostic{
				Message: fmt.Sprintf("%q has no watermark: records out of order by more than nothing are late", s.Name), Hint: "watermark: 5s"})
		}
	})
}

func checkGap(c *compiler) {
	c.readByWindow(func(t *Transform, s *Source) {
		session, ok := t.Window.Spec.(window.Session)
		if disorder := s.Watermark.Strategy.Delay; ok && disorder > 0 && session.Gap <= disorder {
			c.report("TM209", spec.Warning, optionOf(t.Window.Node, "session"), spec.Diagnostic{Node: t.Name,
				Message: fmt.Sprintf("gap %s ≤ disorder %s of %q: one visit is cut into several and merged again", spec.Duration(session.Gap), spec.Duration(disorder), s.Name),
				Hint:    fmt.Sprintf("a gap of more than %s", spec.Duration(disorder))})
		}
	})
}

// readByWindow visits each window by event time with each source of timed records that it reads.
func (c *compiler) readByWindow(visit func(*Transform, *Source)) {
	c.eventWindows(func(t *Transform) {
		seen := map[*Source]bool{}
		for _, in := range t.Inputs {
			c.sourcesOf(in, func(s *Source) {
				if s.Timestamp != nil && !seen[s] {
					seen[s] = true
					visit(t, s)
				}
			})
		}
	})
}

// checkTimestamp reports a timestamp that can't be a time: a number without its unit, or of a type that is none.
func (c *compiler) checkTimestamp(s *Source, t *Timestamp, unit bool) {
	switch typ := t.Step.Program.Type(); {
	case (typ.Kind == stream.Int || typ.Kind == stream.Float) && !unit:
		text := redact(t.Node, t.Step.Program.Source())
		c.report("TM204", spec.Error, t.Node, spec.Diagnostic{Node: s.Name,
			Message: fmt.Sprintf("%s is %s, and its unit is not given", text, kindOf(typ)), Hint: fmt.Sprintf("timestamp: {expr: %s, unit: ms}, or s, us, ns", text)})
	case typ.Kind == stream.Bool || typ.Kind == stream.Any && typ.Shape != stream.Unknown:
		c.report("TM112", spec.Error, t.Node, spec.Diagnostic{Node: s.Name,
			Message: fmt.Sprintf(`"timestamp" gives %s, wants a time, a number or text`, kindOf(typ)), Hint: "timestamp: {expr: ts, unit: ms}"})
	}
}

// checkMarker reports the expression of a punctuated watermark that gives no watermark.
func (c *compiler) checkMarker(s *Source, marker *Step) {
	d := spec.Diagnostic{Node: s.Name, Hint: "give a time where the record says that all before it is there: final ? event_time : nil"}
	switch typ := marker.Program.Type(); {
	case len(marker.Program.Uses()) == 0:
		d.Message = `"punctuated" gives the same for every record`
	case typ.Kind == stream.Bool || typ.Kind == stream.String || typ.Kind == stream.Any && typ.Shape != stream.Unknown:
		d.Message = fmt.Sprintf(`"punctuated" gives %s, wants a time, a number or nil`, kindOf(typ))
	case (typ.Kind == stream.Int || typ.Kind == stream.Float) && s.Timestamp.Unit == watermark.NoUnit:
		c.report("TM204", spec.Error, marker.Node, spec.Diagnostic{Node: s.Name,
			Message: `"punctuated" gives a number, and the timestamp has no unit`, Hint: "timestamp: {expr: …, unit: ms}"})
		return
	default:
		return
	}
	c.report("TM213", spec.Error, marker.Node, d)
}
