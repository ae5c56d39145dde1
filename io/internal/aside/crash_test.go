package aside_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tidemark/io/internal/aside"
	"tidemark/io/internal/aside/asidetest"
)

func TestOrderOfOperations(t *testing.T) {
	folder := t.TempDir()
	r := &asidetest.Recorder{}
	a, err := aside.Open(r, filepath.Join(folder, "x/y/out.jsonl"), false)
	if err != nil {
		t.Fatal(err)
	}
	a.Write([]byte("{}\n"))
	if err := a.Commit(); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"mkdir x", "mkdir x/y", "create HIDDEN", "write HIDDEN 3", "sync HIDDEN",
		"rename HIDDEN x/y/out.jsonl", "syncdir x/y", "syncdir x", "syncdir .",
	}, "\n")
	if got := r.Story(folder); got != want {
		t.Errorf("operations:\n%s\nwant:\n%s", got, want)
	}
}

func TestNoCrashLeavesHalfAFile(t *testing.T) {
	target := filepath.Join(t.TempDir(), "out.jsonl")
	r := &asidetest.Recorder{}
	a, err := aside.Open(r, target, false)
	if err != nil {
		t.Fatal(err)
	}
	line := []byte(strings.Repeat("x", 99) + "\n")
	const lines = 10_000
	for range lines {
		a.Write(line)
	}
	if err := a.Commit(); err != nil {
		t.Fatal(err)
	}
	for n := range len(r.Operations) + 1 {
		w := asidetest.CrashAfter(r.Operations[:n])
		file, visible := w.Names[target]
		if visible && w.Synced[file] != lines*len(line) {
			t.Errorf("after %v the target may hold %d bytes", r.Operations[:n], w.Synced[file])
		}
		if _, sure := w.Durable[target]; n == len(r.Operations) && !sure {
			t.Error("after Commit the name may be lost")
		}
	}
	if !slices.ContainsFunc(r.Operations, func(o asidetest.Operation) bool { return o.Do == "write" && o.Size < lines*len(line) }) {
		t.Error("all was written at once: nothing was tested")
	}
}

func TestAbortLeavesNothing(t *testing.T) {
	target := filepath.Join(t.TempDir(), "out.jsonl")
	os.WriteFile(target, []byte("old\n"), 0o666)
	a, err := aside.Open(aside.Disk{}, target, true)
	if err != nil {
		t.Fatal(err)
	}
	a.Write([]byte("new\n"))
	a.Flush()
	if entries, _ := os.ReadDir(filepath.Dir(target)); len(entries) != 2 {
		t.Errorf("while it is written: %v", entries)
	}
	for range 2 {
		if err := a.Abort(); err != nil {
			t.Fatal(err)
		}
	}
	if got := tree(t, filepath.Dir(target)); !maps.Equal(got, map[string]string{"out.jsonl": "old\n"}) {
		t.Errorf("after Abort: %q", got)
	}
}

// tree gives all files below a folder, hidden ones too, with what is in them.
func tree(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, folder+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
