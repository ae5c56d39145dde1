package spec

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// FuzzParse holds for any text: no panic, and every fault stands at a place of the file and has words.
func FuzzParse(f *testing.F) {
	archives, _ := filepath.Glob("testdata/*.txtar")
	for _, path := range archives {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range txtar.Parse(text).Files {
			if strings.HasSuffix(file.Name, ".yaml") {
				f.Add(file.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		file, faults := check("p.yaml", text, Options{Env: environment("A=x")})
		lines := lineStarts(text)
		for _, d := range faults {
			if d.File != "p.yaml" || d.Line < 1 || d.Line > len(lines) || d.Column < 1 || d.EndColumn <= d.Column || d.Message == "" || d.Rule == "" {
				t.Fatalf("%+v in %q", d, text)
			}
		}
		if file == nil && !faults.HasErrors() {
			t.Fatalf("neither file nor fault: %q", text)
		}
		if file != nil {
			walk(file.Node, func(n *Node) {
				for i := 0; i <= len(n.Text); i += 1 + len(n.Text)/20 {
					if p := n.At(i); p.Line < 1 || p.Line > len(lines) || p.Column < 1 {
						t.Fatalf("byte %d of %q is at %v in %q", i, n.Text, p, text)
					}
				}
			})
		}
		if err := faults.WriteText(&strings.Builder{}, func(string) []byte { return text }); err != nil {
			t.Fatal(err)
		}
	})
}

func walk(n *Node, visit func(*Node)) {
	visit(n)
	for _, item := range n.Items {
		walk(item, visit)
	}
	for _, e := range n.Entries {
		walk(e.Value, visit)
	}
}

// thousand is a file of a thousand lines.
func thousand() []byte {
	var b strings.Builder
	b.WriteString("sources:\n  a: {type: file, path: a.jsonl}\ntransforms:\n")
	for i := range 100 {
		fmt.Fprintf(&b, "  t%d:\n    from: a\n    where: (amount ?? 0) > %d\n    key: [user_id, page]\n    window: {tumbling: 1m}\n"+
			"    allowed_lateness: 30s\n    aggregate:\n      orders: count()\n      revenue: sum(amount)\n      p95: quantile(amount, 0.95)\n", i, i)
	}
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	text := thousand()
	for b.Loop() {
		if _, faults := check("p.yaml", text, Options{}); len(faults) > 0 {
			b.Fatal(faults)
		}
	}
}

// BenchmarkBroken reads the same with ten lines that are no YAML.
func BenchmarkBroken(b *testing.B) {
	text := []byte(strings.ReplaceAll(string(thousand()), "7:\n    from: a", "7:\n    from: a: b"))
	for b.Loop() {
		if _, faults := check("p.yaml", text, Options{}); len(faults) != 10 {
			b.Fatal(len(faults))
		}
	}
}
