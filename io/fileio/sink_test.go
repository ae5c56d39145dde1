package fileio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidemark/io/connector"
)

// write opens a sink, writes text and commits.
func write(o *SinkOptions, text string) error {
	out, err := o.Open(context.Background(), connector.Environment{})
	if err != nil {
		return err
	}
	if text != "" {
		if _, err := out.(connector.ByteSink).Write([]byte(text)); err != nil {
			out.Abort()
			return err
		}
	}
	if err := out.Commit(); err != nil {
		out.Abort()
		return err
	}
	return out.Abort()
}

func TestTargets(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	os.WriteFile("old", []byte("old"), 0o666)
	os.Symlink("old", "link")
	os.Symlink("nowhere", "dangling")
	os.Symlink("round", "round")
	os.MkdirAll("deep/er", 0o777)
	os.Symlink("er/linked", "deep/link")
	os.Mkdir("folder", 0o777)
	for _, c := range []struct {
		path      string
		overwrite bool
		text      string
		in        string // the file that then has the text; path if empty
		wrong     string
	}{
		{path: "new", text: "a\n"},
		{path: "empty"},
		{path: "deep/er/new", text: "a\n"},
		{path: "old", text: "a\n", wrong: "old exists; remove it, write to another file, or set overwrite: true"},
		{path: "old", overwrite: true, text: "b\n"},
		{path: "link", overwrite: true, text: "c\n", in: "old"},
		{path: "dangling", text: "d\n", in: "nowhere"},
		{path: "round", wrong: "round can't be written"},
		{path: "deep/link", text: "e\n", in: "deep/er/linked"},
		{path: "none/../beside", text: "f\n", in: "beside"},
		{path: "folder", overwrite: true, wrong: "folder is a folder; name a file in it"},
		{path: "old/new", wrong: "old/new can't be written: something on the way to it is a file"},
		{path: strings.Repeat("n", 250), wrong: "the name is too long"},
		{path: "/dev/null", text: "a\n", in: "/dev/null"},
	} {
		o := sink(c.path)
		o.Overwrite = c.overwrite
		err := write(o, c.text)
		if c.wrong != "" {
			wantError(t, err, c.wrong)
			continue
		}
		if c.in == "" {
			c.in = c.path
		}
		got, readErr := os.ReadFile(c.in)
		if c.in == "/dev/null" {
			c.text = ""
		}
		if err = errors.Join(err, readErr); err != nil || string(got) != c.text {
			t.Errorf("%s: %q, %v; want %q", c.path, got, err, c.text)
		}
	}
	if left, _ := filepath.Glob(".*.tidemark-*"); len(left) > 0 {
		t.Errorf("left over: %q", left)
	}
	os.Chmod("old", 0o640)
	again := sink("old")
	again.Overwrite = true
	if err := write(again, "g\n"); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat("old"); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("its readers were changed: %v, %v", info.Mode(), err)
	}
	if info, err := os.Lstat("link"); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v", err)
	}
}

func TestCheckChangesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	os.WriteFile("old", nil, 0o666)
	wantError(t, sink("old").Check(connector.Environment{}), "old exists")
	if err := sink("new/new").Check(connector.Environment{}); err != nil {
		t.Error(err)
	}
	if got := listing(t, "."); len(got) != 1 {
		t.Errorf("%q", got)
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

func TestFullDisk(t *testing.T) {
	wantError(t, write(sink("/dev/full"), "a\n"), "/dev/full: the disk is full", "no space left on device")
}

func TestTargetThatComesIntoBeing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	out, err := sink(path).Open(context.Background(), connector.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	os.WriteFile(path, []byte("theirs"), 0o666)
	wantError(t, out.Commit(), path, "came into being while the run wrote")
	out.Abort()
	if got := listing(t, filepath.Dir(path)); len(got) != 1 || got["out"] != "theirs" {
		t.Errorf("%q", got)
	}
}

func TestTwoSinksOnOneTarget(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	first, err := sink(path).Open(context.Background(), connector.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	wantError(t, write(sink(path), "b\n"), "two sinks write to "+path)
	first.(connector.ByteSink).Write([]byte("a\n"))
	if err := first.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := listing(t, filepath.Dir(path)); !maps.Equal(got, map[string]string{"out": "a\n"}) {
		t.Errorf("%q", got)
	}
}

func TestSameTargetByAnotherName(t *testing.T) {
	t.Chdir(t.TempDir())
	os.Mkdir("real", 0o777)
	os.Symlink("real", "alias")
	if a, b := sink("real/x/out").Target(), sink("./alias/x/../x/out").Target(); a != b || a == "" {
		t.Errorf("%q and %q", a, b)
	}
	if got := sink("/dev/null").Target(); got != "" {
		t.Errorf("/dev/null: %q", got)
	}
}

// writeForever is a run without end, for a process of its own that is killed.
func writeForever(path string) {
	o := sink(path)
	if os.Getenv("IN_PARTS") != "" {
		o.Roll = &Roll{Rows: 10}
	}
	out, err := o.Open(context.Background(), connector.Environment{})
	if err != nil {
		panic(err)
	}
	for {
		out.(connector.ByteSink).Write([]byte("{}\n"))
		out.Flush()
		fmt.Println("written")
	}
}

func TestKilledRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	strange := map[string]string{ // names that are nobody's of ours
		".out.tidemark-x-00000000":       "1",
		".out.tidemark-1-0000":           "2",
		".other.tidemark-1-00000000":     "3",
		".out.tidemark-1-00000000.jsonl": "4",
	}
	for name, text := range strange {
		os.WriteFile(filepath.Join(filepath.Dir(path), name), []byte(text), 0o666)
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "WRITE_FOREVER="+path)
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	output.Read(make([]byte, 1))
	wantError(t, write(sink(path), "a\n"), path, fmt.Sprintf("another run (process %d)", child.Process.Pid))
	child.Process.Kill()
	child.Wait()
	if got := listing(t, filepath.Dir(path)); len(got) != len(strange)+1 || got["out"] != "" {
		t.Errorf("after the kill: %q", got)
	}
	if err := write(sink(path), "a\n"); err != nil {
		t.Fatal(err)
	}
	strange["out"] = "a\n"
	if got := listing(t, filepath.Dir(path)); !maps.Equal(got, strange) {
		t.Errorf("after the next run: %q", got)
	}
}

func TestKilledRunOfParts(t *testing.T) {
	folder := t.TempDir()
	o := sink(filepath.Join(folder, "out.jsonl"))
	o.Roll = &Roll{Rows: 1}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), "WRITE_FOREVER="+o.Path, "IN_PARTS=1")
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	io.ReadFull(output, make([]byte, 50*len("written\n"))) // five parts are finished
	wantError(t, write(o, "a\n"), o.Path, fmt.Sprintf("another run (process %d)", child.Process.Pid))
	child.Process.Kill()
	child.Wait()
	if names, _ := filepath.Glob(folder + "/out*"); len(names) > 0 {
		t.Errorf("after the kill: %q", names)
	}
	if err := write(o, "a\nb\n"); err != nil {
		t.Fatal(err)
	}
	if got := listing(t, folder); !maps.Equal(got, map[string]string{"out-00001.jsonl": "a\n", "out-00002.jsonl": "b\n"}) {
		t.Errorf("after the next run: %q", got)
	}
}

func TestWritingToANamedPipe(t *testing.T) {
	named := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(named, 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := sink(named).Open(ctx, connector.Environment{})
	wantError(t, err, named+": nobody reads this pipe")

	got := make(chan string)
	go func() {
		text, _ := os.ReadFile(named)
		got <- string(text)
	}()
	if err := write(sink(named), "a\n"); err != nil {
		t.Error(err)
	}
	if text := <-got; text != "a\n" {
		t.Errorf("%q", text)
	}
}

func TestReaderOfANamedPipeGoesAway(t *testing.T) {
	named := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(named, 0o666); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(named, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	out, err := sink(named).Open(context.Background(), connector.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	reader.Close()
	out.(connector.ByteSink).Write([]byte("a\n"))
	if err := out.Flush(); err == nil || errors.Is(err, connector.ErrClosed) || !strings.Contains(err.Error(), "went away") {
		t.Errorf("%v", err) // only the reader of standard output may have seen enough
	}
	out.Abort()
}
