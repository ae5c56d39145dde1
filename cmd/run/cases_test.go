package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"tidemark/runner"
)

// A case is an archive testdata/cases/NAME.txtar: command lines, the files that they find, and what must come of
// them. It is run in an empty folder that holds the archive's files, several times with settings of the engine
// that must not matter. The comment above the files has a directive a line; other lines are text:
//
//	run FILE [FLAG…]     a command line, as behind "tidemark": run, lint, explain or version. The outputs of several
//	lint FILE…           command lines follow each other, and each must give the exit code
//	tidemark WORDS       any other command line
//	exit N               the exit code; 0 if it isn't said
//	stdin FILE           a file of the archive is standard input, else that is empty
//	unordered            standard output's lines may come in any order
//	setenv NAME VALUE    sets a variable for the commands; \n stands for a line break
//	bom FILE             the file begins with a byte order mark
//	crlf FILE            the file's lines end with CR LF
//	chomp FILE           the file's last line has no end
//	pad FILE N           each word PAD in the file stands for N times the letter x
//	gzip FILE            the file is compressed, each of its lines as a member of its own
//	cut FILE N           the file lacks its last N bytes
//	once                 the case is run with the usual settings only
//
// Files below want/ are what must come of it; all others are written before the first command:
//
//	want/stdout          standard output, all of it; it must be empty where this is missing
//	want/stderr          lines that standard error must hold, anywhere; those that begin with ! it must not hold
//	want/counts          lines of the report: NODE in=7 out=4 filtered=1 late=1 dirty=2 used=3; it needs --report json
//	want/absent          names of files that there must not be
//	want/NAME            what the file NAME holds in the end, all of it
//
// With -update the files below want/ are written anew, but for want/stderr and want/absent.
var update = flag.Bool("update", false, "write what came of the cases into them")

// engines are settings that must not change what comes of a case.
var engines = []struct {
	name string
	set  func(*runner.Options)
}{
	{"usual", nil},
	{"one worker, small chunks", func(o *runner.Options) {
		o.Parallelism, o.ChunkSize, o.BatchRows, o.Lanes = 1, 64, 1, runner.LanesOff
	}},
	{"many workers, lanes", func(o *runner.Options) {
		o.Parallelism, o.ChunkSize, o.BatchRows, o.Lanes = 7, 128, 3, runner.LanesOn
	}},
}

func TestCases(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/cases/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		absolute, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			for _, engine := range engines {
				c := readCase(t, absolute)
				if c.once && engine.set != nil {
					continue
				}
				t.Run(engine.name, func(t *testing.T) { c.run(t, engine.set) })
			}
		})
	}
}

// script is a case that was read.
type script struct {
	path      string
	archive   *txtar.Archive
	commands  [][]string
	exit      string
	stdin     string
	unordered bool
	once      bool
	env       [][2]string
	files     map[string][]byte

	stdout, stderr bytes.Buffer
}

func readCase(t *testing.T, path string) *script {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &script{path: path, archive: archive, exit: "0", files: map[string][]byte{}}
	for _, f := range archive.Files {
		if !strings.HasPrefix(f.Name, "want/") {
			c.files[f.Name] = f.Data
		}
	}
	for _, line := range strings.Split(string(archive.Comment), "\n") {
		if problem := c.directive(strings.Fields(line)); problem != "" {
			t.Fatalf("%s: %s: %s", path, problem, line)
		}
	}
	if len(c.commands) == 0 {
		t.Fatalf("%s: no command", path)
	}
	return c
}

// directive reads a line above the files. Lines that begin with another word are text.
func (c *script) directive(words []string) string {
	if len(words) == 0 {
		return ""
	}
	args := words[1:]
	switch words[0] {
	case "run", "lint", "explain", "version":
		c.commands = append(c.commands, words)
	case "tidemark":
		c.commands = append(c.commands, args)
	case "exit":
		c.exit = args[0]
	case "stdin":
		c.stdin = args[0]
	case "unordered":
		c.unordered = true
	case "once":
		c.once = true
	case "setenv":
		c.env = append(c.env, [2]string{args[0], strings.ReplaceAll(strings.Join(args[1:], " "), `\n`, "\n")})
	case "bom", "crlf", "chomp", "pad", "gzip", "cut":
		data, ok := c.files[args[0]]
		if !ok {
			return "no such file in the archive"
		}
		c.files[args[0]] = reshape(words[0], args, data)
	}
	return ""
}

// reshape makes what an archive can't hold.
func reshape(how string, args []string, data []byte) []byte {
	switch how {
	case "bom":
		return append([]byte("\ufeff"), data...)
	case "crlf":
		return bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
	case "chomp":
		return bytes.TrimSuffix(data, []byte("\n"))
	case "gzip":
		return members(data)
	}
	var n int
	fmt.Sscan(args[1], &n)
	if how == "cut" {
		return data[:len(data)-n]
	}
	return bytes.ReplaceAll(data, []byte("PAD"), bytes.Repeat([]byte("x"), n))
}

// members compresses lines, each as a member of its own.
func members(lines []byte) []byte {
	var packed bytes.Buffer
	for line := range bytes.Lines(lines) {
		w := gzip.NewWriter(&packed)
		w.Write(line) // into memory, which takes it
		w.Close()
	}
	return packed.Bytes()
}

// run runs the commands in a folder of their own and compares.
func (c *script) run(t *testing.T, set func(*runner.Options)) {
	t.Chdir(t.TempDir())
	for name, data := range c.files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, pair := range c.env {
		t.Setenv(pair[0], pair[1])
	}
	testOptions = set
	defer func() { testOptions = nil }()
	for _, args := range c.commands {
		code := run(context.Background(), args, bytes.NewReader(c.files[c.stdin]), &c.stdout, &c.stderr)
		if fmt.Sprint(code) != c.exit {
			t.Errorf("%s: exit code %d, wants %s", strings.Join(args, " "), code, c.exit)
		}
	}
	if *update && set == nil {
		c.rewrite(t)
	}
	c.compare(t)
	if t.Failed() {
		t.Logf("stdout:\n%s\nstderr:\n%s", c.stdout.String(), c.stderr.String())
	}
}

// compare holds what came of it against the files below want/.
func (c *script) compare(t *testing.T) {
	wants := map[string]string{"stdout": ""}
	for _, f := range c.archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "want/"); ok {
			wants[name] = string(f.Data)
		}
	}
	for name, want := range wants {
		got, err := c.got(name)
		switch {
		case name == "stderr":
			c.compareErrors(t, want)
		case name == "absent":
			for _, file := range strings.Fields(want) {
				if _, err := os.Lstat(file); err == nil {
					t.Errorf("there is a file %s", file)
				}
			}
		case err != nil:
			t.Error(err)
		case name == "stdout" && c.unordered:
			if problem := differ(sorted(got), sorted(want)); problem != "" {
				t.Errorf("stdout: %s", problem)
			}
		default:
			if problem := differ(got, want); problem != "" {
				t.Errorf("%s: %s", name, problem)
			}
		}
	}
}

// compareErrors looks for lines in standard error.
func (c *script) compareErrors(t *testing.T, want string) {
	for _, line := range strings.Split(strings.TrimSuffix(want, "\n"), "\n") {
		text, not := strings.CutPrefix(line, "!")
		if strings.Contains(c.stderr.String(), text) == not {
			t.Errorf("standard error: wants %s", line)
		}
	}
}

// got gives what the file below want/ must hold.
func (c *script) got(name string) (string, error) {
	switch name {
	case "stdout":
		return c.stdout.String(), nil
	case "stderr", "absent":
		return "", nil
	case "counts":
		return counts(c.stderr.String())
	}
	text, err := os.ReadFile(name)
	return string(text), err
}

// rewrite writes what came of the case into its archive.
func (c *script) rewrite(t *testing.T) {
	kept := c.archive.Files[:0]
	for _, f := range c.archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "want/"); ok && name != "stderr" && name != "absent" {
			got, err := c.got(name)
			if err != nil {
				t.Error(err)
				continue
			}
			f.Data = []byte(got)
		}
		kept = append(kept, f)
	}
	c.archive.Files = kept
	named := func(f txtar.File) bool { return f.Name == "want/stdout" }
	if c.stdout.Len() > 0 && !slices.ContainsFunc(kept, named) {
		c.archive.Files = append(kept, txtar.File{Name: "want/stdout", Data: bytes.Clone(c.stdout.Bytes())})
	}
	if err := os.WriteFile(c.path, txtar.Format(c.archive), 0o644); err != nil {
		t.Error(err)
	}
}

// counts gives the report's counts, less those that are 0.
func counts(stderr string) (string, error) {
	var out strings.Builder
	for _, line := range strings.Split(stderr, "\n") {
		if !strings.HasPrefix(line, "{") {
			continue
		}
		var report struct{ Nodes []map[string]any }
		if err := json.Unmarshal([]byte(line), &report); err != nil {
			return "", fmt.Errorf("the report: %w", err)
		}
		for _, n := range report.Nodes {
			fmt.Fprint(&out, n["node"])
			for _, name := range []string{"in", "out", "filtered", "late", "dirty", "used"} {
				if v, ok := n[name].(float64); ok && v != 0 {
					fmt.Fprintf(&out, " %s=%v", name, v)
				}
			}
			out.WriteByte('\n')
		}
	}
	return out.String(), nil
}

func sorted(text string) string {
	lines := strings.SplitAfter(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// differ says where two texts differ first, or nothing.
func differ(got, want string) string {
	if got == want {
		return ""
	}
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		switch {
		case i >= len(g):
			return fmt.Sprintf("line %d is missing: %s", i+1, w[i])
		case i >= len(w):
			return fmt.Sprintf("line %d is too many: %s", i+1, g[i])
		case g[i] != w[i]:
			return fmt.Sprintf("line %d is\n%s\nwants\n%s", i+1, g[i], w[i])
		}
	}
	return ""
}
