package plan

import (
	"fmt"
	"strings"

	"tidemark/spec"
)

var nameOfFormat = rule{check: checkNames, Rule: spec.Rule{ID: "TM511", Group: "connectors", Severity: spec.Warning, Title: "a file whose name speaks of another format",
	Text: `Without format a file is JSON lines, whatever it is called: nothing is guessed from the name, neither where it is read nor where it is
written. Parquet files have a type of their own. Files are compressed if compression says so.`,
	Fails: `
sources:
  clicks: {type: file, path: clicks.jsonl}
sinks:
  out: {from: [clicks, clicks.dirty], type: file, path: clicks.parquet}
`, Passes: `
sources:
  clicks: {type: file, path: clicks.jsonl}
sinks:
  out: {from: [clicks, clicks.dirty], type: parquet, path: clicks.parquet, schema: {user: string, page: string}}
`}}

// checkNames looks at the paths of files whose format is not said.
func checkNames(c *compiler) {
	for _, s := range c.plan.Sources {
		c.checkName(s.Block, "reads")
	}
	for _, s := range c.plan.Sinks {
		c.checkName(s.Block, "writes")
		p := c.clause(s.Block, "path")
		if s.Block.Type != "file" || c.clause(s.Block, "compression") != nil || p == nil || p.Kind != spec.Scalar || p.Secret() {
			continue
		}
		for suffix, compression := range map[string]string{".gz": "gzip", ".zst": "zstd"} {
			if strings.HasSuffix(strings.ToLower(p.Text), suffix) {
				c.report("TM511", spec.Warning, p, spec.Diagnostic{Node: s.Name,
					Message: fmt.Sprintf("%q writes plain text: no compression is given", s.Name), Hint: "compression: " + compression})
			}
		}
	}
}

func (c *compiler) checkName(b *spec.Block, does string) {
	if b.Type != "file" || c.clause(b, "format") != nil {
		return
	}
	for _, p := range c.clause(b, "path").List() {
		if p.Kind != spec.Scalar || p.Secret() {
			continue
		}
		if hint := formatOfName(p.Text); hint != "" {
			c.report("TM511", spec.Warning, p, spec.Diagnostic{Node: b.Name, Message: fmt.Sprintf("%q %s JSON lines: no format is given", b.Name, does), Hint: hint})
			return
		}
	}
}

// formatOfName gives what to write for a file that is called so; "" where JSON lines may well be in it.
func formatOfName(path string) string {
	name := strings.ToLower(path)
	for _, packed := range []string{".gz", ".zst"} {
		name = strings.TrimSuffix(name, packed)
	}
	switch {
	case strings.HasSuffix(name, ".csv"):
		return "format: csv"
	case strings.HasSuffix(name, ".tsv"):
		return `format: csv, delimiter: "\t"`
	case strings.HasSuffix(name, ".parquet"):
		return "type: parquet"
	}
	return ""
}
