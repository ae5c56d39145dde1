package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// root is the repository's folder, seen from this package.
const root = "../.."

// programFolder is where the built command lies, if a test needed it.
var programFolder string

func TestMain(m *testing.M) {
	code := m.Run()
	if programFolder != "" {
		os.RemoveAll(programFolder)
	}
	os.Exit(code)
}

// program is the command, built once for all tests that need a real process.
var program = sync.OnceValues(func() (string, error) {
	folder, err := os.MkdirTemp("", "tidemark-program-")
	if err != nil {
		return "", err
	}
	programFolder = folder
	path := filepath.Join(folder, "tidemark")
	out, err := exec.Command("go", "build", "-o", path, "tidemark/cmd/run").CombinedOutput()
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

// onKafka are the pipelines that need brokers. Tests of their own run them.
var onKafka = []string{"order_uv", "order_repair"}

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
			if slices.Contains(onKafka, name) {
				return
			}
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
