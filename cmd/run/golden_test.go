package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGoldenFlinkCommandLine runs the cases of one partition as an analyst would: events in a file, windows from a
// pipeline file. Flink's rows and late events must come out.
func TestGoldenFlinkCommandLine(t *testing.T) {
	ran := 0
	for _, c := range goldenCases(t) {
		if c.commandLine() {
			ran++
			t.Run(c.Name, c.run)
		}
	}
	if ran == 0 {
		t.Fatal("no case was run")
	}
	t.Logf("%d cases", ran)
}

// goldenCases reads the window cases of the golden folder.
func goldenCases(t *testing.T) []goldenCase {
	folder := os.Getenv("TIDEMARK_GOLDEN")
	if folder == "" {
		folder = "../../../shared/golden"
	}
	if _, err := os.Stat(folder); err != nil {
		folder = "../../testdata/golden"
	}
	files, err := filepath.Glob(filepath.Join(folder, "flink", "*.jsonl"))
	if err != nil || len(files) == 0 {
		files, _ = filepath.Glob(filepath.Join(folder, "*.jsonl"))
	}
	var cases []goldenCase
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(text))
		lines.Buffer(nil, 1<<24)
		for lines.Scan() {
			if bytes.Contains(lines.Bytes(), []byte(`"join":`)) {
				continue
			}
			var c goldenCase
			if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			cases = append(cases, c)
		}
	}
	return cases
}

// goldenCase is a case of golden/flink, as far as the command line can say it.
type goldenCase struct {
	Name      string
	Watermark struct {
		Strategy string
		Delay    int64 `json:"delay_ms"`
		Emit     string
		Idle     *int64 `json:"idle_timeout_ms"`
	}
	Partitions int
	Key        bool
	Window     struct {
		Kind   string
		Size   int64 `json:"size_ms"`
		Slide  int64 `json:"slide_ms"`
		Gap    int64 `json:"gap_ms"`
		Offset int64 `json:"offset_ms"`
	}
	Trigger *struct {
		Kind    string
		Purging bool
	}
	Lateness int64 `json:"allowed_lateness_ms"`
	Input    []struct {
		P       *int
		Key     string
		TS      int64
		Value   int64
		WM      *int64
		Tick    bool
		ClockMS *int64 `json:"clock_ms"`
		End     bool
	}
	Expect struct {
		Rows []struct {
			Key                               *string
			Start, End                        int64
			Count, Sum, Min, Max, First, Last int64
		}
		Late  []int
		Error *struct{ At *int }
	}
}

// commandLine reports whether a pipeline file can say the case: one partition, a watermark after every record,
// windows that fire by event time, and times that records may have.
func (c *goldenCase) commandLine() bool {
	usual := c.Partitions == 1 && c.Watermark.Emit == "per-event" && c.Watermark.Idle == nil &&
		c.Window.Kind != "global" && (c.Trigger == nil || c.Trigger.Kind == "event-time" && !c.Trigger.Purging) &&
		!strings.HasPrefix(c.Name, "extreme-")
	usual = usual && (c.Expect.Error == nil || c.Expect.Error.At == nil)
	for i, step := range c.Input {
		last := i == len(c.Input)-1
		// A tick or the clock changes nothing where every record is followed by its watermark and nothing is idle.
		usual = usual && step.End == last
		usual = usual && (step.WM == nil || inRange(*step.WM)) && inRange(step.TS)
	}
	return usual
}

func inRange(ms int64) bool { return ms > -62135596800000 && ms < 253402300800000 }

// yaml writes the case as a pipeline.
func (c *goldenCase) yaml() string {
	watermark := map[string]string{
		"bounded": fmt.Sprintf("{bounded: %dms}", c.Watermark.Delay), "monotonous": "monotonous", "none": "none",
		"punctuated": `{punctuated: "wm"}`,
	}[c.Watermark.Strategy]
	window := map[string]string{
		"tumbling": fmt.Sprintf("{tumbling: %dms, offset: %dms}", c.Window.Size, c.Window.Offset),
		"sliding":  fmt.Sprintf("{sliding: %dms, every: %dms, offset: %dms}", c.Window.Size, c.Window.Slide, c.Window.Offset),
		"session":  fmt.Sprintf("{session: %dms}", c.Window.Gap),
	}[c.Window.Kind]
	key := ""
	if c.Key {
		key = "\n    key: key"
	}
	return `sources:
  events: {type: file, path: events.jsonl, timestamp: {expr: ts, unit: ms}, watermark: ` + watermark + `}
transforms:
  w:
    from: events` + key + `
    window: ` + window + `
    allowed_lateness: ` + fmt.Sprint(c.Lateness) + `ms
    aggregate:
      count: count()
      sum: sum(value)
      min: min(value)
      max: max(value)
      first: first(value)
      last: last(value)
sinks:
  rows: {from: w, type: stdout, time_format: ms}
  late: {from: w.late, type: file, path: late.jsonl}
`
}

func (c *goldenCase) run(t *testing.T) {
	t.Chdir(t.TempDir())
	var events bytes.Buffer
	for i, step := range c.Input {
		if step.P == nil {
			continue
		}
		line, err := json.Marshal(map[string]any{"i": i, "key": step.Key, "ts": step.TS, "value": step.Value, "wm": step.WM})
		if err != nil {
			t.Fatal(err)
		}
		events.Write(append(line, '\n'))
	}
	for name, text := range map[string][]byte{"events.jsonl": events.Bytes(), "p.yaml": []byte(c.yaml())} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	if c.Expect.Error != nil {
		if code := run(context.Background(), []string{"run", "p.yaml"}, strings.NewReader(""), &stdout, &stderr); code != 2 {
			t.Fatalf("exit code %d for a setting that is refused\n%s\n%s", code, c.yaml(), stderr.String())
		}
		return
	}
	if code := run(context.Background(), []string{"run", "p.yaml"}, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d\n%s\n%s", code, c.yaml(), stderr.String())
	}
	got := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
	if stdout.Len() == 0 {
		got = nil
	}
	want := c.rows()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s\nrows\n%s\nwant\n%s", c.yaml(), strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	c.compareLate(t)
}

// rows gives Flink's rows as the pipeline writes them.
func (c *goldenCase) rows() []string {
	var rows []string
	for _, r := range c.Expect.Rows {
		key := ""
		if r.Key != nil {
			key = fmt.Sprintf(`"key":%q,`, *r.Key)
		}
		rows = append(rows, fmt.Sprintf(`{%s"window_start":%d,"window_end":%d,"count":%d,"sum":%d,"min":%d,"max":%d,"first":%d,"last":%d}`,
			key, r.Start, r.End, r.Count, r.Sum, r.Min, r.Max, r.First, r.Last))
	}
	return rows
}

func (c *goldenCase) compareLate(t *testing.T) {
	text, err := os.ReadFile("late.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	late := []int{}
	for line := range bytes.Lines(text) {
		var event struct{ I int }
		if err := json.Unmarshal(line, &event); err != nil {
			t.Fatal(err)
		}
		late = append(late, event.I)
	}
	if !slices.Equal(late, c.Expect.Late) {
		t.Errorf("late %v, want %v", late, c.Expect.Late)
	}
}
