package plan

import (
	"fmt"
	"slices"

	"tidemark/io/codec"
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
	for _, s := range c.plan.Sources {
		if _, columnar := s.Options.(connector.Columnar); s.Kind == nil || columnar || !s.Main.Open || s.Main.Declared || s.Main.unsure || c.clause(s.Block, "schema") != nil {
			continue
		}
		if s.readByName() {
			c.reportName("TM116", spec.Info, s.Block, spec.Diagnostic{Message: fmt.Sprintf("fields of %q are unknown, so their names and types can't be checked", s.Name),
				Hint: "schema: {NAME: TYPE, …}, of int, float, string, bool, timestamp, list, object and any"})
		}
	}
}

// readByName reports whether fields of a source's records are read, but for what its own timestamp and watermark ask for.
// Their names are not told: they may come from the environment.
func (s *Source) readByName() bool {
	return slices.ContainsFunc(s.Columns[min(s.ownColumns, len(s.Columns)):], func(c codec.Column) bool { return len(c.Path) > 0 && !isRaw(c.Path) })
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
