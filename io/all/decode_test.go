package all

import (
	"strings"
	"testing"

	"tidemark/io/connector"
	"tidemark/io/fileio"
	"tidemark/spec"
)

// TestOptionsDecode decodes the options of the file kinds as a pipeline file gives them.
func TestOptionsDecode(t *testing.T) {
	decode := func(role connector.Role, text string) (any, error) {
		file, faults := spec.Parse("p.yaml", []byte(text), spec.Options{NoEnv: true})
		if file == nil {
			return nil, faults
		}
		k, _ := connector.Lookup(role, "file")
		options, blocks := k.New(), file.Sources
		if role == connector.SinkRole {
			blocks = file.Sinks
		}
		wrong := spec.Decode(blocks[0].Node, options, spec.DecodeOptions{What: "file", Ignore: []string{"type", "from"}})
		if len(wrong) > 0 {
			return options, wrong
		}
		return options, nil
	}
	o, err := decode(connector.SourceRole, "sources:\n  s: {type: file, path: a.jsonl, max_line: 1MiB}\n")
	if in := o.(*fileio.SourceOptions); err != nil || in.MaxLine != 1<<20 || strings.Join(in.Path, " ") != "a.jsonl" || in.Compression != "auto" {
		t.Errorf("%+v, %v", in, err)
	}
	o, err = decode(connector.SinkRole, "sinks:\n  s: {from: a, type: file, path: b, overwrite: true, roll: {size: 1kB, every: 2s}}\n")
	if out := o.(*fileio.SinkOptions); err != nil || !out.Overwrite || out.Roll.Size != 1000 || out.Roll.Every != 2000 {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err = decode(connector.SourceRole, "sources:\n  s: {type: file, path: a, max_line: 5}\n"); err == nil {
		t.Error("max_line: 5 was taken for a size")
	}
}
