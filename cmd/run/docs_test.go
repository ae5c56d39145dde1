package main

import (
	"bytes"
	"context"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tidemark/cmd/run/internal/envfile"
	"tidemark/cmd/run/internal/metrics"
	"tidemark/spec"
)

// fence is a block of code in Markdown.
type fence struct {
	language, text string
	line           int
}

// fences finds the blocks of code of a page.
func fences(page string) []fence {
	var found []fence
	var open *fence
	for i, line := range strings.Split(page, "\n") {
		language, mark := strings.CutPrefix(line, "```")
		switch {
		case !mark && open != nil:
			open.text += line + "\n"
		case mark && open != nil:
			found, open = append(found, *open), nil
		case mark:
			open = &fence{language: language, line: i + 2}
		}
	}
	return found
}

// pages are the pages whose blocks are checked.
func pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{"README.md"}, found...)
}

// TestPages checks the pages: a yaml block that is a whole pipeline lints clean and runs, and the lines of a
// console block that begin with "$ " are commands which print what follows them. A line of three dots stands for
// any lines.
func TestPages(t *testing.T) {
	t.Chdir(root)
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		folder := workspace(t)
		for _, block := range fences(string(text)) {
			t.Run(filepath.Base(page)+":"+strconv.Itoa(block.line), func(t *testing.T) {
				switch block.language {
				case "yaml":
					checkYAML(t, block.text)
				case "console":
					checkConsole(t, folder, block.text)
				}
			})
		}
	}
}

// checkYAML lints and runs a pipeline; a block that is only a part of one must be good YAML of its section.
func checkYAML(t *testing.T, text string) {
	path := filepath.Join(t.TempDir(), "pipeline.yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "sinks:") || !strings.Contains(text, "sources:") {
		for _, d := range parsed(path, text) {
			if d.Rule != "TM023" && d.Severity == spec.Error {
				t.Errorf("%d:%d: %s", d.Line, d.Column, d.Message)
			}
		}
		return
	}
	lintClean(t, path)
	var out bytes.Buffer
	args := []string{"run", path, "--set", "out=" + t.TempDir()}
	if code := run(context.Background(), args, nil, &out, &out); code != 0 {
		t.Errorf("run: exit code %d\n%s", code, out.String())
	}
}

func parsed(path, text string) spec.Diagnostics {
	_, found := spec.Parse(path, []byte(text), spec.Options{})
	return found
}

// varying are parts of what a run prints that differ from run to run.
var varying = regexp.MustCompile(`in \d+\.\d+ s(, [0-9.]+ (?:million|records) a second)?|"seconds":[0-9.e-]+`)

// workspace makes a folder that has the repository's example files, for commands that write files.
func workspace(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"pipelines", "testdata", "docs"} {
		path, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// checkConsole runs the commands of a block in a shell, with the built command for "./tidemark" and for
// "go run ./cmd/run", and compares what they print. Lines that begin with "> " go on with a command, as a shell shows
// them. Building and testing are left out.
func checkConsole(t *testing.T, folder, text string) {
	for _, part := range strings.Split("\n"+text, "\n$ ")[1:] {
		command, want, _ := strings.Cut(part, "\n")
		for more, ok := strings.CutPrefix(want, "> "); ok; more, ok = strings.CutPrefix(want, "> ") {
			var line string
			line, want, _ = strings.Cut(more, "\n")
			command += "\n" + line
		}
		if strings.HasPrefix(command, "go build ") || strings.HasPrefix(command, "go test ") {
			continue
		}
		shell := strings.NewReplacer("go run ./cmd/run", built(t), "./tidemark", built(t)).Replace(command)
		c := exec.Command("bash", "-c", shell)
		c.Dir = folder
		got, err := c.CombinedOutput()
		if _, ended := err.(*exec.ExitError); err != nil && !ended {
			t.Fatal(err)
		}
		if !matches(varying.ReplaceAllString(string(got), "…"), varying.ReplaceAllString(want, "…")) {
			t.Errorf("$ %s\nprints\n%s\nwants\n%s", command, got, want)
		}
	}
}

// matches compares lines; a line of three dots in want stands for any number of lines.
func matches(got, want string) bool {
	pattern := regexp.QuoteMeta(strings.TrimRight(want, "\n"))
	pattern = regexp.MustCompile(`(?m)^\s*\\\.\\\.\\\.$\n?`).ReplaceAllString(pattern, `(?:.*\n?)*?`)
	return regexp.MustCompile(`^(?s:` + pattern + `)\s*$`).MatchString(strings.TrimRight(got, "\n"))
}

// TestFirstCommand holds the README's promise: its first command line runs the main pipeline and prints windows.
func TestFirstCommand(t *testing.T) {
	t.Chdir(root)
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	command := ""
	for _, block := range fences(string(text)) {
		for _, line := range strings.Split(block.text, "\n") {
			if command == "" {
				command = strings.TrimPrefix(line, "$ ")
			}
		}
	}
	args, ok := strings.CutPrefix(command, "go run ./cmd/run ")
	if !ok || !strings.HasPrefix(args, "run ") {
		t.Fatalf("the first command is %q", command)
	}
	var stdout, stderr bytes.Buffer
	words := append(strings.Fields(args), "--set", "out="+t.TempDir())
	if code := run(context.Background(), words, nil, &stdout, &stderr); code != 0 || !strings.Contains(stdout.String(), `"window_start":`) {
		t.Errorf("exit code %d, stdout:\n%s\nstderr:\n%s", code, stdout.String(), stderr.String())
	}
}

// TestLinks checks that what the pages link to within the repository is there.
func TestLinks(t *testing.T) {
	t.Chdir(root)
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}

// TestMetricsPage holds docs/operations.md against the metrics that there are: the table has each of them with its labels
// and its type, and no query speaks of another.
func TestMetricsPage(t *testing.T) {
	text, err := os.ReadFile(root + "/docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	page, known := string(text), map[string]bool{}
	for _, f := range metrics.Families {
		kind := "gauge"
		if f.Counter {
			kind = "counter"
		}
		known[f.Name] = true
		if row := "| `" + f.Name + "{" + strings.Join(f.Labels, ",") + "}` | " + kind + " | "; strings.Count(page, row) != 1 {
			t.Errorf("the table has no row %s", row)
		}
	}
	for _, name := range regexp.MustCompile(`tidemark_\w+`).FindAllString(page, -1) {
		if !known[name] {
			t.Errorf("there is no metric %s", name)
		}
	}
}

// TestEnvFilePage reads the page's file of variables.
func TestEnvFilePage(t *testing.T) {
	text, err := os.ReadFile(root + "/docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := fences(string(text))
	got, err := envfile.Parse("operations.md", blocks[len(blocks)-1].text)
	want := map[string]string{"KAFKA_BROKERS": "broker-1:9092,broker-2:9092", "KAFKA_PASSWORD": `as it stands: $ " # \`, "GREETING": "two\nlines"}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
}

// TestPromises checks that the tests which docs/kafka.md names are there.
func TestPromises(t *testing.T) {
	t.Chdir(root)
	text, err := os.ReadFile("docs/kafka.md")
	if err != nil {
		t.Fatal(err)
	}
	sources := tests(t)
	named := regexp.MustCompile("`(Test[A-Z]\\w*)`").FindAllSubmatch(text, -1)
	for _, m := range named {
		if !sources[string(m[1])] {
			t.Errorf("docs/kafka.md names %s, which is not there", m[1])
		}
	}
	if len(named) < 50 {
		t.Errorf("docs/kafka.md names %d tests", len(named))
	}
}

// tests gives the names of the repository's tests.
func tests(t *testing.T) map[string]bool {
	t.Helper()
	names, declared := map[string]bool{}, regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(text, -1) {
			names[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
