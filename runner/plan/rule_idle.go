package plan

import (
	"fmt"

	"tidemark/operators/watermark"
	"tidemark/spec"
)

// fromKafka gives a whole file that counts visits in windows from a Kafka source with the given lines, for the examples
// of the rules of sources without an end.
func fromKafka(source string) string {
	return `
sources:
  clicks:
    type: kafka
    brokers: localhost:9092
    topics: [clicks]
    group: visits
` + source + `transforms:
  visits: {from: clicks, key: user, window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: visits, type: stdout}
  dirty: {from: [clicks.dirty, visits.dirty], type: stdout}
`
}

const byField = "    timestamp: at\n"

var neverIdle = rule{check: checkNeverIdle, Rule: spec.Rule{ID: "TM206", Group: "time", Severity: spec.Warning, Title: "a quiet partition that stops every window",
	Text: `The watermark of a source is that of its slowest partition. With idle: off a partition that gets no records holds it where it is, so that
no window ends until the partition gets one: a key that is rare, or a topic with more partitions than keys, is enough.`,
	Fails:  fromKafka(byField + "    watermark: {bounded: 5s, idle: off}\n"),
	Passes: fromKafka(byField + "    watermark: {bounded: 5s, idle: 1m}\n")}}

var waitsForQuiet = rule{check: checkMeeting, Rule: spec.Rule{ID: "TM207", Group: "time", Severity: spec.Warning, Title: "streams that wait for one that may be quiet",
	Text: `Where streams meet the lowest watermark counts. A source that is never taken to be idle stops the windows behind when it is quiet,
though the others have records. One with watermark: none stops them for good; that is an error.

Sources with different bounds wait for the one with the greater: that is an information.`,
	Fails: meeting("{bounded: 5s, idle: off}"), Passes: meeting("5s")}}

// meeting gives a whole file that reads two sources as one, the second with the given watermark.
func meeting(second string) string {
	return `
sources:
  web: {type: kafka, brokers: localhost:9092, topics: [web], group: visits, timestamp: at, watermark: 5s}
  app: {type: kafka, brokers: localhost:9092, topics: [app], group: visits, timestamp: at, watermark: ` + second + `}
transforms:
  all: {from: [web, app], key: user, window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: all, type: stdout}
  dirty: {from: [web.dirty, app.dirty, all.dirty], type: stdout}
`
}

var hastyIdle = rule{check: checkHastyIdle, Rule: spec.Rule{ID: "TM208", Group: "time", Severity: spec.Warning, Title: "partitions that are taken to be idle too soon",
	Text: `A partition that is idle no longer holds the watermark back, and what comes from it afterwards may be late. A fetch alone can take
seconds, so idle should be 5s at the least, 30s to be safe, and no shorter than the disorder that the watermark allows for.`,
	Fails:  fromKafka(byField + "    watermark: {bounded: 500ms, idle: 1s}\n"),
	Passes: fromKafka(byField + "    watermark: {bounded: 500ms, idle: 30s}\n")}}

// pollSpan is the shortest time after which a partition without records may be called idle.
const pollSpan = 5 * spec.Second

func checkNeverIdle(c *compiler) {
	c.liveSources(func(t *Transform, s *Source) {
		// Where it meets other streams that is said there.
		if n := s.Watermark.Node.Get("idle"); n != nil && s.Watermark.Idle == 0 && !faulty(c.diags, n) && len(c.meetings(s)) == 0 {
			c.report("TM206", spec.Warning, n, spec.Diagnostic{Node: s.Name,
				Message: fmt.Sprintf("one quiet partition of %q stops every window of %q", s.Name, t.Name), Hint: "idle: 1m"})
		}
	})
}

func checkHastyIdle(c *compiler) {
	c.liveSources(func(_ *Transform, s *Source) {
		idle, disorder := spec.Duration(s.Watermark.Idle), spec.Duration(s.Watermark.Strategy.Delay)
		if idle == 0 || idle >= disorder && (idle >= pollSpan || !s.live()) {
			return
		}
		d := spec.Diagnostic{Node: s.Name, Hint: "idle: 30s or more"}
		if idle < disorder {
			what := "idle " + idle.String()
			if !s.Watermark.Node.Has("idle") {
				what += ", which is the default,"
			}
			d.Message = fmt.Sprintf("%s is shorter than the disorder %s: a partition that is only slow counts as idle, and its rows come late", what, disorder)
			d.Hint = fmt.Sprintf("idle: %s or more", max(disorder, 30*spec.Second))
		} else {
			d.Message = fmt.Sprintf("idle %s declares a partition of %q dead between two polls: its rows come late", idle, s.Name)
		}
		c.report("TM208", spec.Warning, s.Watermark.option("idle"), d)
	})
}

// meetings gives the blocks with an event-time window at or behind them in which a source without an end meets another.
func (c *compiler) meetings(s *Source) []*Transform {
	var list []*Transform
	windows := c.windowsBehind()
	for _, t := range c.plan.Transforms {
		if t.Union == nil || !windows[t] {
			continue
		}
		if met := c.unboundedBehind(t); len(met) > 1 && met[s] != nil {
			list = append(list, t)
		}
	}
	return list
}

// unboundedBehind gives the sources without an end that a transform's watermark waits for, with the input by which
// each is reached.
func (c *compiler) unboundedBehind(t *Transform) map[*Source]*Output {
	found := map[*Source]*Output{}
	var walk func(o, by *Output)
	walk = func(o, by *Output) {
		s, t := c.maker(o)
		switch {
		case s != nil && !s.Main.Bounded && found[s] == nil:
			found[s] = by
		case t != nil:
			for _, in := range t.Inputs {
				walk(in, by)
			}
		}
	}
	for _, in := range t.Inputs {
		walk(in, in)
	}
	return found
}

// windowsBehind gives the transforms whose watermark decides when some window ends.
func (c *compiler) windowsBehind() map[*Transform]bool {
	found := map[*Transform]bool{}
	var walk func(t *Transform)
	walk = func(t *Transform) {
		if t == nil || found[t] {
			return
		}
		found[t] = true
		for _, in := range t.Inputs {
			_, from := c.maker(in)
			walk(from)
		}
	}
	c.eventWindows(walk)
	return found
}

func checkMeeting(c *compiler) {
	windows := c.windowsBehind()
	for _, t := range c.plan.Transforms {
		if t.Union == nil || !windows[t] {
			continue
		}
		met := c.unboundedBehind(t)
		if len(met) < 2 {
			continue
		}
		for _, s := range c.plan.Sources {
			if in := met[s]; in != nil && s.Watermark.Idle == 0 && !faulty(c.diags, s.Watermark.Node.Get("idle")) {
				c.waits(t, s, in)
			}
		}
		c.unequal(t, met)
	}
}

// waits reports a block that waits for a source which is never idle.
func (c *compiler) waits(t *Transform, s *Source, in *Output) {
	severity := spec.Warning
	d := spec.Diagnostic{Node: t.Name, Message: fmt.Sprintf("%q waits for %q when it is quiet", t.Name, s.Name), Hint: fmt.Sprintf("idle: 1m on %q", s.Name)}
	if s.Watermark.Strategy.Kind == watermark.None {
		severity = spec.Error
		d.Message, d.Hint = fmt.Sprintf("%q waits for %q for good: it has watermark none and is never idle", t.Name, s.Name), fmt.Sprintf("watermark: 5s on %q", s.Name)
	}
	c.report("TM207", severity, c.fromAt(t.Block, in), d)
}

// unequal says that sources which meet have different bounds.
func (c *compiler) unequal(t *Transform, met map[*Source]*Output) {
	var least, greatest *Source
	for _, s := range c.plan.Sources {
		if met[s] == nil || s.Watermark.Strategy.Kind != watermark.Bounded {
			continue
		}
		if least == nil || s.Watermark.Strategy.Delay < least.Watermark.Strategy.Delay {
			least = s
		}
		if greatest == nil || s.Watermark.Strategy.Delay > greatest.Watermark.Strategy.Delay {
			greatest = s
		}
	}
	if least == nil || least.Watermark.Strategy.Delay == greatest.Watermark.Strategy.Delay {
		return
	}
	c.report("TM207", spec.Info, c.option(t.Block, "from"), spec.Diagnostic{Node: t.Name,
		Message: fmt.Sprintf("%q goes by the greater bound: %s of %q, not %s of %q", t.Name, spec.Duration(greatest.Watermark.Strategy.Delay), greatest.Name,
			spec.Duration(least.Watermark.Strategy.Delay), least.Name), Hint: "give both the same bound if their disorder is the same"})
}
