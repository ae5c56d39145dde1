package window_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"tidemark/operators/watermark"
	"tidemark/operators/window"
	"tidemark/stream"
)

// goldenCase is a case as testdata/golden/flink/README.md describes it.
type goldenCase struct {
	Name      string
	Watermark struct {
		Strategy string
		Delay    int64  `json:"delay_ms"`
		Emit     string `json:"emit"`
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
	Input    []goldenStep
	Expect   goldenResult
	file     string
}

type goldenStep struct {
	P     int
	Key   string
	TS    *int64
	Value int64
	WM    *int64
	Tick  bool
	Clock *int64 `json:"clock_ms"`
	End   bool
}

type goldenResult struct {
	Watermarks []*int64
	Rows       []goldenRow
	Late       []int
	Error      *struct{ At *int }
}

type goldenRow struct {
	After       int
	Key         *string
	Start, End  *int64
	Count       int64
	Sum         int64
	Min         int64
	Max         int64
	First, Last int64
	Events      []int64
}

// flinkFolder is where the cases are: TIDEMARK_GOLDEN, else beside the repository, else in it.
func flinkFolder() string {
	if dir := os.Getenv("TIDEMARK_GOLDEN"); dir != "" {
		if _, err := os.Stat(filepath.Join(dir, "flink")); err == nil {
			return filepath.Join(dir, "flink")
		}
		return dir
	}
	if dir := "../../../shared/golden/flink"; exists(dir) {
		return dir
	}
	return "../../testdata/golden/flink"
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// readGolden reads the window cases of all files; joins are another operator's.
func readGolden(t *testing.T) (cases []goldenCase) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(flinkFolder(), "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in %s", flinkFolder())
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(text) {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			var kind struct{ Join string }
			if json.Unmarshal(line, &kind) == nil && kind.Join != "" {
				continue
			}
			c := goldenCase{file: filepath.Base(file)}
			if err := json.Unmarshal(line, &c); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			cases = append(cases, c)
		}
	}
	return cases
}

// group says which test a case belongs to: that of its file, else that of its windows.
func (c *goldenCase) group() string {
	switch {
	case strings.Contains(c.file, "example"):
		return "examples"
	case strings.Contains(c.file, "watermark"):
		return "watermarks"
	}
	return c.Window.Kind
}

func TestGoldenFlinkExamples(t *testing.T)   { runGolden(t, "examples") }
func TestGoldenFlinkTumbling(t *testing.T)   { runGolden(t, "tumbling") }
func TestGoldenFlinkSliding(t *testing.T)    { runGolden(t, "sliding") }
func TestGoldenFlinkSession(t *testing.T)    { runGolden(t, "session") }
func TestGoldenFlinkGlobal(t *testing.T)     { runGolden(t, "global") }
func TestGoldenFlinkWatermarks(t *testing.T) { runGolden(t, "watermarks") }

func runGolden(t *testing.T, group string) {
	ran, refused, later := 0, 0, 0
	for _, c := range readGolden(t) {
		if c.group() != group {
			continue
		}
		if !c.supported() {
			later++
			continue
		}
		for _, packed := range []bool{false, true} {
			got, refusal := c.run(packed)
			switch {
			case refusal != nil && c.mayRefuse():
				refused++
			case refusal != nil:
				t.Errorf("%s: refused: %v", c.Name, refusal)
			case c.Expect.Error != nil:
				t.Errorf("%s: is not refused", c.Name)
			default:
				c.compare(t, packed, got)
			}
		}
		ran++
	}
	t.Logf("%s: %d cases ran twice (%d times refused, as they should), %d have triggers that are not for this version", group, ran, refused, later)
	if ran == 0 {
		t.Errorf("%s: no case ran", group)
	}
}

// supported says whether windows of this version can do it: the event-time trigger, or the end of the input
// for global windows.
func (c *goldenCase) supported() bool {
	if c.Window.Kind == "global" {
		return c.Trigger != nil && c.Trigger.Kind == "end-of-stream" && !c.Trigger.Purging
	}
	return c.Trigger == nil || c.Trigger.Kind == "event-time" && !c.Trigger.Purging
}

// mayRefuse says whether Flink refuses the case too, or it goes to the ends of the 64-bit range.
func (c *goldenCase) mayRefuse() bool {
	return c.Expect.Error != nil || strings.HasPrefix(c.Name, "extreme-")
}

func (c *goldenCase) spec() window.Spec {
	switch w := c.Window; w.Kind {
	case "tumbling":
		return window.Tumbling{Size: w.Size, Offset: w.Offset}
	case "sliding":
		return window.Sliding{Size: w.Size, Every: w.Slide, Offset: w.Offset}
	case "session":
		return window.Session{Gap: w.Gap}
	}
	return window.Global{}
}

// options are those of the machine that combines partitions.
func (c *goldenCase) options() (watermark.Options, error) {
	kinds := map[string]watermark.Kind{"bounded": watermark.Bounded, "monotonous": watermark.Monotonous,
		"punctuated": watermark.Punctuated, "none": watermark.None}
	kind, ok := kinds[c.Watermark.Strategy]
	if !ok {
		return watermark.Options{}, fmt.Errorf("no strategy %q", c.Watermark.Strategy)
	}
	o := watermark.Options{
		Strategy: watermark.Strategy{Kind: kind, Delay: c.Watermark.Delay},
		Periodic: c.Watermark.Emit == "on-tick",
		Idle:     watermark.Never,
	}
	if c.Watermark.Idle != nil {
		o.Idle = *c.Watermark.Idle
	}
	return o, nil
}

// run drives the operators through the input, each step by itself or the events between others packed into
// batches. refusal says that a setting or a timestamp was refused.
func (c *goldenCase) run(packed bool) (got goldenResult, refusal error) {
	options, err := c.options()
	if err != nil {
		return got, err
	}
	combiner, err := watermark.NewCombiner(options, c.Partitions)
	if err != nil {
		return got, err
	}
	op, err := window.New(c.spec(), c.Lateness, testAggregates(), keyColumns(c.Key))
	if err != nil {
		return got, err
	}
	d := &drive{op: op, keyed: c.Key, recorder: recorder{global: c.Window.Kind == "global"}}
	now := int64(0)
	greatest := slices.Repeat([]stream.Time{stream.MinTime}, c.Partitions) // the greatest time, or marker, of each partition
	for i, s := range c.Input {
		if s.TS == nil || !packed {
			d.flush()
		}
		d.begin(i)
		switch {
		case s.TS != nil:
			if err := refuse(*s.TS); err != nil {
				return got, err
			}
			d.event(s.Key, stream.Time(*s.TS), s.Value)
			raises := s.TS
			if options.Strategy.Kind == watermark.Punctuated {
				raises = s.WM
			}
			var steps []stream.Mark
			if raises != nil {
				steps, greatest[s.P] = options.Strategy.AppendMarks(nil, []stream.Time{stream.Time(*raises)}, nil, greatest[s.P])
			}
			for _, m := range combiner.Steps(s.P, 1, raises != nil, steps, nil) {
				d.mark(m.Watermark, true)
			}
			if !options.Periodic {
				d.mark(combiner.Tick(now))
			}
		case s.Clock != nil:
			now = *s.Clock
		case s.Tick:
			d.mark(combiner.Tick(now))
		case s.End:
			d.mark(combiner.End())
		}
		if s.TS == nil || !packed {
			d.flush()
		}
		got.Watermarks = append(got.Watermarks, watermarkOrNull(combiner.Watermark()))
	}
	d.flush()
	if d.wrong != "" {
		return got, fmt.Errorf("%s", d.wrong)
	}
	got.Rows, got.Late = d.rows, d.late
	return got, nil
}

// refuse reads a timestamp as the engine does.
func refuse(ts int64) error {
	column := new(stream.Column)
	column.Reset(stream.Int, 1)
	column.Ints[0] = ts
	failures, _ := watermark.NewExtractor(watermark.Millis, nil).Extract(column, nil, make([]stream.Time, 1))
	if len(failures) > 0 {
		return fmt.Errorf("%s", failures[0].Reason)
	}
	return nil
}

func watermarkOrNull(w stream.Time) *int64 {
	if w == stream.MinTime {
		return nil
	}
	v := int64(w)
	return &v
}

func keyColumns(keyed bool) int {
	if keyed {
		return 1
	}
	return 0
}

func (c *goldenCase) compare(t *testing.T, packed bool, got goldenResult) {
	t.Helper()
	want := c.Expect
	if !reflect.DeepEqual(got.Watermarks, want.Watermarks) {
		t.Errorf("%s: watermarks differ:\n got %s\nwant %s", c.Name, asJSON(got.Watermarks), asJSON(want.Watermarks))
	}
	if len(got.Late)+len(want.Late) > 0 && !reflect.DeepEqual(got.Late, want.Late) {
		t.Errorf("%s (packed: %v): late: got %v, want %v", c.Name, packed, got.Late, want.Late)
	}
	g, w := asLines(got.Rows), asLines(want.Rows)
	if !reflect.DeepEqual(g, w) {
		t.Errorf("%s (packed: %v): rows differ:\n got %s\nwant %s", c.Name, packed, strings.Join(g, "\n     "), strings.Join(w, "\n     "))
	}
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// asLines gives rows as sorted text: a multiset for each step.
func asLines(rows []goldenRow) []string {
	lines := make([]string, 0, len(rows))
	for _, r := range rows {
		lines = append(lines, fmt.Sprintf("%06d %s", r.After, asJSON(r)))
	}
	sort.Strings(lines)
	return lines
}
