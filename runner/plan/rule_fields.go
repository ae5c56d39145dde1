package plan

import (
	"fmt"

	"tidemark/io/connector"
	"tidemark/spec"
)

var noSchema = rule{check: checkSchema, Rule: spec.Rule{ID: "TM116", Group: "expressions", Severity: spec.Info, Title: "fields that are not checked for want of a schema",
	Text: `Without a schema nobody knows the fields of the records. A name that is spelled wrong is then no mistake: it is a field that every record
lacks. A schema lets lint find it, and makes reading faster. Only the fields that the pipeline speaks of need to be in it.`,
	Fails: `
sources:
  logs: {type: file, path: logs.jsonl}
transforms:
  slow: {from: logs, where: latency > 200}
sinks:
  out: {from: slow, type: stdout}
`, Passes: `
sources:
  logs: {type: file, path: logs.jsonl, schema: {latency: int}}
transforms:
  slow: {from: logs, where: latency > 200}
sinks:
  out: {from: slow, type: stdout}
`}}

// checkSchema names sources without a schema of which transforms read fields by their names.
func checkSchema(c *compiler) {
	asked := map[*Source]bool{}
	for _, t := range c.plan.Transforms {
		for _, in := range t.Inputs {
			if t.asks {
				c.sourcesOf(in, func(s *Source) { asked[s] = true })
			}
		}
	}
	for _, s := range c.plan.Sources {
		if asked[s] && s.Main.Open && !s.Main.Declared && !s.Main.unsure && c.clause(s.Block, "schema") == nil {
			c.reportName("TM116", spec.Info, s.Block, spec.Diagnostic{Message: fmt.Sprintf("fields of %q are unknown, so their names and types can't be checked", s.Name),
				Hint: "schema: {NAME: TYPE, …}, of int, float, string, bool, timestamp, list, object and any"})
		}
	}
}

// formal reports whether a field may be null in a Parquet file only as far as the file says, and most files say so of
// all columns, whether or not they have nulls.
func (c *compiler) formal(name string) bool {
	formal := false
	for _, s := range c.plan.Sources {
		_, columnar := s.Options.(connector.Columnar)
		for _, f := range s.Main.Fields {
			if f.Name != name || !f.Type.Null {
				continue
			}
			if !columnar {
				return false
			}
			formal = true
		}
	}
	return formal
}
