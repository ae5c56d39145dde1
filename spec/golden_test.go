package spec

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what was found into the archives")

// TestBad reads testdata/*.txtar: pairs of a file NAME.yaml and NAME.want. Each line of the latter is one fault,
// `line:column RULE message -> hint`; message and hint need only be contained. A file `env` has NAME=VALUE lines.
func TestBad(t *testing.T) {
	archives, _ := filepath.Glob("testdata/*.txtar")
	if len(archives) == 0 {
		t.Fatal("no archives")
	}
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files := map[string]string{}
		for _, f := range archive.Files {
			files[f.Name] = string(f.Data)
		}
		options := Options{Env: environment(files["env"])}
		for i, f := range archive.Files {
			name, ok := strings.CutSuffix(f.Name, ".yaml")
			if !ok {
				continue
			}
			t.Run(filepath.Base(path)+"/"+name, func(t *testing.T) {
				_, faults := check(f.Name, []byte(files[f.Name]), options)
				if *update {
					archive.Files[i+1].Data = []byte(list(faults))
					return
				}
				compare(t, faults, files[name+".want"])
			})
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func environment(text string) func(string) (string, bool) {
	values := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if name, value, ok := strings.Cut(line, "="); ok {
			values[name] = strings.ReplaceAll(value, `\n`, "\n")
		}
	}
	return func(name string) (string, bool) { v, ok := values[name]; return v, ok }
}

func list(faults Diagnostics) string {
	var b strings.Builder
	for _, d := range faults {
		fmt.Fprintf(&b, "%d:%d-%d %s %s -> %s\n", d.Line, d.Column, d.EndColumn, d.Rule, d.Message, d.Hint)
	}
	return b.String()
}

func compare(t *testing.T, faults Diagnostics, want string) {
	t.Helper()
	lines := strings.FieldsFunc(want, func(r rune) bool { return r == '\n' })
	bad := len(lines) != len(faults)
	for i := 0; i < len(lines) && i < len(faults); i++ {
		d := faults[i]
		place, rest, _ := strings.Cut(lines[i], " ")
		rule, rest, _ := strings.Cut(rest, " ")
		message, hint, _ := strings.Cut(rest, " -> ")
		columns := fmt.Sprintf("%d:%d", d.Line, d.Column)
		if strings.Contains(place, "-") {
			columns += fmt.Sprintf("-%d", d.EndColumn)
		}
		if place != columns || rule != d.Rule || !strings.Contains(d.Message, message) || !strings.Contains(d.Hint, strings.TrimSuffix(hint, " -> ")) {
			bad = true
		}
	}
	if bad {
		t.Errorf("got\n%swant\n%s", list(faults), want)
	}
}

// TestRules holds the examples of the rule table against the checks: the wrong one has the fault, the right one has
// none.
func TestRules(t *testing.T) {
	for _, r := range Rules() {
		if r.Group != "structure" && r.ID != "TM090" {
			continue
		}
		found := false
		_, faults := check("wrong.yaml", []byte(r.Fails), Options{})
		for _, d := range faults {
			found = found || d.Rule == r.ID && d.Severity == r.Severity
		}
		if !found {
			t.Errorf("%s: the wrong example gives\n%s", r.ID, list(faults))
		}
		if _, faults := check("right.yaml", []byte(r.Passes), Options{}); len(faults) > 0 {
			t.Errorf("%s: the right example gives\n%s", r.ID, list(faults))
		}
		if page := r.Explain(); !strings.Contains(page, "Wrong:") || !strings.Contains(page, r.Title) {
			t.Errorf("%s: page %q", r.ID, page)
		}
	}
}

// TestPrint compares the printed form.
func TestPrint(t *testing.T) {
	text := []byte("sources:\n\tbad: 1\nname: 日本: x\n")
	_, faults := Parse("p.yaml", text, Options{})
	var out bytes.Buffer
	if err := faults.WriteText(&out, func(string) []byte { return text }); err != nil {
		t.Fatal(err)
	}
	want := `p.yaml:2:1: error[TM001] the line is indented with a tab
    2 | 	bad: 1
      | ^
   hint: YAML wants spaces: use 2 for each level
p.yaml:3:7: error[TM001] cannot read YAML: mapping values are not allowed here
    3 | name: 日本: x
      |       ^^^^^^^
   hint: quote the value: it contains ": " ('日本: x')
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	out.Reset()
	if err := (Diagnostics)(nil).WriteJSON(&out); err != nil || strings.TrimSpace(out.String()) != "{\n  \"diagnostics\": []\n}" {
		t.Errorf("json %v %q", err, out.String())
	}
}
