package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tidemark/cmd/run/internal/oracle"
	"tidemark/runner"
)

// bids makes auction bids as the benchmark's generator does: up to 4 s out of order, one in 1000 up to a minute late.
// Every so many lines, if not 0, comes a broken one.
func bids(n, broken int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	channels := []string{"Google", "Facebook", "Baidu", "Apple", "TikTok", "WeChat", "Bing", "Yandex"}
	var out []byte
	for i := range n {
		ts := 1_700_000_060_000 + int64(i) - r.Int64N(4001)
		if r.IntN(1000) == 0 {
			ts -= 20_000 + r.Int64N(40_001)
		}
		auction := 1000 + r.IntN(20_000)
		if r.IntN(2) == 0 {
			auction = 1000 + r.IntN(100)
		}
		out = fmt.Appendf(out, `{"auction":%d,"bidder":%d,"price":%d,"channel":"%s","url":"https://www.nexmark.com/item/%x/page.htm?query=1","dateTime":%d,"extra":"%s"}`+"\n",
			auction, 1000+r.IntN(10_000), 100+r.IntN(10_000_000), channels[r.IntN(len(channels))], r.IntN(1_000_000), ts,
			strings.Repeat("x", 40+r.IntN(20)))
		if broken > 0 && i%broken == 0 {
			out = append(out, "broken line\n"...)
		}
	}
	return out
}

// variants are settings of the engine that must not change a byte. Any two settings of different kinds meet.
var variants = []struct {
	parallelism int
	chunk       int64
	rows        int
	lanes       runner.LaneMode
}{
	{1, 4 << 10, 0, runner.LanesOff}, {1, 64 << 10, 3, runner.LanesOn}, {1, 1 << 20, 1024, runner.LanesOff},
	{2, 4 << 10, 1024, runner.LanesOn}, {2, 64 << 10, 0, runner.LanesOff}, {2, 1 << 20, 3, runner.LanesOn},
	{7, 4 << 10, 3, runner.LanesOff}, {7, 64 << 10, 1024, runner.LanesAuto}, {7, 1 << 20, 1, runner.LanesOff},
	{16, 4 << 10, 1024, runner.LanesAuto}, {16, 64 << 10, 3, runner.LanesOff}, {16, 1 << 20, 0, runner.LanesOn},
}

// outputs runs a pipeline and gives all that it writes, standard output included.
func outputs(t *testing.T, folder string, args ...string) []byte {
	t.Helper()
	var out, stderr bytes.Buffer
	if code := run(context.Background(), append([]string{"run", "--report", "json"}, args...), strings.NewReader(""), &out, &stderr); code != exitDone {
		t.Fatalf("exit code %d\n%s", code, stderr.String())
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "-- %s --\n%s", filepath.Base(file), text)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

// TestSameBytes runs the benchmark's pipelines over bids, and the examples over their own data, with all kinds of
// settings.
func TestSameBytes(t *testing.T) {
	t.Chdir(root)
	t.Cleanup(func() { testOptions = nil })
	input := filepath.Join(t.TempDir(), "bids.jsonl")
	if err := os.WriteFile(input, bids(60_000, 997), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"bench/w*.yaml", "pipelines/*.yaml"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(paths), err)
		}
		for _, path := range paths {
			if text, err := os.ReadFile(path); err != nil || bytes.Contains(text, []byte("type: kafka")) {
				continue // it has its input elsewhere
			}
			input := input
			switch {
			case strings.Contains(path, "parquet"):
				input = toParquet(t, input, 7000)
			case strings.Contains(path, "csv"):
				input = toCSV(t, input)
			}
			t.Run(filepath.Base(path), func(t *testing.T) { sameBytes(t, path, input) })
		}
	}
}

func sameBytes(t *testing.T, path, input string) {
	folder := t.TempDir()
	args := []string{path, "--set", "BIDS=" + input, "--set", "OUT=" + filepath.Join(folder, "out.jsonl"), "--set", "out=" + folder}
	testOptions = nil
	want := outputs(t, folder, append(args, "--parallelism", "1")...)
	if len(want) < 300 {
		t.Fatalf("the pipeline writes no more than\n%s", want)
	}
	for _, v := range variants {
		testOptions = func(o *runner.Options) { o.ChunkSize, o.BatchRows, o.Lanes = v.chunk, v.rows, v.lanes }
		got := outputs(t, folder, append(args, "--parallelism", strconv.Itoa(v.parallelism))...)
		if !bytes.Equal(got, want) {
			t.Errorf("%+v: %s", v, firstDifference(got, want))
		}
	}
}

func firstDifference(got, want []byte) string {
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || !bytes.Equal(a[i], b[i]) {
			return fmt.Sprintf("line %d of %d is\n%s\nwants, of %d,\n%s", i+1, len(a), a[min(i, len(a)-1)], len(b), b[min(i, len(b)-1)])
		}
	}
	return "nothing differs"
}

// TestDealtOut deals the lines of one file out to four. The oracle says what must come of either; and where no record
// is late the windows are the same, be it in another order.
func TestDealtOut(t *testing.T) {
	t.Cleanup(func() { testOptions = nil })
	var all []string
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 4000 {
		all = append(all, fmt.Sprintf(`{"ts":%d,"k":"%c","g":%d,"v":%d,"p":%d}`, 1_700_000_000_000+i*100-r.IntN(2000), 'a'+rune(r.IntN(20)), r.IntN(3), r.IntN(50), i%10))
	}
	dealt := make([][]string, 4)
	for _, line := range all {
		i := r.IntN(4)
		dealt[i] = append(dealt[i], line)
	}
	var whole []string
	for i, files := range [][][]string{{all}, dealt} {
		p := windows(files)
		want := oracle.Run(p)
		for j, v := range variants {
			if j%3 != i {
				continue
			}
			testOptions = func(o *runner.Options) { o.ChunkSize, o.BatchRows, o.Lanes = v.chunk, v.rows, v.lanes }
			folder := t.TempDir()
			file, err := p.Write(folder)
			if err != nil {
				t.Fatal(err)
			}
			o := &outcome{}
			o.code = run(context.Background(), []string{"run", file, "--report", "json", "--parallelism", strconv.Itoa(v.parallelism)}, strings.NewReader(""), &o.stdout, &o.stderr)
			if problem := o.compare(p, folder, want); problem != "" {
				t.Errorf("%d files, %+v: %s", len(files), v, problem)
			}
		}
		rows := slices.Concat(want.Lines["t"], want.Lines["s"], want.Lines["d"])
		slices.Sort(rows)
		if whole != nil && !slices.Equal(rows, whole) {
			t.Error("windows of one file and of four differ though no record is late")
		}
		whole = rows
	}
}

// windows has a window of each kind over one source.
func windows(files [][]string) *oracle.Pipeline {
	p := &oracle.Pipeline{Sources: []oracle.Source{{Name: "in", Partitions: files, Watermark: oracle.Watermark{Strategy: oracle.Bounded, Delay: 2500}}}}
	for name, w := range map[string]oracle.Window{
		"tumbling": {Kind: oracle.Tumbling, Size: 10_000}, "sliding": {Kind: oracle.Sliding, Size: 9_000, Every: 2_000},
		"during": {Kind: oracle.Session, Size: 1_500},
	} {
		p.Transforms = append(p.Transforms, oracle.Transform{Name: name, From: []string{"in"}, Key: []string{"k"}, Window: &w,
			Aggregates: []oracle.Aggregate{{Name: "n", Function: "count"}, {Name: "sum", Function: "sum", Field: "v"}, {Name: "top", Function: "max", Field: "p"}}})
		p.Sinks = append(p.Sinks, oracle.Sink{Name: name[:1], From: []string{name}}, oracle.Sink{Name: name[:1] + "late", From: []string{name + ".late"}})
	}
	slices.SortFunc(p.Transforms, func(a, b oracle.Transform) int { return strings.Compare(a.Name, b.Name) })
	return p
}

// TestSteadyMemory says that further records cost next to no allocation on their way through the first benchmark.
func TestSteadyMemory(t *testing.T) {
	t.Chdir(root)
	few, many := allocations(t, 50_000), allocations(t, 250_000)
	each := float64(many-few) / 200_000
	t.Logf("%d allocations, %.4f for each further record", few, each)
	if each >= 0.01 {
		t.Errorf("%.4f allocations for each further record", each)
	}
}

// allocations gives the number of allocations of a whole run over so many bids.
func allocations(t *testing.T, records int) int64 {
	folder := t.TempDir()
	input := filepath.Join(folder, "bids.jsonl")
	if err := os.WriteFile(input, bids(records, 0), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", "bench/w1-tumbling.yaml", "--set", "BIDS=" + input, "--set", "OUT=" + filepath.Join(folder, "out.jsonl")}
	var before, after runtime.MemStats
	var stderr bytes.Buffer
	runtime.ReadMemStats(&before)
	if code := run(context.Background(), args, nil, nil, &stderr); code != exitDone {
		t.Fatalf("exit code %d\n%s", code, stderr.String())
	}
	runtime.ReadMemStats(&after)
	return int64(after.Mallocs - before.Mallocs)
}
