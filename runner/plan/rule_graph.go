package plan

import (
	"fmt"

	"tidemark/io/connector"
	"tidemark/spec"
)

var unknownFrom = rule{Rule: spec.Rule{ID: "TM020", Group: "graph", Severity: spec.Error, Fixed: true, Title: "from names nothing that can be read",
	Text: `"from" names a source or a transform of the file, and nothing has this name. What a sink has written can't be read: several sinks may
read the same output instead. What it could not write is NAME.dirty.`,
	Fails: `
sources:
  behaviour: {type: file, path: in.jsonl}
sinks:
  out: {from: behavior, type: stdout}
`, Passes: `
sources:
  behaviour: {type: file, path: in.jsonl}
sinks:
  out: {from: behaviour, type: stdout}
`}}

var cycle = rule{Rule: spec.Rule{ID: "TM021", Group: "graph", Severity: spec.Error, Fixed: true, Title: "transforms read each other in a circle",
	Text: `Records flow one way, from sources to sinks. A watermark could never rise in a circle: each transform would wait for itself.`,
	Fails: `
sources:
  clicks: {type: file, path: in.jsonl}
transforms:
  a: {from: [clicks, b], where: x > 1}
  b: {from: a, where: x > 2}
sinks:
  out: {from: b, type: stdout}
`, Passes: `
sources:
  clicks: {type: file, path: in.jsonl}
transforms:
  a: {from: clicks, where: x > 1}
  b: {from: a, where: x > 2}
sinks:
  out: {from: b, type: stdout}
`}}

var unusedBlock = rule{Rule: spec.Rule{ID: "TM022", Group: "graph", Severity: spec.Warning, Title: "a source or transform reaches no sink",
	Text: `What it gives is computed and thrown away. To count only, write it to a sink of type discard.`,
	Fails: `
sources:
  clicks: {type: file, path: in.jsonl}
transforms:
  visits: {from: clicks, where: x > 1}
sinks:
  out: {from: clicks, type: stdout}
`, Passes: `
sources:
  clicks: {type: file, path: in.jsonl}
transforms:
  visits: {from: clicks, where: x > 1}
sinks:
  out: {from: visits, type: stdout}
`}}

var noBlocks = rule{Rule: spec.Rule{ID: "TM023", Group: "graph", Severity: spec.Error, Fixed: true, Title: "no source or no sink",
	Text: `A pipeline reads from at least one source and writes to at least one sink. Transforms between them are optional.`,
	Fails: `
sources:
  clicks: {type: file, path: in.jsonl}
`, Passes: `
sources:
  clicks: {type: file, path: in.jsonl}
sinks:
  out: {from: clicks, type: stdout}
`}}

var unknownOutput = rule{Rule: spec.Rule{ID: "TM024", Group: "graph", Severity: spec.Error, Fixed: true, Title: "from names an output that the block does not have",
	Text: `A block has its main output, named like the block, and NAME.dirty with what it could not use. A transform with a window has
NAME.late too. A sink has NAME.dirty alone.`,
	Fails: `
sources:
  clicks: {type: file, path: in.jsonl}
sinks:
  out: {from: clicks.errors, type: stdout}
`, Passes: `
sources:
  clicks: {type: file, path: in.jsonl}
sinks:
  out: {from: clicks.dirty, type: stdout}
`}}

var neverLate = rule{Rule: spec.Rule{ID: "TM025", Group: "graph", Severity: spec.Error, Fixed: true, Title: "an output that the kind of block does not have",
	Text: `A record is late for a window that is already gone. A source and a transform without a window keep nothing that could be gone, so
nothing is late for them: read .late of the transform that has the window.

A transform with split has the outputs that it names and .rest, and none of its own name; one without has no .rest.`,
	Fails: `
sources:
  clicks: {type: file, path: in.jsonl}
transforms:
  clean: {from: clicks, where: x > 1}
sinks:
  out: {from: clean, type: stdout}
  late: {from: clean.late, type: stdout}
`, Passes: `
sources:
  clicks: {type: file, path: in.jsonl, timestamp: ts, watermark: 5s}
transforms:
  visits: {from: clicks, window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: visits, type: stdout}
  late: {from: visits.late, type: stdout}
`}}

var sameTarget = rule{check: checkTargets, Rule: spec.Rule{ID: "TM026", Group: "graph", Severity: spec.Warning, Title: "a sink writes what another block uses",
	Text: `Two sinks that write the same file replace each other's rows. One output can read several: from: [a, b].

A sink that writes a file which a source reads, or which its glob matches, feeds the next run with the results of this one; where that
file is there already the run refuses to replace it. One that writes a topic which a source reads feeds this run: each record makes another.`,
	Fails: `
sources:
  clicks: {type: file, path: in.jsonl}
sinks:
  a: {from: clicks, type: file, path: out.jsonl}
  b: {from: clicks.dirty, type: file, path: ./out.jsonl}
`, Passes: `
sources:
  clicks: {type: file, path: in.jsonl}
sinks:
  a: {from: [clicks, clicks.dirty], type: file, path: out.jsonl}
`}}

var clash = rule{Rule: spec.Rule{ID: "TM027", Group: "graph", Severity: spec.Error, Fixed: true, Title: "inputs of a union that don't go together",
	Text: `A field of a union has one type, whichever input a record came from. int and float go together; others do not.`,
	Fails: `
sources:
  a: {type: file, path: a.jsonl, schema: {amount: float}}
  b: {type: file, path: b.jsonl, schema: {amount: string}}
transforms:
  both: {from: [a, b], where: amount != nil}
sinks:
  out: {from: both, type: stdout}
`, Passes: `
sources:
  a: {type: file, path: a.jsonl, schema: {amount: float}}
  b: {type: file, path: b.jsonl, schema: {amount: int}}
transforms:
  both: {from: [a, b], where: amount != nil}
sinks:
  out: {from: both, type: stdout}
`}}

// checkTargets finds sinks that write what another sink writes, or what a source reads.
func checkTargets(c *compiler) {
	checkTopics(c)
	writers := map[string]*Sink{}
	for _, s := range c.plan.Sinks {
		targeted, ok := s.Options.(connector.Targeted)
		if !ok || targeted.Target() == "" || writesRecords(s.Kind) {
			continue
		}
		target, at := targeted.Target(), c.option(s.Block, "path")
		if first := writers[target]; first != nil {
			c.report("TM026", spec.Warning, at, spec.Diagnostic{Node: s.Name,
				Message: fmt.Sprintf("%q writes the same file as %q", s.Name, first.Name), Hint: "another path, or one sink with from: [a, b]"})
		} else {
			writers[target] = s
		}
		for _, other := range c.plan.Sinks {
			if parts, ok := other.Options.(connector.Numbered); ok && other != s && parts.Numbers(target) {
				c.report("TM026", spec.Warning, at, spec.Diagnostic{Node: s.Name,
					Message: fmt.Sprintf("%q writes a file that may be one of %q too", s.Name, other.Name), Hint: "another folder for one of them"})
			}
		}
		for _, in := range c.plan.Sources {
			_, records := in.Options.(connector.RecordSource) // which read topics
			if reader, ok := in.Options.(connector.Reader); ok && !records && reader.Reads(target) {
				c.report("TM026", spec.Warning, at, spec.Diagnostic{Node: s.Name,
					Message: fmt.Sprintf("%q writes what %q reads", s.Name, in.Name), Hint: "write to another folder"})
			}
		}
	}
}
