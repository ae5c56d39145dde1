package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

func TestFollowedFile(t *testing.T) {
	p := begin(t, `
sources:
  events: {type: file, path: events.jsonl, follow: true, timestamp: ts, watermark: 0s}
transforms:
  lines: {from: events, select: {v: v, line: meta.line}}
sinks:
  out: {from: lines, type: stdout}
`)
	path := filepath.Join(p.folder, "events.jsonl")
	write := func(v int) {
		t.Helper()
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
		if err == nil {
			_, err = fmt.Fprintf(f, `{"ts":"2024-05-01T10:00:0%dZ","v":%d}`+"\n", v, v)
			f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for v, want := range []string{`{"v":0,"line":1}`, `{"v":1,"line":2}`, `{"v":2,"line":1}`} {
		if v == 2 {
			if err := os.Rename(path, path+".1"); err != nil {
				t.Fatal(err)
			}
		}
		write(v)
		if line, err := p.lines.ReadString('\n'); err != nil || line != want+"\n" {
			t.Fatalf("%q, %v; want %s\n%s", line, err, want, p.stderr.String())
		}
	}
	p.signal(syscall.SIGTERM)
	if code := p.end(2 * time.Second); code != 0 {
		t.Errorf("exit code %d\n%s", code, p.stderr.String())
	}
}

// TestFollowedRotation renames, deletes and makes files, and writes to those that were renamed: each line comes once, with
// its number in its file.
func TestFollowedRotation(t *testing.T) {
	for _, c := range []struct{ options, files string }{
		{"path: a.log", "a.log"},
		{`path: "*.log"`, "b.log"},
		{`path: "*.log", partitions: one`, "a.log"},
	} {
		t.Run(c.options, func(t *testing.T) {
			t.Parallel()
			p := begin(t, `
sources:
  events: {type: file, `+c.options+`, follow: true, timestamp: ts, watermark: 0s}
transforms:
  lines: {from: events, select: {v: v, line: meta.line}}
sinks:
  out: {from: lines, type: stdout}
`)
			a, former := filepath.Join(p.folder, "a.log"), filepath.Join(p.folder, c.files)
			if former == a {
				former = filepath.Join(p.folder, "a.log.1")
			}
			write := func(path, want string) {
				t.Helper()
				v := fmt.Sprint(time.Now().UnixNano())
				f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
				if err == nil {
					_, err = f.WriteString(`{"ts":"2024-05-01T10:00:00Z","v":` + v + "}\n")
					f.Close()
				}
				if err != nil {
					t.Fatal(err)
				}
				want = `{"v":` + v + `,"line":` + want + "}\n"
				if line, err := p.lines.ReadString('\n'); err != nil || line != want {
					t.Fatalf("%q, %v; want %s%s", line, err, want, p.stderr.String())
				}
			}
			write(a, "1")
			for range 3 {
				write(a, "2")
				os.Rename(a, former)
				write(a, "1")
				write(former, "3")
				write(a, "2")
				write(former, "4")
				os.Remove(former)
				os.Rename(a, former)
				write(a, "1")
			}
			p.signal(syscall.SIGTERM)
			if code := p.end(2 * time.Second); code != 0 {
				t.Errorf("exit code %d\n%s", code, p.stderr.String())
			}
		})
	}
}

func TestPacedRecords(t *testing.T) {
	p := begin(t, `
sources:
  ticks: {type: generate, rate: 20, fields: {ts: i * 1000}, timestamp: {expr: ts, unit: ms}, watermark: 0s}
transforms:
  sums: {from: ticks, window: {tumbling: 5s}, aggregate: {n: count(), last: last(i)}}
sinks:
  out: {from: sums, type: stdout}
`)
	started := time.Now()
	p.await(3)
	if took := time.Since(started); took < 600*time.Millisecond || took > 10*time.Second {
		t.Errorf("15 records at 20 a second took %v", took)
	}
	p.signal(syscall.SIGTERM)
	if code := p.end(2 * time.Second); code != 0 {
		t.Errorf("exit code %d\n%s", code, p.stderr.String())
	}
}
