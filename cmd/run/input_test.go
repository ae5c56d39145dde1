package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInputTwice refuses a pipeline from standard input that wants to read it as well.
func TestInputTwice(t *testing.T) {
	text := "sources:\n  in: {type: file, path: \"-\"}\nsinks:\n  out: {from: in, type: stdout}\n"
	var out, err bytes.Buffer
	if code := run(context.Background(), []string{"run", "-"}, strings.NewReader(text), &out, &err); code != exitWrong ||
		!strings.Contains(err.String(), `"in" wants to read it too: give the pipeline as a file`) {
		t.Errorf("exit code %d: %s", code, err.String())
	}
}

// TestWorkersFlag takes a number of workers, or auto.
func TestWorkersFlag(t *testing.T) {
	path := pipeline(t, "sources:\n  in: {type: inline, rows: [{v: 1}]}\nsinks:\n  out: {from: in, type: stdout}\n")
	for value, want := range map[string]int{"1": exitDone, "auto": exitDone, "0": exitWrong, "-1": exitWrong, "1025": exitWrong, "many": exitWrong} {
		code, _, text := command("run", path, "--parallelism="+value)
		if code != want || want == exitWrong && !strings.Contains(text, "it wants a number from 1 to 1024, or auto") {
			t.Errorf("%s: exit code %d: %s", value, code, text)
		}
	}
}

// TestStoppedWhileOpening ends well when it is told to while a sink waits for the reader of its pipe.
func TestStoppedWhileOpening(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	path := pipeline(t, "sources:\n  in: {type: inline, rows: [{v: 1}]}\nsinks:\n  out: {from: in, type: file, path: "+folder+"/pipe}\n")
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	ctx, stop := context.WithCancel(ctx)
	time.AfterFunc(50*time.Millisecond, stop)
	var out, err bytes.Buffer
	if code := run(ctx, []string{"run", path}, strings.NewReader(""), &out, &err); code != exitDone || !strings.Contains(err.String(), "stopped") {
		t.Errorf("exit code %d: %s", code, err.String())
	}
}

// TestOneFileOfTwoNames reads a file once, however it is spelled.
func TestOneFileOfTwoNames(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("a.jsonl", []byte("{\"v\":1}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	path := pipeline(t, "sources:\n  in: {type: file, path: [a.jsonl, ./a.jsonl, \"*.jsonl\", ./x/../a.jsonl]}\nsinks:\n  out: {from: in, type: stdout}\n")
	if err := os.Mkdir("x", 0o755); err != nil {
		t.Fatal(err)
	}
	if code, out, text := command("run", path); code != exitDone || out != "{\"v\":1}\n" {
		t.Errorf("exit code %d: %s%s", code, out, text)
	}
}
