package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
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
	for _, where := range []string{
		"dateTime >= 1700000080000 and price > 100", "dateTime < 1700000065000", "price > 9999000", "price < 0",
		"channel == \"Zulu\"", "price % 2 == 0 and price < 0", "dateTime >= 1700000080000 or price < 0",
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
		runs := map[bool][]byte{}
		for _, all := range []bool{false, true} {
			testOptions = func(o *runner.Options) { o.ReadAll = all }
			runs[all] = outputs(t, t.TempDir(), pipeline)
		}
		if !bytes.Equal(runs[false], runs[true]) {
			t.Errorf("%s: %s", where, firstDifference(runs[false], runs[true]))
		}
	}
}
