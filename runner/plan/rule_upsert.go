package plan

import (
	"fmt"
	"slices"

	"tidemark/operators/window"
	"tidemark/spec"
)

// visits gives a whole file whose sink has the given options, for the examples of the rules of sinks that replace rows.
func visits(sink string) string {
	return `
sources:
  clicks: {type: file, path: clicks.jsonl, timestamp: at, watermark: 5s}
transforms:
  visits: {from: clicks, key: page, window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: visits, ` + sink + `}
`
}

const toKafka = "type: kafka, brokers: localhost:9092, topic: visits, "

var shortKey = rule{check: checkUpsert, Rule: spec.Rule{ID: "TM305", Group: "windows", Severity: spec.Error, Title: "rows of different windows or groups that replace each other",
	Text: `mode: upsert replaces the row that has the same key. Rows of a window are told apart by the key of the transform and by the window
itself, so the sink's key has to have both: without window_start every minute overwrites the last one.`,
	Fails: visits(toKafka + "mode: upsert, key: page"), Passes: visits(toKafka + "mode: upsert, key: [page, window_start]")}}

var noUpsertKey = rule{Rule: spec.Rule{ID: "TM307", Group: "windows", Severity: spec.Error, Fixed: true, Title: "rows that should replace each other, and no key to find them by",
	Text: `mode: upsert replaces the row that has the same key. The key is the fields that tell the rows apart: those in key of the transform, and
window_start where it has a window. A transform without either gives a single row, which has nothing to be found by.`,
	Fails: visits(toKafka + "mode: upsert"), Passes: visits(toKafka + "mode: upsert, key: [page, window_start]")}}

// checkUpsert holds the keys of sinks that replace rows against what tells the rows apart.
func checkUpsert(c *compiler) {
	for _, s := range c.plan.Sinks {
		n := c.clause(s.Block, "key")
		if !s.Upsert || n == nil || faulty(c.diags, n) {
			continue
		}
		given := texts(n)
		for _, in := range s.Inputs {
			t := c.windowedBehind(in)
			if t == nil || in.unsure {
				continue
			}
			c.once(func() { c.checkKey(s, t, in, n, given) })
			c.once(func() { c.refuseGrowing(s, t) })
		}
	}
}

// refuseGrowing refuses to upsert sessions that may grow after they were written: the row under the former bounds would
// have to be deleted.
func (c *compiler) refuseGrowing(s *Sink, t *Transform) {
	if _, session := t.Window.Spec.(window.Session); session && t.Window.Lateness > 0 {
		c.refuse(s.Name, c.option(s.Block, "mode"), fmt.Sprintf("mode: upsert of sessions that late records make longer (%q)", t.Name),
			fmt.Sprintf("leave allowed_lateness out, and read %s.late", t.Name))
	}
}

// checkKey reports a key that does not tell the rows of t apart. Behind a transform that renames or drops what does,
// nothing is known.
func (c *compiler) checkKey(s *Sink, t *Transform, in *Output, n *spec.Node, given []string) {
	names := identity(t)
	if len(names) == 0 {
		c.report("TM307", spec.Error, n, spec.Diagnostic{Node: s.Name,
			Message: fmt.Sprintf("%q has neither key nor window: its only row has nothing to be found by", t.Name), Hint: fmt.Sprintf("mode: append, or a key in %q", t.Name)})
		return
	}
	if slices.ContainsFunc(names, func(name string) bool { return !hasField(in.Fields, name) }) {
		return
	}
	var lacking []string
	for _, name := range names {
		if !contains(given, name) && !(name == "window_start" && contains(given, "window_end")) {
			lacking = append(lacking, name)
		}
	}
	if len(lacking) == 0 {
		return
	}
	what := fmt.Sprintf("rows of different %s overwrite each other", lacking[0])
	if lacking[0] == "window_start" {
		what = "every window overwrites the last one"
	}
	c.report("TM305", spec.Error, n, spec.Diagnostic{Node: s.Name, Message: fmt.Sprintf("key %s: %s", flow(given), what), Hint: "key: " + flow(append(given, lacking...))})
}
