package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"tidemark/spec"
)

// FuzzCompile compiles whatever is a map. Nothing panics, and everything that is found has a place, a rule with a
// page and a message.
func FuzzCompile(f *testing.F) {
	paths, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		around := "…\n"
		for _, file := range archive.Files {
			switch {
			case file.Name == "around":
				around = string(file.Data)
			case filepath.Ext(file.Name) == ".yaml":
				f.Add(strings.Replace(around, "…\n", string(file.Data), 1))
			}
		}
	}
	for _, path := range []string{"auction", "orders", "order_uv", "order_repair", "sensors"} {
		if text, err := os.ReadFile("../../pipelines/" + path + ".yaml"); err == nil {
			f.Add(string(text))
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range lint("fuzz.yaml", text, map[string]string{"S": "x"}) {
			if _, ok := spec.LookupRule(d.Rule); !ok || d.Line < 1 || d.Column < 1 || d.EndColumn <= d.Column || d.Message == "" || d.File == "" {
				t.Errorf("%+v", d)
			}
		}
	})
}
