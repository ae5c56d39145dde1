package runner

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	_ "tidemark/io/all"
	"tidemark/runner/plan"
	"tidemark/spec"
)

// TestMain looks for goroutines that a test has left behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// trial is a pipeline over files in a folder of its own, which is ${dir} in its text.
type trial struct {
	testing.TB
	folder string
	text   string
	stdin  string
	warned []string
}

// newTrial writes files, by name, into an empty folder.
func newTrial(t testing.TB, text string, files map[string]string) *trial {
	p := &trial{TB: t, folder: t.TempDir(), text: text}
	for name, content := range files {
		p.write(name, content)
	}
	return p
}

func (p *trial) write(name, content string) {
	p.Helper()
	path := filepath.Join(p.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		p.Fatal(err)
	}
}

// read gives what a file holds; nothing when it is not there.
func (p *trial) read(name string) string {
	p.Helper()
	text, err := os.ReadFile(filepath.Join(p.folder, name))
	if err != nil && !os.IsNotExist(err) {
		p.Fatal(err)
	}
	return string(text)
}

func (p *trial) plan() *plan.Plan {
	p.Helper()
	f, found := spec.Parse("test.yaml", []byte(p.text), spec.Options{Set: map[string]string{"dir": p.folder}})
	if found.HasErrors() {
		p.Fatal(found)
	}
	compiled, found := plan.Compile(f)
	if found.HasErrors() {
		p.Fatal(found)
	}
	return compiled
}

// run runs the pipeline and gives what it printed.
func (p *trial) run(ctx context.Context, o Options) (string, *Report, error) {
	p.Helper()
	var out bytes.Buffer
	if o.Stdout == nil {
		o.Stdout = &out
	}
	if o.Stdin == nil {
		o.Stdin = strings.NewReader(p.stdin)
	}
	o.Warn = func(text string) { p.warned = append(p.warned, text) }
	report, err := Run(ctx, p.plan(), o)
	return out.String(), report, err
}

// settings are engine settings that must not change a result.
var settings = map[string]Options{
	"one worker":        {Parallelism: 1},
	"several workers":   {Parallelism: 3, ChunkSize: 256},
	"lanes, few rows":   {Parallelism: 7, ChunkSize: 512, BatchRows: 3, Lanes: LanesOn},
	"tiny chunks, rows": {Parallelism: 2, ChunkSize: 32, BatchRows: 1},
}
