package oracle

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"testing"
)

// golden is a recorded run of Apache Flink; see testdata/golden/flink/README.md.
type golden struct {
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
		Offset int64 `json:"offset_ms"`
		Gap    int64 `json:"gap_ms"`
	}
	Trigger *struct {
		Kind    string
		Purging bool
	}
	Lateness int64 `json:"allowed_lateness_ms"`
	Input    []struct {
		P     *int
		Key   string
		TS    int64
		Value int64
		WM    *int64
		End   bool
		Tick  bool
		Clock *int64 `json:"clock_ms"`
	}
	Expect struct {
		Watermarks []*int64
		Rows       []goldenRow
		Late       []int
		Error      json.RawMessage
	}
}

type goldenRow struct {
	After                             int
	Key                               *string
	Start, End                        int64
	Count, Sum, Min, Max, First, Last int64
	Events                            []int
}

func readGolden(t *testing.T, name string) []golden {
	file, err := os.Open(filepath.Join("..", "..", "..", "..", "testdata", "golden", "flink", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var cases []golden
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c golden
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	return cases
}

// ours says whether the case speaks of what the oracle knows: windows that fire by event time, no times at the
// ends of the range, no setting that is refused.
func (c *golden) ours() bool {
	known := slices.Contains([]string{"tumbling", "sliding", "session"}, c.Window.Kind)
	fires := c.Trigger == nil || c.Trigger.Kind == "event-time"
	return known && fires && c.Expect.Error == nil && !strings.HasPrefix(c.Name, "extreme-")
}

func (c *golden) windows() *windows {
	w := &windows{lateness: c.Lateness, watermark: lowest, discarding: c.Trigger != nil && c.Trigger.Purging}
	switch c.Window.Kind {
	case "tumbling":
		w.spec = Window{Kind: Tumbling, Size: c.Window.Size, Offset: c.Window.Offset}
	case "sliding":
		w.spec = Window{Kind: Sliding, Size: c.Window.Size, Every: c.Window.Slide, Offset: c.Window.Offset}
	case "session":
		w.spec = Window{Kind: Session, Size: c.Window.Gap}
	}
	return w
}

// TestWindowsAgainstFlink drives the window operator by the recorded watermarks.
func TestWindowsAgainstFlink(t *testing.T) {
	for file, atLeast := range map[string]int{"tumbling.jsonl": 40, "sliding.jsonl": 25, "session.jsonl": 40, "examples.jsonl": 4} {
		ran := 0
		for _, c := range readGolden(t, file) {
			if c.ours() {
				ran++
				t.Run(c.Name, func(t *testing.T) { checkWindows(t, &c) })
			}
		}
		t.Logf("%s: %d cases", file, ran)
		if ran < atLeast {
			t.Errorf("%s: only %d cases, expected %d or more", file, ran, atLeast)
		}
	}
}

func checkWindows(t *testing.T, c *golden) {
	w := c.windows()
	var rows []goldenRow
	var lateEvents []int
	step := 0
	w.fire = func(p *pane) { rows = append(rows, c.row(step, p)) }
	for i, in := range c.Input {
		step = i
		if in.P != nil {
			var key []any
			if c.Key {
				key = []any{in.Key}
			}
			row := Row{time: in.TS, values: map[string]any{"value": in.Value}}
			if w.add(i, key, row) == late {
				lateEvents = append(lateEvents, i)
			}
		}
		if mark := c.Expect.Watermarks[i]; mark != nil {
			w.advance(*mark)
		}
	}
	if !slices.Equal(lateEvents, c.Expect.Late) {
		t.Errorf("late %v, Flink has %v", lateEvents, c.Expect.Late)
	}
	if got, want := spell(rows), spell(c.Expect.Rows); got != want {
		t.Errorf("rows:\n%s\nFlink has\n%s", got, want)
	}
	if len(w.panes) != 0 && c.Input[len(c.Input)-1].End {
		t.Errorf("%d panes are left", len(w.panes))
	}
}

// row gives a firing as Flink's was recorded.
func (c *golden) row(step int, p *pane) goldenRow {
	over := func(function string) int64 { return Aggregate{Function: function, Field: "value"}.over(p.rows).(int64) }
	row := goldenRow{After: step, Start: p.start, End: p.end, Count: over("count"), Sum: over("sum"), Min: over("min")}
	row.Max, row.First, row.Last = over("max"), over("first"), over("last")
	if c.Key {
		key := p.key[0].(string)
		row.Key = &key
	}
	for _, r := range p.rows {
		row.Events = append(row.Events, r.number)
	}
	return row
}

// spell gives rows as text, those of a step sorted.
func spell(rows []goldenRow) string {
	var lines []string
	for _, r := range rows {
		text, _ := json.Marshal(r)
		lines = append(lines, fmt.Sprintf("%6d %s", r.After, text))
	}
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}

// TestWatermarksAgainstFlink compares the watermark after each record, where it is emitted by each record.
func TestWatermarksAgainstFlink(t *testing.T) {
	ran := 0
	for _, file := range []string{"tumbling.jsonl", "sliding.jsonl", "session.jsonl", "watermarks.jsonl", "examples.jsonl"} {
		for _, c := range readGolden(t, file) {
			plain := c.Watermark.Emit == "per-event" && c.Watermark.Idle == nil && c.Watermark.Strategy != "punctuated"
			if plain && c.Expect.Error == nil && !strings.HasPrefix(c.Name, "extreme-") {
				ran++
				t.Run(c.Name, func(t *testing.T) { checkWatermarks(t, &c) })
			}
		}
	}
	if ran < 60 {
		t.Errorf("only %d cases", ran)
	}
}

func checkWatermarks(t *testing.T, c *golden) {
	strategy := map[string]Strategy{"bounded": Bounded, "monotonous": Monotonous, "none": None}[c.Watermark.Strategy]
	var partitions []*partition
	for range c.Partitions {
		partitions = append(partitions, newPartition(0, nil))
	}
	for i, in := range c.Input {
		switch {
		case in.End:
			for _, p := range partitions {
				p.watermark = highest
			}
		case in.P != nil:
			partitions[*in.P].see(Watermark{Strategy: strategy, Delay: c.Watermark.Delay}, Row{time: in.TS})
		}
		got, want := combined([]Source{{}}, partitions, map[int]bool{0: true}), int64(lowest)
		if mark := c.Expect.Watermarks[i]; mark != nil {
			want = *mark
		}
		if got != want {
			t.Fatalf("watermark after step %d is %d, Flink has %d", i, got, want)
		}
	}
}
