package fileio

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// operation is what a recorder saw.
type operation struct {
	do   string // mkdir, create, write, sync, rename, syncdir, remove
	path string
	to   string // rename
	size int    // write
}

// recorder is a layer that does what the disk does and writes it down.
type recorder struct {
	disk
	operations []operation
}

func (r *recorder) note(do, path string) {
	r.operations = append(r.operations, operation{do: do, path: path})
}

func (r *recorder) Mkdir(path string) error { r.note("mkdir", path); return r.disk.Mkdir(path) }

func (r *recorder) Remove(path string) error { r.note("remove", path); return r.disk.Remove(path) }

func (r *recorder) SyncDir(path string) error { r.note("syncdir", path); return r.disk.SyncDir(path) }

func (r *recorder) Rename(from, to string) error {
	r.operations = append(r.operations, operation{do: "rename", path: from, to: to})
	return r.disk.Rename(from, to)
}

func (r *recorder) Create(path string) (layerFile, error) {
	r.note("create", path)
	f, err := r.disk.Create(path)
	return &recordedFile{f, r, path}, err
}

type recordedFile struct {
	layerFile
	r    *recorder
	path string
}

func (f *recordedFile) Write(p []byte) (int, error) {
	f.r.operations = append(f.r.operations, operation{do: "write", path: f.path, size: len(p)})
	return f.layerFile.Write(p)
}

func (f *recordedFile) Sync() error { f.r.note("sync", f.path); return f.layerFile.Sync() }

// story tells the operations with the paths below folder, HIDDEN for the unfinished file.
func (r *recorder) story(folder string) string {
	var lines []string
	hidden := ""
	for _, o := range r.operations {
		if o.do == "create" {
			hidden = o.path
		}
		line := fmt.Sprint(o.do, " ", o.path)
		if o.to != "" {
			line += " " + o.to
		}
		if o.size > 0 {
			line += fmt.Sprint(" ", o.size)
		}
		if hidden != "" {
			line = strings.ReplaceAll(line, hidden, "HIDDEN")
		}
		line = strings.ReplaceAll(line, folder+"/", "")
		lines = append(lines, strings.ReplaceAll(line, folder, "."))
	}
	return strings.Join(lines, "\n")
}

func TestOrderOfOperations(t *testing.T) {
	folder := t.TempDir()
	r := &recorder{}
	a, err := openAside(r, filepath.Join(folder, "x/y/out.jsonl"), false)
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
	if got := r.story(folder); got != want {
		t.Errorf("operations:\n%s\nwant:\n%s", got, want)
	}
}

// wreck is what a disk may hold after a crash: of each file what was synced or more, under each name what the
// synced folder says or what came later.
type wreck struct {
	written, synced map[string]int    // bytes of a file, by the name it was created with
	names           map[string]string // name → name of creation, as the running system sees it
	durable         map[string]string // the same as the disk is sure to have it
}

// crashAfter gives what is left when the machine stops after some operations.
func crashAfter(operations []operation) wreck {
	w := wreck{map[string]int{}, map[string]int{}, map[string]string{}, map[string]string{}}
	for _, o := range operations {
		switch o.do {
		case "create":
			w.names[o.path] = o.path
		case "write":
			w.written[o.path] += o.size
		case "sync":
			w.synced[o.path] = w.written[o.path]
		case "rename":
			w.names[o.to] = w.names[o.path]
			delete(w.names, o.path)
		case "remove":
			delete(w.names, o.path)
		case "syncdir":
			for name, file := range w.names {
				if filepath.Dir(name) == o.path {
					w.durable[name] = file
				}
			}
		}
	}
	return w
}

func TestNoCrashLeavesHalfAFile(t *testing.T) {
	target := filepath.Join(t.TempDir(), "out.jsonl")
	r := &recorder{}
	a, err := openAside(r, target, false)
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
	for n := range len(r.operations) + 1 {
		w := crashAfter(r.operations[:n])
		file, visible := w.names[target]
		if visible && w.synced[file] != lines*len(line) {
			t.Errorf("after %v the target may hold %d bytes", r.operations[:n], w.synced[file])
		}
		if _, sure := w.durable[target]; n == len(r.operations) && !sure {
			t.Error("after Commit the name may be lost")
		}
	}
	if !slices.ContainsFunc(r.operations, func(o operation) bool { return o.do == "write" && o.size < lines*len(line) }) {
		t.Error("all was written at once: nothing was tested")
	}
}

func TestAbortLeavesNothing(t *testing.T) {
	target := filepath.Join(t.TempDir(), "out.jsonl")
	os.WriteFile(target, []byte("old\n"), 0o666)
	a, err := openAside(disk{}, target, true)
	if err != nil {
		t.Fatal(err)
	}
	a.Write([]byte("new\n"))
	a.Flush()
	if got := listing(t, filepath.Dir(target)); len(got) != 2 {
		t.Errorf("while it is written: %q", got)
	}
	for range 2 {
		if err := a.Abort(); err != nil {
			t.Fatal(err)
		}
	}
	if got := listing(t, filepath.Dir(target)); len(got) != 1 || got["out.jsonl"] != "old\n" {
		t.Errorf("after Abort: %q", got)
	}
}

// listing gives the files of a folder with what is in them.
func listing(t *testing.T, folder string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}
