package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
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
		if err := os.WriteFile(pipeline, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		var rows, counts [2]bytes.Buffer
		for i, all := range []bool{false, true} {
			testOptions = func(o *runner.Options) { o.ReadAll = all }
			if code := run(context.Background(), []string{"run", pipeline}, strings.NewReader(""), &rows[i], &counts[i]); code != exitDone {
				t.Fatalf("exit code %d\n%s", code, counts[i].String())
			}
		}
		if !bytes.Equal(rows[0].Bytes(), rows[1].Bytes()) {
			t.Errorf("%s: %s", where, firstDifference(rows[0].Bytes(), rows[1].Bytes()))
		}
		table := func(b bytes.Buffer) string { return strings.Split(b.String(), "done:")[0] }
		if table(counts[0]) != table(counts[1]) {
			t.Errorf("%s: the counts are\n%s\nwithout skipping\n%s", where, counts[0].String(), counts[1].String())
		}
		if strings.Contains(counts[0].String(), "not read") != skips || strings.Contains(counts[1].String(), "not read") {
			t.Errorf("%s: skipped: wants %v\n%s", where, skips, counts[0].String())
		}
	}
}
