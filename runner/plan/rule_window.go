package plan

import (
	"fmt"
	"strings"

	"tidemark/spec"
	"tidemark/stream"
)

var neverEmits = rule{check: checkEndless, Rule: spec.Rule{ID: "TM301", Group: "windows", Severity: spec.Error, Title: "an aggregate that never gives a result",
	Text: `Without a window an aggregate gives its result when the input ends. A source without an end never does that: say with a window which
records belong together.`,
	Fails: strings.Replace(fromKafka(byField+"    watermark: 5s\n"), "window: {tumbling: 1m}, ", "", 1), Passes: fromKafka(byField + "    watermark: 5s\n")}}

var writtenGlobal = rule{Rule: spec.Rule{ID: "TM302", Group: "windows", Severity: spec.Error, Title: "a written global window that never says when to give results",
	Text: `A global window has no end. So one that is written has to say when it gives results: emit: end gives them when the input ends, which is
also what aggregate does without a window. An input without an end never gives them.`,
	Fails: clicksInto(withTime+"    watermark: 5s\n", "global"), Passes: `
sources:
  clicks: {type: file, path: clicks.jsonl}
transforms:
  totals: {from: clicks, key: user, window: global, emit: end, aggregate: {n: count()}}
sinks:
  out: {from: totals, type: stdout}
`}}

var duplicateRows = rule{check: checkDuplicates, Rule: spec.Rule{ID: "TM303", Group: "windows", Severity: spec.Error, Title: "late records that write rows a second time",
	Text: `Within allowed_lateness each late record gives the row of its window again, refined. A sink that only appends then holds several rows
of one window, and nothing says which is the last: who adds them up counts twice.

On Kafka mode: upsert lets the refined row replace the former one. Else leave allowed_lateness out, and read the late records from
NAME.late. On stdout and discard it does no harm.`,
	Fails: `
sources:
  clicks: {type: file, path: clicks.jsonl, timestamp: at, watermark: 5s}
transforms:
  visits: {from: clicks, window: {tumbling: 1m}, allowed_lateness: 30s, aggregate: {n: count()}}
sinks:
  out: {from: visits, type: file, path: visits.jsonl}
`, Passes: `
sources:
  clicks: {type: file, path: clicks.jsonl, timestamp: at, watermark: 5s}
transforms:
  visits: {from: clicks, window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: visits, type: file, path: visits.jsonl}
  late: {from: visits.late, type: file, path: late.jsonl}
`}}

var windowSteps = rule{Rule: spec.Rule{ID: "TM309", Group: "windows", Severity: spec.Warning, Title: "sliding windows with gaps, or very many of them",
	Text: `A sliding window begins every step. With a step that is longer than the window, records between two windows are in none. With a very
short one each record is in very many, and each of them is a row. A step that doesn't divide the size puts some records into one
window more than others; that is an information.`,
	Fails:  clicksInto(withTime+"    watermark: 5s\n", "{sliding: 2s, every: 5s}"),
	Passes: clicksInto(withTime+"    watermark: 5s\n", "{sliding: 10s, every: 5s}")}}

var oneGroup = rule{check: checkOneGroup, Rule: spec.Rule{ID: "TM312", Group: "windows", Severity: spec.Warning, Title: "one group, and more workers than one",
	Text: `settings asks for several workers, and they share the windows by key. A window without key has one group, which one worker holds: others
can only read and filter for it.`,
	Fails:  strings.Replace(clicks(withTime+"    watermark: 5s\n"), "key: user, ", "", 1) + "settings: {parallelism: 4}\n",
	Passes: clicks(withTime+"    watermark: 5s\n") + "settings: {parallelism: 4}\n"}}

func checkOneGroup(c *compiler) {
	if c.plan.Settings.Parallelism <= 1 {
		return
	}
	for _, t := range c.plan.Transforms {
		if t.Window != nil && t.Window.Node != nil && c.clause(t.Block, "key") == nil && !c.broken[t.Name] {
			c.report("TM312", spec.Warning, t.Window.Node, spec.Diagnostic{Node: t.Name,
				Message: fmt.Sprintf("%q has no key: one group runs on one worker, whatever parallelism is", t.Name), Hint: "key: NAME, or leave parallelism out"})
		}
	}
}

var correctedRows = rule{check: checkCorrected, Rule: spec.Rule{ID: "TM310", Group: "windows", Severity: spec.Error, Title: "an aggregate over rows that are written again",
	Text: `A transform with allowed_lateness gives the row of a window again for each late record. An aggregate that reads those rows would count
each of them as new, and so one record many times.

Aggregate from the source instead, or leave allowed_lateness out where the rows are made.`,
	Fails: `
sources:
  clicks: {type: file, path: clicks.jsonl, timestamp: at, watermark: 5s}
transforms:
  minutes: {from: clicks, window: {tumbling: 1m}, allowed_lateness: 30s, aggregate: {n: count()}}
  hours: {from: minutes, window: {tumbling: 1h}, aggregate: {n: sum(n)}}
sinks:
  out: {from: hours, type: stdout}
`, Passes: `
sources:
  clicks: {type: file, path: clicks.jsonl, timestamp: at, watermark: 5s}
transforms:
  minutes: {from: clicks, window: {tumbling: 1m}, aggregate: {n: count()}}
  hours: {from: minutes, window: {tumbling: 1h}, allowed_lateness: 30s, aggregate: {n: sum(n)}}
sinks:
  out: {from: hours, type: discard}
`}}

var windowSizes = rule{Rule: spec.Rule{ID: "TM311", Group: "windows", Severity: spec.Error, Fixed: true, Title: "spans that make no windows",
	Text: `A window is longer than nothing. An offset moves where windows begin, and moves them by less than they are apart: by the whole
size, or for sliding windows by the whole step, it changes nothing.`,
	Fails:  clicksInto(withTime+"    watermark: 5s\n", "{tumbling: 1h, offset: 90m}"),
	Passes: clicksInto(withTime+"    watermark: 5s\n", "{tumbling: 1h, offset: 30m}")}}

// harmless are the kinds of sinks where a row that comes again only is a line more to look at.
var harmless = []string{"stdout", "discard"}

func checkDuplicates(c *compiler) {
	for _, s := range c.plan.Sinks {
		if n := c.clause(s.Block, "mode"); n != nil && n.Text == "upsert" {
			continue
		}
		for _, in := range s.Inputs {
			c.refinersOf(in, func(t *Transform) {
				severity, hint := spec.Error, fmt.Sprintf("leave allowed_lateness out, and read %s.late", t.Name)
				if !contains(appending, s.Block.Type) {
					hint = fmt.Sprintf("mode: upsert with key: %s; or %s", flow(identity(t)), hint)
				}
				if contains(harmless, s.Block.Type) {
					severity, hint = spec.Info, "the last row of a window is the one that counts"
				}
				c.report("TM303", severity, c.option(t.Block, "allowed_lateness"), spec.Diagnostic{Node: t.Name,
					Message: fmt.Sprintf("each late record writes its row to %q again: duplicate rows", s.Name), Hint: hint})
			})
		}
	}
}

func checkEndless(c *compiler) {
	for _, t := range c.plan.Transforms {
		if t.Window == nil || t.Window.Node != nil || c.clause(t.Block, "emit") != nil || t.From.Bounded || c.endless(t.Inputs) {
			continue
		}
		c.report("TM301", spec.Error, c.option(t.Block, "aggregate"), spec.Diagnostic{Node: t.Name,
			Message: fmt.Sprintf("%q would never give a row: its input does not end", t.Name), Hint: "window: {tumbling: 1m}"})
	}
}

// endless reports whether outputs are those of an aggregate that never gives a row, which is reported already.
func (c *compiler) endless(inputs []*Output) bool {
	for _, in := range inputs {
		_, t := c.maker(in)
		if t != nil && in.Port == stream.Main && (t.Window != nil && !t.Window.Bounds || c.endless(t.Inputs)) {
			return true
		}
	}
	return false
}

func checkCorrected(c *compiler) {
	for _, t := range c.plan.Transforms {
		if t.Window == nil {
			continue
		}
		for _, in := range t.Inputs {
			c.refinersOf(in, func(from *Transform) {
				c.report("TM310", spec.Error, c.fromAt(t.Block, in), spec.Diagnostic{Node: t.Name,
					Message: fmt.Sprintf("%q counts corrections of %q as new rows", t.Name, from.Name),
					Hint:    fmt.Sprintf("aggregate from what %q reads, or leave allowed_lateness out there", from.Name)})
			})
		}
	}
}
