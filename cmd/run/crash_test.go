package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestKilledRunLeavesNothingHalfWritten kills a run hard while it writes. Under the final names there is nothing, or what
// was there before; the next run writes them whole and clears away what the first has left.
func TestKilledRunLeavesNothingHalfWritten(t *testing.T) {
	pipeline := `
sources:
  events: {type: file, path: "-", schema: {ts: string, key: string, v: int}}
transforms:
  rows: {from: events, select: [ts, key, v]}
sinks:
  seen: {from: events, type: stdout}
  new: {from: events, type: file, path: out/new.jsonl}
  old: {from: events, type: file, path: out/old.jsonl, overwrite: true}
  columns: {from: rows, type: parquet, path: out/rows.parquet, row_group: 100}
`
	p := begin(t, pipeline)
	out := filepath.Join(p.folder, "out")
	old := filepath.Join(out, "old.jsonl")
	if err := os.MkdirAll(out, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(old, []byte("before\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p.feed(5000)
	p.await(5000)
	p.Process.Kill()
	p.end(2 * time.Second)
	for name, want := range map[string]string{"new.jsonl": "", "old.jsonl": "before\n", "rows.parquet": ""} {
		if text, err := os.ReadFile(filepath.Join(out, name)); string(text) != want || err == nil && want == "" {
			t.Errorf("after the kill %s holds %d bytes", name, len(text))
		}
	}

	again := begin(t, strings.ReplaceAll(pipeline, "out/", out+"/"))
	again.feed(3)
	again.stdin.Close()
	again.await(3)
	if code := again.end(2 * time.Second); code != exitDone {
		t.Fatalf("the next run: exit code %d\n%s", code, again.stderr.String())
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got := fmt.Sprint(names); got != "[new.jsonl old.jsonl rows.parquet]" {
		t.Errorf("after the next run: %s", got)
	}
	if text, err := os.ReadFile(old); err != nil || strings.Count(string(text), "\n") != 3 {
		t.Errorf("the file that was there is now %q, %v", text, err)
	}
}

// TestSilenceIsNotTheEnd leaves standard input open for longer than a source may be idle before the first record comes:
// nothing was seen, so the watermark stays where it is, and no record is late.
func TestSilenceIsNotTheEnd(t *testing.T) {
	p := begin(t, `
sources:
  events: {type: file, path: "-", timestamp: ts, watermark: {bounded: 0s, idle: 300ms}}
transforms:
  sums:
    from: events
    key: key
    window: {tumbling: 5m}
    aggregate: {n: count(), sum: sum(v)}
sinks:
  out: {from: sums, type: file, path: out.jsonl}
  late: {from: sums.late, type: file, path: late.jsonl}
`)
	time.Sleep(time.Second)
	for _, line := range []string{`{"ts":"2024-05-01T10:00:00Z","key":"a","v":1}`, `{"ts":"2024-05-01T10:00:30Z","key":"a","v":2}`, `{"ts":"2024-05-01T10:05:01Z","key":"a","v":3}`} {
		fmt.Fprintln(p.stdin, line)
	}
	p.stdin.Close()
	if code := p.end(2 * time.Second); code != exitDone {
		t.Fatalf("exit code %d\n%s", code, p.stderr.String())
	}
	want := `{"key":"a","window_start":"2024-05-01T10:00:00Z","window_end":"2024-05-01T10:05:00Z","n":2,"sum":3}
{"key":"a","window_start":"2024-05-01T10:05:00Z","window_end":"2024-05-01T10:10:00Z","n":1,"sum":3}
`
	if got := p.file("out.jsonl"); got != want {
		t.Errorf("wrote\n%s", got)
	}
	if got := p.file("late.jsonl"); got != "" {
		t.Errorf("late:\n%s", got)
	}
}
