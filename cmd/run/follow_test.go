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
