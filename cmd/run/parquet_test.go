package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tidemark/runner"
)

// toParquet writes a file of bids as Parquet, with row groups of a number of rows, and gives its path.
func toParquet(t *testing.T, bids string, rows int) string {
	t.Helper()
	folder := t.TempDir()
	out := filepath.Join(folder, "bids.parquet")
	pipeline := filepath.Join(folder, "p.yaml")
	text := `sources:
  bids:
    type: file
    path: "` + bids + `"
    schema: {auction: int, bidder: int, price: int, channel: string, url: string, dateTime: int, extra: string}
transforms:
  all: {from: bids, select: [auction, bidder, price, channel, url, dateTime, extra]}
sinks:
  out: {from: all, type: parquet, path: "` + out + `", row_group: ` + strconv.Itoa(rows) + `}
`
	if err := os.WriteFile(pipeline, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	testOptions = nil
	outputs(t, t.TempDir(), pipeline)
	return out
}

// TestSkippedRowGroups compares what comes out when row groups are skipped by their statistics with what comes out
// when all are read: rows, counts and the moments at which windows fire.
func TestSkippedRowGroups(t *testing.T) {
	t.Cleanup(func() { testOptions = nil })
	folder := t.TempDir()
	lines := filepath.Join(folder, "bids.jsonl")
	if err := os.WriteFile(lines, bids(30_000, 0), 0o644); err != nil {
		t.Fatal(err)
	}
	parquet := toParquet(t, lines, 500)
	pipeline := filepath.Join(folder, "p.yaml")
	for where, skips := range map[string]bool{
		"dateTime >= 1700000080000 and price > 100": true, "dateTime < 1700000065000": true, "price < 0": true,
		`channel == "Zulu"`: true, `channel < "A"`: true, "price < 0.5": true, "price > 0": false,
		"price % 2 == 0 and price < 0": false, "dateTime >= 1700000080000 or price < 0": false,
	} {
		text := `sources:
  bids: {type: parquet, path: "` + parquet + `", timestamp: {expr: dateTime, unit: ms}, watermark: 5s}
transforms:
  some: {from: bids, where: '` + where + `'}
  w:
    from: some
    key: [auction]
    window: {sliding: 4s, every: 2s}
    aggregate: {n: count(), first: first(price), last: last(price)}
sinks:
  out: {from: w, type: stdout}
`
		if skipped := skippedAsRead(t, pipeline, text, where); skipped != skips {
			t.Errorf("%s: skipped: %v, wants %v", where, skipped, skips)
		}
	}
}

// skippedAsRead compares a run that may skip row groups with one that reads all, and reports whether the first did.
func skippedAsRead(t *testing.T, pipeline, text, name string) (skipped bool) {
	t.Helper()
	if err := os.WriteFile(pipeline, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var rows, counts [2]bytes.Buffer
	for i, all := range []bool{false, true} {
		testOptions = func(o *runner.Options) { o.ReadAll = all }
		if code := run(context.Background(), []string{"run", pipeline}, strings.NewReader(""), &rows[i], &counts[i]); code != exitDone {
			t.Fatalf("%s: exit code %d\n%s", name, code, counts[i].String())
		}
	}
	if !bytes.Equal(rows[0].Bytes(), rows[1].Bytes()) {
		t.Errorf("%s: %s", name, firstDifference(rows[0].Bytes(), rows[1].Bytes()))
	}
	table := func(b bytes.Buffer) string { return strings.Split(b.String(), "done:")[0] }
	if table(counts[0]) != table(counts[1]) {
		t.Errorf("%s: the counts are\n%s\nwithout skipping\n%s", name, counts[0].String(), counts[1].String())
	}
	if strings.Contains(counts[1].String(), "not read") {
		t.Errorf("%s: not all was read\n%s", name, counts[1].String())
	}
	return strings.Contains(counts[0].String(), "not read")
}

// TestSkippedUnderAnyWatermark does the same with whatever else may move a watermark, or hold it.
func TestSkippedUnderAnyWatermark(t *testing.T) {
	t.Cleanup(func() { testOptions = nil })
	folder := t.TempDir()
	var files []string
	for i := range 2 { // the second file is late where partitions share a watermark
		lines := filepath.Join(folder, fmt.Sprintf("bids%d.jsonl", i))
		if err := os.WriteFile(lines, bids(10_000-6000*i, 0), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, toParquet(t, lines, 500))
	}
	skips := 0
	for _, watermark := range []string{
		"5s", "none", "{monotonous: true}", "{bounded: 5s, interval: 50ms}", "{bounded: 1s, per: source}", "{bounded: 1s, per: auction, idle: 1m}",
		"{bounded: 1s, max_ahead: 1s}", "{bounded: 0s, max_ahead: 10ms}", "{monotonous: true, on_regress: dirty}", "{monotonous: true, on_regress: warn}",
		"{punctuated: 'price % 3 == 0 ? dateTime : nil'}",
	} {
		text := `sources:
  bids: {type: parquet, path: ["` + strings.Join(files, `", "`) + `"], timestamp: {expr: dateTime, unit: ms}, watermark: ` + watermark + `}
transforms:
  some: {from: bids, where: dateTime < 1700000065000}
  w: {from: some, key: [auction], window: {tumbling: 2s}, aggregate: {n: count()}}
sinks:
  out: {from: w, type: stdout}
  dirty: {from: bids.dirty, type: stdout}
`
		if skippedAsRead(t, filepath.Join(folder, "p.yaml"), text, watermark) {
			skips++
		}
	}
	if skips < 3 {
		t.Errorf("%d of them skip", skips)
	}
}

// parquetFiles is the folder with files of many writers.
func parquetFiles() string {
	folder := os.Getenv("TIDEMARK_PARQUET_FILES")
	if folder == "" {
		folder = "../../../shared/parquet-files"
	}
	if _, err := os.Stat(folder); err != nil {
		folder = "../../io/parquetio/testdata/parquet"
	}
	return folder
}

// TestParquetTimes windows files by times as Spark writes them, and files without rows.
func TestParquetTimes(t *testing.T) {
	const windows = `
transforms:
  w: {from: s, key: [id], window: {tumbling: 1h}, aggregate: {n: count()}}
sinks:
  o: {from: w, type: stdout}
  dirty: {from: s.dirty, type: stdout}
`
	for _, c := range []struct{ name, paths, rest, want string }{
		{"INT96", "[04-int96-spark-style.parquet]", windows,
			`{"id":2,"window_start":"1969-12-31T12:00:00Z","window_end":"1969-12-31T13:00:00Z","n":1}
{"id":1,"window_start":"2024-03-31T00:00:00Z","window_end":"2024-03-31T01:00:00Z","n":1}
{"reason":"the timestamp is null","node":"s","field":"timestamp","expr":"ts","raw":{"ts":null,"id":3},"meta":{"file":"FOLDER/04-int96-spark-style.parquet","line":3,"partition":0}}
`},
		{"no rows", "[06-zero-rows.parquet]", "\nsinks: {o: {from: s, type: stdout}}\n", ""},
		{"some rows", "[06-zero-rows.parquet, 07-empty-row-groups.parquet]", "\ntransforms: {t: {from: s, aggregate: {n: count()}}}\nsinks: {o: {from: t, type: stdout}}\n", "{\"n\":5}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := parquetFiles()
			paths := strings.NewReplacer("[", "["+folder+"/", ", ", ", "+folder+"/").Replace(c.paths)
			pipeline := filepath.Join(t.TempDir(), "p.yaml")
			text := "sources: {s: {type: parquet, path: " + paths + ", timestamp: ts, watermark: none}}" + c.rest
			if strings.Contains(c.name, "rows") {
				text = "sources: {s: {type: parquet, path: " + paths + "}}" + c.rest
			}
			if err := os.WriteFile(pipeline, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			testOptions = nil
			got := strings.ReplaceAll(string(outputs(t, t.TempDir(), pipeline)), folder, "FOLDER")
			lines, want := strings.Split(got, "\n"), strings.Split(c.want, "\n")
			slices.Sort(lines)
			slices.Sort(want)
			if !slices.Equal(lines, want) {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestParquetFiles reads the files of many writers through the command line, as they are.
func TestParquetFiles(t *testing.T) {
	folder := parquetFiles()
	files, err := filepath.Glob(filepath.Join(folder, "*.parquet"))
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files in %s, %v", len(files), folder, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, err := os.ReadFile(strings.TrimSuffix(file, ".parquet") + ".rows.json")
			if err != nil {
				want = unpacked(t, strings.TrimSuffix(file, ".parquet")+".rows.json.gz")
			}
			pipeline := filepath.Join(t.TempDir(), "p.yaml")
			text := "sources: {s: {type: parquet, path: \"" + file + "\"}}\nsinks: {o: {from: s, type: stdout}}\n"
			if err := os.WriteFile(pipeline, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			testOptions = nil
			compareRows(t, outputs(t, t.TempDir(), pipeline), want)
		})
	}
}

func unpacked(t *testing.T, path string) []byte {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func compareRows(t *testing.T, got, want []byte) {
	a, b := jsonRows(t, got), jsonRows(t, want)
	if len(a) != len(b) {
		t.Fatalf("%d rows, wants %d", len(a), len(b))
	}
	for i := range a {
		if !sameValue(a[i], b[i]) {
			t.Fatalf("row %d is\n%v\nwants\n%v", i, a[i], b[i])
		}
	}
}

func jsonRows(t *testing.T, text []byte) []any {
	var rows []any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		var row any
		if err := d.Decode(&row); err == io.EOF {
			return rows
		} else if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
}

// sameValue compares a value with what another program reads: a time without a zone is one in UTC, a day is its
// midnight, JSON has null for numbers that are none, and an unsigned integer beyond 64 bits with a sign is text.
func sameValue(got, want any) bool {
	switch w := want.(type) {
	case string:
		if got == nil {
			return w == "NaN" || w == "Infinity" || w == "-Infinity"
		}
		return got == w || got == w+"Z" || got == w+"T00:00:00Z"
	case json.Number:
		if text, ok := got.(string); ok {
			return text == w.String()
		}
		n, ok := got.(json.Number)
		if !ok || n == w {
			return ok
		}
		x, errX := n.Float64()
		y, errY := w.Float64()
		return errX == nil && errY == nil && x == y && strings.ContainsAny(string(n+w), ".eE")
	case map[string]any:
		g, ok := got.(map[string]any)
		same := ok && len(g) == len(w)
		for name, v := range w {
			same = same && sameValue(g[name], v)
		}
		return same
	case []any:
		g, ok := got.([]any)
		same := ok && len(g) == len(w)
		for i := range w {
			same = same && sameValue(g[i], w[i])
		}
		return same
	}
	return got == want
}
