package plan

import (
	"fmt"
	"slices"

	"tidemark/spec"
)

var fileUpsert = rule{Rule: spec.Rule{ID: "TM503", Group: "connectors", Severity: spec.Error, Fixed: true, Title: "a file sink that should replace rows",
	Text: `mode: upsert replaces a row by a newer one with the same key. A file is written from front to back, so nothing in it can be replaced:
append rows when their window is final.`,
	Fails: `
sources:
  clicks: {type: file, path: clicks.jsonl}
transforms:
  totals: {from: clicks, key: user, aggregate: {n: count()}}
sinks:
  out: {from: totals, type: file, path: out.jsonl, mode: upsert, key: user}
`, Passes: `
sources:
  clicks: {type: file, path: clicks.jsonl}
transforms:
  totals: {from: clicks, key: user, aggregate: {n: count()}}
sinks:
  out: {from: totals, type: file, path: out.jsonl, mode: append}
`}}

var neverComplete = rule{check: checkComplete, Rule: spec.Rule{ID: "TM504", Group: "connectors", Severity: spec.Warning, Title: "a file that is not complete before the input ends",
	Text: `A file gets its name when it is complete, and without roll that is when the run ends. Of an input without an end nothing can be seen until
then, and a crash loses all of it. With roll, or with checkpoints, parts are finished on the way.`,
	Fails: `
sources:
  clicks: {type: kafka, brokers: localhost:9092, topics: [clicks], group: visits}
sinks:
  out: {from: [clicks, clicks.dirty], type: file, path: clicks.jsonl}
`, Passes: `
sources:
  clicks: {type: kafka, brokers: localhost:9092, topics: [clicks], group: visits}
sinks:
  out: {from: [clicks, clicks.dirty], type: file, path: clicks.jsonl, roll: {rows: 1000000, every: 1h}}
`}}

func checkComplete(c *compiler) {
	for _, s := range c.plan.Sinks {
		live := slices.ContainsFunc(s.Inputs, func(o *Output) bool { return !o.Bounded })
		if contains(appending, s.Block.Type) && live && c.clause(s.Block, "roll") == nil && !c.checkpointed() {
			c.reportName("TM504", spec.Warning, s.Block, spec.Diagnostic{
				Message: fmt.Sprintf("%q is complete only when the input ends, which it does not by itself", s.Name), Hint: "roll: {rows: 1000000, every: 1h}"})
		}
	}
}

var noEffect = rule{Rule: spec.Rule{ID: "TM506", Group: "connectors", Severity: spec.Warning, Title: "an option without effect",
	Text: `idle lets a partition that has been quiet no longer hold the others back. One that is read to its end, as of a file or a topic with
stop, is never quiet: it has a next record, or it is done.

start says from where on a topic is read. Files are read from their start.

timezone is for a timestamp that is text without a zone. What date() gives is a time already: date(x, layout, "Europe/Berlin").

allowed_lateness keeps windows that have ended. An aggregate without a window has none: it ends with the input.`,
	Fails: clicks(withTime + "    watermark: {bounded: 5s, idle: 1m}\n"), Passes: clicks(withTime + "    watermark: {bounded: 5s}\n")}}

var notSupported = rule{Rule: spec.Rule{ID: "TM099", Group: "connectors", Severity: spec.Error, Fixed: true, Title: "a word that this version does not do",
	Text: `The word is right, and this version of tidemark can't do what it says. The hint names what it can do instead.`,
	Fails: `
sources:
  clicks: {type: file, path: clicks.jsonl}
sinks:
  out: {from: clicks, type: stdout}
settings: {checkpoint: {dir: state}}
`, Passes: `
sources:
  clicks: {type: file, path: clicks.jsonl}
sinks:
  out: {from: clicks, type: stdout}
`}}
