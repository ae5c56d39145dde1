package plan

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tidemark/spec"
)

// draw compiles a file without faults and draws its graph in both languages.
func draw(t *testing.T, path, text string, env map[string]string) (mermaid, dot string) {
	t.Helper()
	file, found := spec.Parse(path, []byte(text), spec.Options{Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
	p, more := Compile(file)
	if found = append(found, more...); found.HasErrors() {
		t.Fatalf("%s: %s", path, list(found))
	}
	var m, d strings.Builder
	if err := p.WriteMermaid(&m); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteDOT(&d); err != nil {
		t.Fatal(err)
	}
	return m.String(), d.String()
}

// TestDiagramsAreValid draws pipelines and reads what was drawn by the grammars of both languages, as far as diagrams
// of ours use them.
func TestDiagramsAreValid(t *testing.T) {
	texts := map[string]string{"explained.yaml": explained}
	paths, _ := filepath.Glob("../../pipelines/*.yaml")
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = string(text)
	}
	for path, text := range texts {
		mermaid, dot := draw(t, path, text, nil)
		checkMermaid(t, path, mermaid)
		checkDOT(t, path, dot)
		for range 3 {
			if m, d := draw(t, path, text, nil); m != mermaid || d != dot {
				t.Fatalf("%s: drawn differently the second time", path)
			}
		}
	}
}

const quotedText = `"[^"\n]*"`

var (
	mermaidNode = regexp.MustCompile(`^  (n_[a-z0-9_]+)(\[\(` + quotedText + `\)\]|\[` + quotedText + `\]|\{\{` + quotedText + `\}\}|\{` + quotedText + `\}|\(\[` + quotedText + `\]\))$`)
	mermaidEdge = regexp.MustCompile(`^  (n_[a-z0-9_]+) (?:-->|-\.->)(?:\|` + quotedText + `\|)? (n_[a-z0-9_]+)$`)
)

func checkMermaid(t *testing.T, path, text string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != "flowchart LR" {
		t.Errorf("%s: begins with %q", path, lines[0])
	}
	known := map[string]bool{}
	for _, line := range lines[1:] {
		if m := mermaidNode.FindStringSubmatch(line); m != nil {
			known[m[1]] = true
		} else if m := mermaidEdge.FindStringSubmatch(line); m == nil || !known[m[1]] || !known[m[2]] {
			t.Errorf("%s: no node, and no edge between nodes: %s", path, line)
		}
	}
}

var dotToken = regexp.MustCompile(`\s*("(?:[^"\\\n]|\\.)*"|[A-Za-z_][A-Za-z_0-9]*|->|[{}\[\];,=])`)

// dotReader reads DOT by its grammar: graph: 'digraph' '{' (statement ';')* '}', statement: ID '=' ID | ID ['->' ID]
// ['[' ID '=' ID (',' ID '=' ID)* ']'].
type dotReader struct {
	tokens []string
	nodes  map[string]bool
	faults []string
}

func checkDOT(t *testing.T, path, text string) {
	t.Helper()
	r := &dotReader{nodes: map[string]bool{}}
	rest := strings.TrimRight(text, "\n")
	for rest != "" {
		m := dotToken.FindStringSubmatch(rest)
		if m == nil || !strings.HasPrefix(rest, m[0]) {
			t.Fatalf("%s: no DOT: %s", path, rest)
		}
		r.tokens, rest = append(r.tokens, m[1]), rest[len(m[0]):]
	}
	r.take("digraph")
	r.take("{")
	for len(r.tokens) > 1 && len(r.faults) == 0 {
		r.statement()
	}
	r.take("}")
	if len(r.tokens) > 0 || len(r.faults) > 0 {
		t.Errorf("%s: %v, left: %v, in\n%s", path, r.faults, r.tokens, text)
	}
}

func (r *dotReader) next() string {
	if len(r.tokens) == 0 {
		return ""
	}
	token := r.tokens[0]
	r.tokens = r.tokens[1:]
	return token
}

func (r *dotReader) take(want string) {
	if got := r.next(); got != want {
		r.faults = append(r.faults, "wants "+want+", got "+got)
	}
}

func (r *dotReader) id() string {
	token := r.next()
	if token == "" || strings.Contains("{}[];,=->", token) {
		r.faults = append(r.faults, "wants a name, got "+token)
	}
	return token
}

func (r *dotReader) at(token string) bool {
	if len(r.tokens) == 0 || r.tokens[0] != token {
		return false
	}
	r.tokens = r.tokens[1:]
	return true
}

func (r *dotReader) statement() {
	name := r.id()
	switch {
	case r.at("="):
		r.id()
	case r.at("->"):
		to := r.id()
		if !r.nodes[name] || !r.nodes[to] {
			r.faults = append(r.faults, "an edge of a node that is not there: "+name+" "+to)
		}
		r.attributes()
	default:
		r.nodes[name] = true
		r.attributes()
	}
	r.take(";")
}

func (r *dotReader) attributes() {
	if !r.at("[") {
		return
	}
	for len(r.faults) == 0 {
		r.id()
		r.take("=")
		r.id()
		if !r.at(",") {
			break
		}
	}
	r.take("]")
}

// TestDiagramQuotes writes texts with everything that means something in the languages.
func TestDiagramQuotes(t *testing.T) {
	d := &diagram{}
	d.node("a", sourceShape, `say "#1" <b>&amp;</b> \n {x} [y]|z`)
	d.node("b", sinkShape, "two\nlines")
	d.edges = []diagramEdge{{"a", "b", `"\`, true}}
	checkMermaid(t, "quotes", d.mermaid())
	checkDOT(t, "quotes", d.dot())
}

// TestDiagramHidesSecrets says that nothing that came from the environment is drawn, in no form.
func TestDiagramHidesSecrets(t *testing.T) {
	mermaid, dot := draw(t, "p.yaml", `
name: "${NAME}"
sources: {in: {type: "${TYPE}", path: in.jsonl, timestamp: at, watermark: 5s}}
transforms:
  t: {from: in, window: {tumbling: "${SIZE}"}, aggregate: {n: count()}}
sinks: {out: {from: t, type: stdout}}
`, map[string]string{"SIZE": "90s", "TYPE": "file", "NAME": "opensesame"})
	for _, secret := range []string{"90s", "1m30s", "file", "opensesame"} {
		if strings.Contains(mermaid+dot, secret) {
			t.Errorf("%s in\n%s%s", secret, mermaid, dot)
		}
	}
	checkMermaid(t, "secrets", mermaid)
	checkDOT(t, "secrets", dot)
}
