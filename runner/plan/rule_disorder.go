package plan

import (
	"fmt"
	"slices"
	"strings"

	"tidemark/io/connector"
	"tidemark/operators/expression"
	"tidemark/operators/watermark"
	"tidemark/operators/window"
	"tidemark/spec"
	"tidemark/stream"
)

var arrivalTime = rule{check: checkArrivalTime, Rule: spec.Rule{ID: "TM203", Group: "time", Severity: spec.Warning, Title: "windows by when records arrived, not by when things happened",
	Text: `A record's event time is when that happened which it tells of. The time at which it is read differs in each run, so a replay gives other
results. The time that a Kafka record carries is when it was sent, or stored: what was sent late counts for the wrong window.

The same goes for windows with time: processing, and for conditions and keys with now().

Name the field that has the time. timestamp: meta.timestamp says that the time of sending is meant.`,
	Fails: fromKafka("    watermark: 5s\n"), Passes: fromKafka("    timestamp: meta.timestamp\n    watermark: 5s\n")}}

var noDisorder = rule{check: checkNoDisorder, Rule: spec.Rule{ID: "TM210", Group: "time", Severity: spec.Info, Title: "a watermark that allows for no disorder",
	Text: `Records of a partition are rarely in the order of their times: several producers, or retries, are enough. With monotonous, or a bound of
0s, one that is a millisecond behind is late as soon as the window between has ended.`,
	Fails: fromKafka(byField + "    watermark: monotonous\n"), Passes: fromKafka(byField + "    watermark: 5s\n")}}

var longWait = rule{check: checkLongWait, Rule: spec.Rule{ID: "TM211", Group: "time", Severity: spec.Warning, Title: "results that come long after their windows",
	Text: `A window's result comes when the watermark has passed its end: later than the window by the bound. Many times the window's size is
rarely meant. A shorter bound gives results sooner; the few records that are later can be read from NAME.late. More than a minute on
Kafka is an information.

An allowed lateness of more than a week keeps every window of a week in memory.`,
	Fails: clicks(withTime + "    watermark: 1h\n"), Passes: clicks(withTime + "    watermark: 5s\n")}}

var farAhead = rule{check: checkFarAhead, Rule: spec.Rule{ID: "TM212", Group: "time", Severity: spec.Warning, Title: "one record from the future can end all windows",
	Text: `The watermark follows the greatest time. A single record whose time is wrong, say of the year 2099, moves it there, and all records after
it are late for good. max_ahead leaves the watermark alone where a record is further ahead than that.`,
	Fails:  fromKafka(byField + "    watermark: {bounded: 5s, max_ahead: off}\n"),
	Passes: fromKafka(byField + "    watermark: {bounded: 5s, max_ahead: 1h}\n")}}

// What is long to wait for on Kafka, and for how long late records are rarely accepted.
const (
	longBound    = spec.Minute
	longLateness = spec.Week
)

// liveSources visits each source without an end that an event-time window reads, with the first such window.
func (c *compiler) liveSources(visit func(*Transform, *Source)) {
	seen := map[*Source]bool{}
	c.readByWindow(func(t *Transform, s *Source) {
		if !s.Main.Bounded && !seen[s] {
			seen[s] = true
			visit(t, s)
		}
	})
}

// option gives the value of an option beside the strategy, the whole watermark where it is not written.
func (w Watermark) option(key string) *spec.Node { return optionOf(w.Node, key) }

// bound gives the place of the strategy's bound.
func (w Watermark) bound() *spec.Node { return optionOf(w.Node, "bounded") }

// timeNames are names of fields that have the time of what a record tells of.
var timeNames = []string{"ts", "time", "timestamp", "event_time", "at"}

// timeLike gives a field that likely has the time of what a record tells of; empty where there is none.
func timeLike(fields []stream.Field) string {
	for _, f := range fields {
		if f.Type.Kind == stream.Instant || contains(timeNames, f.Name) || strings.HasSuffix(f.Name, "_at") {
			return f.Name
		}
	}
	return ""
}

func checkArrivalTime(c *compiler) {
	checkProcessing(c)
	seen := map[*Source]bool{}
	c.readByWindow(func(t *Transform, s *Source) {
		field := timeLike(s.Main.Fields)
		now := s.Timestamp.Node != nil && strings.TrimSpace(s.Timestamp.Step.Program.Source()) == "now()"
		switch {
		case seen[s]:
		case now && field != "":
			c.report("TM203", spec.Warning, s.Timestamp.Node, spec.Diagnostic{Node: s.Name,
				Message: fmt.Sprintf("windows use arrival time although %q exists: a replay gives other results", field), Hint: timestampHint(s, field)})
		case s.Timestamp.Node == nil:
			d := spec.Diagnostic{Message: fmt.Sprintf("%q goes by when the records of %q were sent: it names no timestamp", t.Name, s.Name),
				Hint: "timestamp: {expr: …, unit: …}, or timestamp: meta.timestamp if that is meant"}
			if field != "" {
				d.Message = fmt.Sprintf("%q goes by when the records of %q were sent although %q exists", t.Name, s.Name, field)
				d.Hint = timestampHint(s, field) + ", or timestamp: meta.timestamp if that is meant"
			}
			c.reportName("TM203", spec.Warning, s.Block, d)
		}
		seen[s] = true
	})
}

// timeOfDay warns of a clause that decides by the time of day what becomes of a record.
func (c *compiler) timeOfDay(b *spec.Block, clause string, node *spec.Node, p *expression.Program) {
	if clause != "where" && clause != "having" && clause != "key" {
		return
	}
	for _, w := range p.Warnings() {
		if w.Kind == expression.Impure && strings.HasPrefix(p.Source()[w.Offset:], "now") {
			c.at(node, w.Offset, w.End, spec.Diagnostic{Rule: "TM203", Severity: spec.Warning, Node: b.Name,
				Message: fmt.Sprintf("%q goes by the time of the run: a replay gives other results", clause), Hint: "compare with a time of the records, such as meta.event_time"})
		}
	}
}

// checkProcessing warns of windows by the time of day over records that have a time of their own.
func checkProcessing(c *compiler) {
	for _, t := range c.plan.Transforms {
		if t.Window == nil || !t.Window.Processing {
			continue
		}
		at := optionOf(t.Window.Node, "time")
		c.report("TM215", spec.Info, at, spec.Diagnostic{Node: t.Name, Message: fmt.Sprintf("windows of %q go by the time of day: each run gives others", t.Name)})
		if field := timeLike(t.From.Fields); field != "" {
			c.report("TM203", spec.Warning, at, spec.Diagnostic{Node: t.Name,
				Message: fmt.Sprintf("windows use arrival time although %q exists: a replay gives other results", field), Hint: "leave time out, and name the field in timestamp of the source"})
		}
	}
}

// timestampHint says how a field is made the timestamp.
func timestampHint(s *Source, field string) string {
	i := slices.IndexFunc(s.Main.Fields, func(f stream.Field) bool { return f.Name == field })
	if k := s.Main.Fields[i].Type.Kind; k == stream.Int || k == stream.Float {
		return fmt.Sprintf("timestamp: {expr: %s, unit: ms}", field)
	}
	return "timestamp: " + field
}

func checkNoDisorder(c *compiler) {
	seen := map[*Source]bool{}
	c.readByWindow(func(_ *Transform, s *Source) {
		w := s.Watermark
		strict := w.Strategy.Kind == watermark.Monotonous || w.Strategy.Kind == watermark.Bounded && w.Strategy.Delay == 0
		if !w.Given || !strict || seen[s] || !s.severalPartitions() || faulty(c.diags, w.Node) {
			return
		}
		seen[s] = true
		at := w.bound()
		if n := w.Node.Get("monotonous"); n != nil {
			at = n
		}
		c.report("TM210", spec.Info, at, spec.Diagnostic{Node: s.Name, Message: fmt.Sprintf("rows of %q that are out of order by 1 ms are late", s.Name), Hint: "watermark: 5s"})
	})
}

// severalPartitions reports whether a source may have more than one partition.
func (s *Source) severalPartitions() bool {
	if _, ok := s.Options.(connector.RecordSource); ok {
		return true
	}
	paths := s.Block.Node.Get("path").List()
	return len(paths) > 1 || len(paths) == 1 && strings.ContainsAny(paths[0].Text, "*?[")
}

func checkLongWait(c *compiler) {
	c.readByWindow(func(t *Transform, s *Source) {
		disorder, size := spec.Duration(s.Watermark.Strategy.Delay), t.Window.size()
		_, live := s.Options.(connector.RecordSource)
		d := spec.Diagnostic{Node: s.Name, Message: fmt.Sprintf("results of %q come %s after the %s that they describe", t.Name, disorder, size),
			Hint: fmt.Sprintf("a shorter bound, and the later records from %s.late", t.Name)}
		switch {
		case disorder == 0 || faulty(c.diags, t.Window.Node):
		case size > 0 && disorder/10 > size || size > 0 && disorder > 10*size:
			c.once(func() { c.report("TM211", spec.Warning, s.Watermark.bound(), d) })
		case live && disorder > longBound:
			d.Message = fmt.Sprintf("results of %q come %s after their windows", t.Name, disorder)
			c.once(func() { c.report("TM211", spec.Info, s.Watermark.bound(), d) })
		}
	})
	c.eventWindows(func(t *Transform) {
		if t.Window.Lateness > longLateness {
			c.report("TM211", spec.Warning, c.option(t.Block, "allowed_lateness"), spec.Diagnostic{Node: t.Name,
				Message: fmt.Sprintf("every window of %q is kept for %s after its end", t.Name, t.Window.Lateness), Hint: fmt.Sprintf("put what is that late aside: read %s.late", t.Name)})
		}
	})
}

// size gives the size of a window, of calendar windows the typical one; 0 where it is not known before.
func (w *Window) size() spec.Duration {
	switch o := w.Spec.(type) {
	case window.Tumbling:
		return spec.Duration(o.Size)
	case window.Sliding:
		return spec.Duration(o.Size)
	case window.Calendar:
		return spec.Duration(o.Typical())
	}
	return 0
}

func checkFarAhead(c *compiler) {
	c.liveSources(func(_ *Transform, s *Source) {
		if n := s.Watermark.Node.Get("max_ahead"); n != nil && s.Watermark.MaxAhead == 0 && !faulty(c.diags, n) {
			c.report("TM212", spec.Warning, n, spec.Diagnostic{Node: s.Name, Message: fmt.Sprintf("one record of %q from 2099 makes all others late", s.Name), Hint: "max_ahead: 1h"})
		}
	})
}
