package plan

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	_ "tidemark/io/all"
	"tidemark/spec"
)

var update = flag.Bool("update", false, "write what was found into the archives")

// lint gives everything that is found in a file.
func lint(name, text string, env map[string]string) spec.Diagnostics {
	file, found := spec.Parse(name, []byte(text), spec.Options{Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
	if file == nil {
		return found
	}
	_, more := Compile(file)
	found = append(found, more...)
	found.Sort()
	return found.Suppress(file)
}

// list writes problems as lines: place, severity, rule, block, message, hint.
func list(found spec.Diagnostics) string {
	var b strings.Builder
	for _, d := range found {
		fmt.Fprintf(&b, "%d:%d-%d %s %s %s: %s", d.Line, d.Column, d.EndColumn, d.Severity, d.Rule, d.Node, d.Message)
		if d.Hint != "" {
			b.WriteString(" -> " + d.Hint)
		}
		if d.Fix != "" {
			b.WriteString(" => " + d.Fix)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestFiles reads testdata/*.txtar: pairs of a file NAME.yaml and NAME.want, which lists what is found in it as
// `line:column-end severity RULE block: message -> hint => fix`. A file `around` holds a pipeline in which the
// line `…` stands for each of the files. A file `env` has NAME=VALUE lines.
func TestFiles(t *testing.T) {
	archives, _ := filepath.Glob("testdata/*.txtar")
	if len(archives) == 0 {
		t.Fatal("no archives")
	}
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		around, env := "…\n", map[string]string{}
		for _, f := range archive.Files {
			switch f.Name {
			case "around":
				around = string(f.Data)
			case "env":
				for _, line := range strings.Fields(string(f.Data)) {
					name, value, _ := strings.Cut(line, "=")
					env[name] = value
				}
			}
		}
		for i, f := range archive.Files {
			name, ok := strings.CutSuffix(f.Name, ".yaml")
			if !ok {
				continue
			}
			want := &archive.Files[i+1]
			if want.Name != name+".want" {
				t.Fatalf("%s: %s is not followed by its .want", path, f.Name)
			}
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar")+"/"+name, func(t *testing.T) {
				text := strings.Replace(around, "…\n", string(f.Data), 1)
				got := list(lint(f.Name, text, env))
				if *update {
					want.Data = []byte(got)
				} else if got != string(want.Data) {
					t.Errorf("%s\ngot\n%swant\n%s", text, got, want.Data)
				}
			})
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestRules holds the examples of the rule table against the checks: the wrong one has the fault and nothing
// worse beside it, the right one has nothing that would be worth a warning.
func TestRules(t *testing.T) {
	for _, r := range rules {
		if r.Fails == "" || r.Passes == "" || r.Text == "" || r.Group == "" {
			t.Errorf("%s has no text or no examples", r.ID)
		}
		found := lint("wrong.yaml", r.Fails, nil)
		found = slices.DeleteFunc(found, func(d spec.Diagnostic) bool { return d.Severity == spec.Info && d.Rule != r.ID })
		if len(found) != 1 || found[0].Rule != r.ID || found[0].Severity != r.Severity {
			t.Errorf("%s: the wrong example gives\n%s", r.ID, list(found))
		}
		if found := lint("right.yaml", r.Passes, nil); found.HasErrors() || found.Count(spec.Warning) > 0 || len(found) > 0 && found[0].Rule == r.ID {
			t.Errorf("%s: the right example gives\n%s", r.ID, list(found))
		}
		if page := r.Explain(); !strings.Contains(page, "Wrong:") || !strings.Contains(page, "Right:") {
			t.Errorf("%s: page %q", r.ID, page)
		}
	}
}

// TestEveryRuleIsRegistered says that nothing is reported under an id without a page.
func TestEveryRuleIsRegistered(t *testing.T) {
	sources, _ := filepath.Glob("*.go")
	id := regexp.MustCompile(`"(TM\d+)"`)
	for _, path := range sources {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range id.FindAllSubmatch(text, -1) {
			if _, ok := spec.LookupRule(string(m[1])); !ok {
				t.Errorf("%s speaks of %s, which has no page", path, m[1])
			}
		}
	}
}
