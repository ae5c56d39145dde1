package plan

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"tidemark/io/connector"
	"tidemark/spec"
)

func init() {
	spec.RegisterRule(spec.Rule{ID: "TM508", Group: "connectors", Severity: spec.Error, Fixed: true, Title: "an input that is not there",
		Text: `A path names no file, or a pattern matches none. run looks for the inputs before it writes anything; lint does not, since it reads
nothing but pipelines. Relative paths start at the folder in which the command runs.`,
		Fails: `
sources:
  clicks: {type: file, path: "clicks-of-yesterday-*.jsonl"}
sinks:
  out: {from: clicks, type: stdout}
`, Passes: `
sources:
  clicks: {type: file, path: "-"}
sinks:
  out: {from: clicks, type: stdout}
`})
}

// Missing looks for the inputs of all sources and reports those that are not there.
func (p *Plan) Missing() spec.Diagnostics {
	var found spec.Diagnostics
	for _, s := range p.Sources {
		located, ok := s.Options.(connector.Located)
		if !ok {
			continue
		}
		for _, m := range located.Missing() {
			node := s.Block.Node
			if path := node.Get("path"); path != nil {
				node = path
			}
			node = scalar(node, m.Name)
			d := node.Diagnose("TM508", redact(node, strings.TrimSuffix(m.Err.Error(), ": "+fs.ErrNotExist.Error())), missingHint(m))
			d.File, d.Node = node.File(), s.Name
			found = append(found, d)
		}
	}
	return found
}

// missingHint says what to do about an input that is not there.
func missingHint(m connector.Missing) string {
	if info, err := os.Stat(m.Name); err == nil && info.IsDir() {
		return "name the files in it, or a pattern that they have"
	}
	if filepath.IsAbs(m.Name) {
		return "make it, or correct the path"
	}
	return "make it, or correct the path: it is looked for from the folder that the command runs in"
}

// scalar finds the value below n that has a text; n itself where none has.
func scalar(n *spec.Node, text string) *spec.Node {
	values := append([]*spec.Node{}, n.Items...)
	for _, e := range n.Entries {
		values = append(values, e.Value)
	}
	for _, v := range values {
		if v.Kind == spec.Scalar && v.Text == text {
			return v
		}
		if below := scalar(v, text); below != v {
			return below
		}
	}
	return n
}
