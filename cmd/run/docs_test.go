package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tidemark/spec"
)

// root is the repository's folder, seen from this package.
const root = "../.."

// program is the command, built once for all tests that need a real process.
var program = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "tidemark-program-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(folder, "tidemark")
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		os.Stderr.Write(out)
	}
	return path, err
})

// built gives the path of the built command.
func built(t *testing.T) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatalf("the command can't be built: %v", err)
	}
	return path
}

// TestPipelines lints the pipelines that come with the project and holds what they give against
// testdata/pipelines/NAME: a file for standard output, and one for each file that they write.
func TestPipelines(t *testing.T) {
	t.Chdir(root)
	paths, err := filepath.Glob("pipelines/*.yaml")
	if err != nil || len(paths) < 3 {
		t.Fatalf("pipelines: %v, %v", paths, err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(name, func(t *testing.T) {
			lintClean(t, path)
			out, want := t.TempDir(), filepath.Join("testdata/pipelines", name)
			var stdout, stderr bytes.Buffer
			if code := run(context.Background(), []string{"run", path, "--set", "out=" + out}, nil, &stdout, &stderr); code != 0 {
				t.Fatalf("exit code %d\n%s", code, stderr.String())
			}
			if err := os.WriteFile(filepath.Join(out, "stdout"), stdout.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.RemoveAll(want); err != nil {
					t.Fatal(err)
				}
				if err := os.CopyFS(want, os.DirFS(out)); err != nil {
					t.Fatal(err)
				}
			}
			compareFolders(t, out, want)
		})
	}
}

// lintClean fails unless lint finds no errors and no warnings.
func lintClean(t *testing.T, path string) {
	t.Helper()
	var out bytes.Buffer
	if code := run(context.Background(), []string{"lint", "--strict", path}, nil, &out, &out); code != 0 {
		t.Errorf("lint: exit code %d\n%s", code, out.String())
	}
}

// compareFolders fails unless two folders hold the same files.
func compareFolders(t *testing.T, got, want string) {
	t.Helper()
	texts := func(folder string) map[string]string {
		files := map[string]string{}
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			text, err := os.ReadFile(filepath.Join(folder, e.Name()))
			if err != nil {
				t.Fatal(err)
			}
			files[e.Name()] = string(text)
		}
		return files
	}
	have, wants := texts(got), texts(want)
	for name, text := range wants {
		if _, ok := have[name]; !ok {
			t.Errorf("%s is not written", name)
		} else if problem := differ(have[name], text); problem != "" {
			t.Errorf("%s: %s", name, problem)
		}
	}
	for name := range have {
		if _, ok := wants[name]; !ok {
			t.Errorf("%s is not expected", name)
		}
	}
}

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

// TestPages checks the pages: a yaml block that is a whole pipeline lints clean and runs, and the lines of a console block
// that begin with "$ " are commands which print what follows them. A line of three dots in it stands for any lines.
func TestPages(t *testing.T) {
	t.Chdir(root)
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range fences(string(text)) {
			t.Run(filepath.Base(page)+":"+strconv.Itoa(block.line), func(t *testing.T) {
				switch block.language {
				case "yaml":
					checkYAML(t, block.text)
				case "console":
					checkConsole(t, block.text)
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
var varying = regexp.MustCompile(`in \d+\.\d+ s(, [0-9.]+ million a second)?|"seconds":[0-9.e-]+`)

// checkConsole runs the commands of a block in a shell, with the built command for "tidemark" and for
// "go run ./cmd/run", and compares what they print.
func checkConsole(t *testing.T, text string) {
	folder := t.TempDir()
	for _, part := range strings.Split("\n"+text, "\n$ ")[1:] {
		command, want, _ := strings.Cut(part, "\n")
		if strings.HasPrefix(command, "go ") && !strings.HasPrefix(command, "go run ") {
			continue // builds and tests
		}
		shell := strings.NewReplacer("go run ./cmd/run", "tidemark").Replace(command)
		c := exec.Command("bash", "-c", shell+" 2>&1")
		c.Env = append(os.Environ(), "PATH="+filepath.Dir(built(t))+":"+os.Getenv("PATH"), "TMPDIR="+folder)
		got, _ := c.Output()
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
