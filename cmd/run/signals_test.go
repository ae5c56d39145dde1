package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process is the built command at work in a folder of its own, with pipes that the test holds.
type process struct {
	*exec.Cmd
	t      *testing.T
	folder string
	stdin  io.WriteCloser
	stdout *os.File
	stderr bytes.Buffer
	lines  *bufio.Reader
}

// begin starts a pipeline.
func begin(t *testing.T, pipeline string, flags ...string) *process {
	t.Helper()
	p := &process{t: t, folder: t.TempDir()}
	if err := os.WriteFile(filepath.Join(p.folder, "pipeline.yaml"), []byte(pipeline), 0o644); err != nil {
		t.Fatal(err)
	}
	p.Cmd = exec.Command(built(t), append([]string{"run", "pipeline.yaml"}, flags...)...)
	p.Dir, p.Stderr = p.folder, &p.stderr
	var err error
	if p.stdin, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.stdout, p.lines, p.Stdout = read, bufio.NewReader(read), write
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	t.Cleanup(func() { p.Process.Kill(); read.Close() })
	return p
}

// feed writes records a second apart from 10:00:00, with the keys a and b in turn.
func (p *process) feed(n int) {
	start := time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)
	w := bufio.NewWriter(p.stdin)
	for i := range n {
		at := start.Add(time.Duration(i) * time.Second).Format(time.RFC3339)
		fmt.Fprintf(w, `{"ts":"%s","key":"%c","v":1}`+"\n", at, 'a'+i%2)
	}
	w.Flush()
}

// await reads n lines of standard output.
func (p *process) await(n int) {
	p.t.Helper()
	for i := range n {
		if _, err := p.lines.ReadString('\n'); err != nil {
			p.t.Fatalf("standard output ends after %d lines: %v\n%s", i, err, p.stderr.String())
		}
	}
}

// end waits for the end, for so long at most, and gives the exit code.
func (p *process) end(limit time.Duration) int {
	p.t.Helper()
	done := make(chan error, 1)
	go func() { done <- p.Wait() }()
	select {
	case <-done:
		return p.ProcessState.ExitCode()
	case <-time.After(limit):
		p.t.Fatalf("the run goes on after %v\n%s", limit, p.stderr.String())
		return -1
	}
}

// signal sends a signal.
func (p *process) signal(s os.Signal) {
	p.t.Helper()
	if err := p.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// file gives what a file in the folder holds.
func (p *process) file(name string) string {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(p.folder, name))
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// open is a pipeline whose windows stay open while standard input does; the records themselves show on standard
// output that they were read.
const open = `
sources:
  events: {type: file, path: "-", timestamp: ts, watermark: 0s}
transforms:
  sums:
    from: events
    key: key
    window: {tumbling: 5m}
    aggregate: {n: count(), sum: sum(v)}
sinks:
  seen: {from: events, type: stdout}
  result: {from: sums, type: file, path: result.jsonl}
`

func TestSignalGivesUpOpenWindows(t *testing.T) {
	for _, s := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		p := begin(t, open)
		p.feed(120)
		p.await(120)
		p.signal(s)
		if code := p.end(2 * time.Second); code != 0 {
			t.Errorf("%v: exit code %d\n%s", s, code, p.stderr.String())
		}
		if text := p.stderr.String(); !strings.Contains(text, "120 records in 2 open windows were given up") {
			t.Errorf("%v: standard error is\n%s", s, text)
		}
		if text := p.file("result.jsonl"); text != "" {
			t.Errorf("%v: the open windows were written:\n%s", s, text)
		}
	}
}

func TestDrainWritesOpenWindows(t *testing.T) {
	p := begin(t, open, "--drain")
	p.feed(120)
	p.await(120)
	p.signal(syscall.SIGTERM)
	if code := p.end(2 * time.Second); code != 0 {
		t.Errorf("exit code %d\n%s", code, p.stderr.String())
	}
	want := `{"key":"a","window_start":"2024-05-01T10:00:00Z","window_end":"2024-05-01T10:05:00Z","n":60,"sum":60}
{"key":"b","window_start":"2024-05-01T10:00:00Z","window_end":"2024-05-01T10:05:00Z","n":60,"sum":60}
`
	if problem := differ(p.file("result.jsonl"), want); problem != "" {
		t.Error(problem)
	}
	if text := p.stderr.String(); strings.Contains(text, "given up") {
		t.Errorf("standard error is\n%s", text)
	}
}

// TestStoppedPartIsNoResult: what a stopped run has of an input with an end, one that is paced too, does not replace a whole.
func TestStoppedPartIsNoResult(t *testing.T) {
	for _, pace := range []string{"count: 100000000", "count: 100000, rate: 1000"} {
		p := begin(t, `
sources:
  made: {type: generate, `+pace+`, seed: 1, fields: {at: 1714521600000 + i}, timestamp: {expr: at, unit: ms}, watermark: 0s}
transforms:
  seconds: {from: made, window: {tumbling: 1s}, aggregate: {n: count()}}
sinks:
  result: {from: seconds, type: file, path: result.jsonl, overwrite: true}
  seen: {from: seconds, type: stdout}
`)
		if err := os.WriteFile(filepath.Join(p.folder, "result.jsonl"), []byte("whole\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		p.await(1)
		go io.Copy(io.Discard, p.stdout)
		p.signal(syscall.SIGTERM)
		if code := p.end(10 * time.Second); code != 0 || p.file("result.jsonl") != "whole\n" {
			t.Errorf("%s: exit code %d, the file is %.100q\n%s", pace, code, p.file("result.jsonl"), p.stderr.String())
		}
	}
}

func TestInputThatEndsIsNotStopped(t *testing.T) {
	p := begin(t, open)
	p.feed(10)
	p.await(10)
	p.stdin.Close()
	if code := p.end(2 * time.Second); code != 0 {
		t.Errorf("exit code %d\n%s", code, p.stderr.String())
	}
	if n := strings.Count(p.file("result.jsonl"), "\n"); n != 2 {
		t.Errorf("%d rows, wants 2", n)
	}
}

// TestTwinSignalsAreOne sends two signals at once, as timeout does to its child and to the group: the run ends as after
// one.
func TestTwinSignalsAreOne(t *testing.T) {
	for range 5 {
		p := begin(t, open)
		go p.feed(10)
		p.await(1)
		p.signal(syscall.SIGTERM)
		time.Sleep(time.Millisecond)
		_ = p.Process.Signal(syscall.SIGTERM) // it may have ended
		if code := p.end(2 * time.Second); code != exitDone {
			t.Fatalf("exit code %d\n%s", code, p.stderr.String())
		}
	}
}

// TestSecondSignalEndsAtOnce stops a run that can't come to its end, since nobody reads its output.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	p := begin(t, open)
	go p.feed(100_000)
	p.await(1)
	time.Sleep(200 * time.Millisecond) // by now the pipe is full
	p.signal(syscall.SIGTERM)
	go func() {
		for range 5 { // two signals that a busy machine delivers at once are one
			time.Sleep(200 * time.Millisecond)
			_ = p.Process.Signal(syscall.SIGTERM)
		}
	}()
	if code := p.end(2 * time.Second); code != exitKilled {
		t.Errorf("exit code %d, wants %d\n%s", code, exitKilled, p.stderr.String())
	}
	if text := p.stderr.String(); !strings.Contains(text, "stopped by a second signal") {
		t.Errorf("standard error is\n%s", text)
	}
	if _, err := os.Stat(filepath.Join(p.folder, "result.jsonl")); err == nil {
		t.Error("a file was committed")
	}
}

// TestSignalSentTwice sends a signal as timeout(1) does, to the process and at once to its group.
func TestSignalSentTwice(t *testing.T) {
	for range 5 {
		p := begin(t, open, "--drain")
		p.feed(120)
		p.await(120)
		p.signal(syscall.SIGTERM)
		_ = p.Process.Signal(syscall.SIGTERM) // it may have ended
		if code := p.end(2 * time.Second); code != 0 || strings.Count(p.file("result.jsonl"), "\n") != 2 {
			t.Errorf("exit code %d, and the windows are\n%s\n%s", code, p.file("result.jsonl"), p.stderr.String())
		}
	}
}

// TestClosedOutput reads one line of many and goes away, as head does.
func TestClosedOutput(t *testing.T) {
	folder := t.TempDir()
	var events strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&events, `{"ts":"2024-05-01T10:00:00Z","key":"%d","v":1}`+"\n", i+1)
	}
	pipeline := `
sources:
  events: {type: file, path: events.jsonl}
sinks:
  out: {from: events, type: stdout}
  copy: {from: events, type: file, path: copy.jsonl}
  kept: {from: events, type: file, path: kept.jsonl, overwrite: true}
`
	for name, text := range map[string]string{"events.jsonl": events.String(), "pipeline.yaml": pipeline, "kept.jsonl": "whole\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("bash", "-c", `"$0" run pipeline.yaml | head -1; echo "${PIPESTATUS[0]}"`, built(t))
	var stdout, stderr bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = folder, &stdout, &stderr
	began := time.Now()
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("it took %v", took)
	}
	if want := "{\"ts\":\"2024-05-01T10:00:00Z\",\"key\":\"1\",\"v\":1}\n0\n"; stdout.String() != want {
		t.Errorf("standard output and exit code:\n%s\nwants\n%s", stdout.String(), want)
	}
	if stderr.Len() > 0 {
		t.Errorf("standard error:\n%s", stderr.String())
	}
	left, err := filepath.Glob(filepath.Join(folder, "*copy*"))
	if err != nil || len(left) > 0 {
		t.Errorf("a part of the other sink's rows was left in %v", left)
	}
	if kept, err := os.ReadFile(filepath.Join(folder, "kept.jsonl")); err != nil || string(kept) != "whole\n" {
		t.Errorf("the file that was there is now %q, %v", kept, err)
	}
}

// TestReportUnread tells apart a run that failed and one whose report nobody could read.
func TestReportUnread(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"events.jsonl": "{\"v\":1}\n",
		"odd.jsonl":    "{\n",
		"wrong.yaml":   "sources: 1\n",
		"good.yaml":    "sources:\n  events: {type: file, path: events.jsonl}\nsinks:\n  out: {from: events, type: discard}\n",
		"bad.yaml":     "settings: {on_dirty: fail}\nsources:\n  events: {type: file, path: odd.jsonl}\nsinks:\n  out: {from: events, type: discard}\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		command string
		want    int
	}{
		{`"$0" run good.yaml 2> >(true)`, exitDone},
		{`"$0" run good.yaml --report json 2> >(true)`, exitDone},
		{`"$0" run good.yaml 2> /dev/full`, exitFailed},
		{`"$0" run bad.yaml 2> >(true)`, exitFailed},
		{`"$0" run bad.yaml 2> /dev/full`, exitFailed},
		{`"$0" run wrong.yaml 2> /dev/full`, exitWrong},
	} {
		if strings.Contains(c.command, "/dev/full") {
			if _, err := os.Stat("/dev/full"); err != nil {
				continue
			}
		}
		command := exec.Command("bash", "-c", c.command+"; exit $?", built(t))
		command.Dir = folder
		command.Run()
		if code := command.ProcessState.ExitCode(); code != c.want {
			t.Errorf("%s: exit code %d, want %d", c.command, code, c.want)
		}
	}
}

// TestRowsComeWhileInputIsOpen reads the rows of a window whose end has passed, before standard input ends.
func TestRowsComeWhileInputIsOpen(t *testing.T) {
	p := begin(t, strings.Replace(open, "seen: {from: events, type: stdout}", "seen: {from: sums, type: stdout}", 1))
	p.feed(301)
	p.await(2)
	p.stdin.Close()
	if code := p.end(2 * time.Second); code != 0 {
		t.Errorf("exit code %d\n%s", code, p.stderr.String())
	}
	if n := strings.Count(p.file("result.jsonl"), "\n"); n != 3 {
		t.Errorf("%d rows, wants 3", n)
	}
}
