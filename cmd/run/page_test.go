package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const (
	soundPipeline = "sources: {s: {type: inline, rows: [{a: 1}]}}\nsinks: {o: {from: s, type: stdout}}\n"
	wrongPipeline = "sources: {s: {type: inline, rows: [{a: 1}]}}\nsinks: {o: {from: t, type: stdout}}\n"
)

// printingCommands are commands that print, with the exit code of what they find.
func printingCommands(t *testing.T) map[string]int {
	t.Helper()
	folder := t.TempDir()
	path := func(name, text string) string {
		p := filepath.Join(folder, name)
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	sound, wrong, data := path("sound.yaml", soundPipeline), path("wrong.yaml", wrongPipeline), path("data.jsonl", "{\"a\":1}\n")
	return map[string]int{
		"version": exitDone, "functions": exitDone, "functions sum_if": exitDone, "infer " + data: exitDone,
		"explain " + sound: exitDone, "graph " + sound: exitDone, "graph --format dot " + sound: exitDone,
		"lint --explain TM303": exitDone, "lint " + wrong: exitWrong, "lint --format json " + wrong: exitWrong,
		"lint --format json " + sound: exitDone, "lint --format sarif " + sound: exitDone,
	}
}

// TestClosedPage has commands print to a reader that has gone: they end quietly.
func TestClosedPage(t *testing.T) {
	for line, want := range printingCommands(t) {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		var stderr bytes.Buffer
		if code := run(context.Background(), strings.Fields(line), strings.NewReader(""), w, &stderr); code != want {
			t.Errorf("%s: exit code %d, wants %d", line, code, want)
		}
		if strings.Contains(stderr.String(), "tidemark:") {
			t.Errorf("%s: standard error is %q", line, stderr.String())
		}
		w.Close()
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "/dev/stdout", Err: syscall.ENOSPC}
}

// TestFullPage has commands print where there is no room: what they print is lost, and they say so.
func TestFullPage(t *testing.T) {
	for line := range printingCommands(t) {
		var stderr bytes.Buffer
		if code := run(context.Background(), strings.Fields(line), strings.NewReader(""), full{}, &stderr); code != exitFailed {
			t.Errorf("%s: exit code %d, wants %d", line, code, exitFailed)
		}
		if want := "tidemark: standard output can't be written: no space left on device\n"; !strings.HasSuffix(stderr.String(), want) {
			t.Errorf("%s: standard error is %q", line, stderr.String())
		}
	}
	if _, err := (&page{out: full{}}).Write([]byte("x")); !errors.As(err, new(*exitError)) {
		t.Errorf("%v has no exit code", err)
	}
}
