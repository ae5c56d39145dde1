package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestFileThatMayNotGrow(t *testing.T) {
	folder := t.TempDir()
	pipeline := `
sources:
  events: {type: generate, count: 100000}
sinks:
  out: {from: events, type: file, path: out.jsonl}
`
	if err := os.WriteFile(filepath.Join(folder, "pipeline.yaml"), []byte(pipeline), 0o644); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", "-c", `ulimit -f 16; exec "$0" run pipeline.yaml`, built(t))
	c.Dir = folder
	output, err := c.CombinedOutput()
	if c.ProcessState.ExitCode() != 1 || !strings.Contains(string(output), "out: out.jsonl is larger than a file may be here; raise the limit (ulimit -f)") {
		t.Errorf("%v\n%s", err, output)
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 1 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

func TestTenThousandSmallFiles(t *testing.T) {
	folder := t.TempDir()
	for i := range 10_000 {
		line := fmt.Sprintf(`{"ts":"2024-05-01T10:%02d:%02dZ","key":"k%d","v":1}`+"\n", i/60%60, i%60, i%7)
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("%05d.jsonl", i)), []byte(line), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, partitions := range []string{"file", "one"} {
		pipeline := `
sources:
  events: {type: file, path: "*.jsonl", partitions: ` + partitions + `, timestamp: ts, watermark: 1h}
transforms:
  sums: {from: events, aggregate: {n: count(), sum: sum(v)}}
sinks:
  out: {from: sums, type: stdout}
`
		if err := os.WriteFile(filepath.Join(folder, "pipeline.yaml"), []byte(pipeline), 0o644); err != nil {
			t.Fatal(err)
		}
		c := exec.Command(built(t), "run", "pipeline.yaml")
		c.Dir = folder
		begin := time.Now()
		output, err := c.Output()
		if want := `{"n":10000,"sum":10000}` + "\n"; err != nil || string(output) != want {
			t.Errorf("%s: %v, %s", partitions, err, output)
		}
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%s: 10,000 small files took %v", partitions, took)
		}
	}
}
