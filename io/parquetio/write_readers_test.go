//go:build readers

package parquetio

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/io/internal/roll"
	"tidemark/stream"
)

// TestOtherReaders has DuckDB, pyarrow, pandas and Polars read what the sink writes. It is run by .ci/readers, which
// says in READERS_PYTHON which Python has them.
func TestOtherReaders(t *testing.T) {
	types := []stream.Field{field("i", stream.Int), field("f", stream.Float), field("b", stream.Bool), field("s", stream.String),
		field("t", stream.Instant), field("j", stream.Any), field("r", stream.Int), field("few", stream.String)}
	edges := typedBatch(types,
		[]any{int64(math.MaxInt64), math.NaN(), true, "", stream.FirstTime.Std(), map[string]any{"a": []any{nil, "é"}}, int64(0), "x"},
		[]any{int64(math.MinInt64), math.Inf(1), false, "a\"\\\n\tb", stream.LastTime.Std(), "text", int64(1), "x"},
		[]any{nil, nil, nil, nil, nil, nil, int64(2), nil},
		[]any{int64(-1), math.Copysign(0, -1), nil, "日本 🎉", stream.Time(-1).Std(), []any{}, int64(3), "y"},
		[]any{int64(0), math.Inf(-1), true, strings.Repeat("long ", 5000), stream.Time(0).Std(), 1.5, int64(4), "x"},
	)
	var many [][]any
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 30_000 {
		row := []any{r.Int64(), r.NormFloat64(), r.IntN(2) == 0, fmt.Sprint("s", r.IntN(40_000)), stream.Time(r.Int64N(2e12)).Std(),
			[]any{int64(i)}, int64(i), fmt.Sprint(r.IntN(9))}
		for c := range row {
			if r.IntN(10) == 0 && c != 6 {
				row[c] = nil
			}
		}
		many = append(many, row)
	}
	for _, c := range []struct {
		name    string
		set     func(o *SinkOptions)
		path    string // of what is read, where it is not what is written
		batches []*stream.Batch
	}{
		{"edges", func(o *SinkOptions) {}, "", []*stream.Batch{edges}},
		{"no rows", func(o *SinkOptions) {}, "", nil},
		{"many", func(o *SinkOptions) { o.RowGroup = 7000 }, "", []*stream.Batch{typedBatch(types, many...)}},
		{"snappy", func(o *SinkOptions) { o.Compression = "snappy" }, "", []*stream.Batch{typedBatch(types, many...)}},
		{"gzip", func(o *SinkOptions) { o.Compression = "gzip" }, "", []*stream.Batch{typedBatch(types, many...)}},
		{"none", func(o *SinkOptions) { o.Compression = "none" }, "", []*stream.Batch{typedBatch(types, many...)}},
		{"one part", func(o *SinkOptions) { o.Roll = &roll.Limits{Rows: 1 << 20} }, "out-00001.parquet", []*stream.Batch{typedBatch(types, many...)}},
		{"folders", func(o *SinkOptions) { o.PartitionBy = []string{"few"} }, "", []*stream.Batch{typedBatch(types, many...)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			o := sinkTo(folder + "/out.parquet")
			o.SetSchema([]stream.Field{field("r", stream.Int)})
			c.set(o)
			if err := writeBatches(o, types, c.batches); err != nil {
				t.Fatal(err)
			}
			if c.path == "" {
				c.path = "out.parquet"
			}
			read(t, filepath.Join(folder, c.path), expectation(t, o, types, c.batches))
		})
	}
}

// TestOtherReadersOfOddFolders has them read folders with names that have to be escaped.
func TestOtherReadersOfOddFolders(t *testing.T) {
	types := []stream.Field{field("n", stream.Int), field("where", stream.String)}
	var rows [][]any
	for i, where := range []any{"a/b", "a=b", "100%", "é", nil, "..", "x y", "a:b?c*", "{[#]}", "2024-01-02"} {
		rows = append(rows, []any{int64(i), where})
	}
	o := sinkTo(t.TempDir() + "/out")
	o.PartitionBy = []string{"where"}
	batches := []*stream.Batch{typedBatch(types, rows...)}
	if err := writeBatches(o, types, batches); err != nil {
		t.Fatal(err)
	}
	read(t, o.Path, expectation(t, o, types, batches))
}

// expectation writes what readers.py wants to be told.
func expectation(t *testing.T, o *SinkOptions, types []stream.Field, batches []*stream.Batch) string {
	words := map[stream.Kind]string{stream.Int: "int", stream.Float: "float", stream.Bool: "bool", stream.String: "string",
		stream.Instant: "timestamp", stream.Any: "json"}
	var text strings.Builder
	for i, f := range types {
		word := words[f.Type.Kind]
		if strings.Join(o.PartitionBy, "") == f.Name {
			word = "folder"
		}
		fmt.Fprintf(&text, "%c%q: %q", "{,"[min(i, 1)], f.Name, word)
	}
	text.WriteString("}\n")
	for _, b := range batches {
		for row := range b.N {
			for i, f := range types {
				fmt.Fprintf(&text, "%c%s", "[,"[min(i, 1)], literal(wanted(&b.Columns[i], row, f.Type.Kind)))
			}
			text.WriteString("]\n")
		}
	}
	path := filepath.Join(t.TempDir(), "expected.jsonl")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// literal writes a value as Python's json reads it.
func literal(v any) string {
	if f, ok := v.(float64); ok {
		switch {
		case math.IsNaN(f):
			return "NaN"
		case math.IsInf(f, 0):
			return strings.ReplaceAll(fmt.Sprint(f), "Inf", "Infinity")[map[bool]int{true: 1, false: 0}[f > 0]:]
		}
	}
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func read(t *testing.T, path, expected string) {
	t.Helper()
	python := os.Getenv("READERS_PYTHON")
	if python == "" {
		t.Fatal("READERS_PYTHON is not set; run .ci/readers")
	}
	out, err := exec.Command(python, "testdata/readers.py", path, expected).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
