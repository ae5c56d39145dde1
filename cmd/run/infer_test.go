package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// inferred is what came of a block that was guessed and run.
type inferred struct {
	block         string
	read, dirty   int
	out, reported string
}

// inferAndRun guesses a block from path, writes all fields of what it reads, and wants no word of lint.
func inferAndRun(t *testing.T, path, sink string, stdin []byte) inferred {
	t.Helper()
	var block, note bytes.Buffer
	if code := run(context.Background(), []string{"infer", path}, bytes.NewReader(stdin), &block, &note); code != exitDone {
		t.Fatalf("infer %s: exit code %d: %s", path, code, note.String())
	}
	file := filepath.Join(t.TempDir(), "p.yaml")
	name, _, _ := strings.Cut(strings.TrimSpace(strings.SplitN(block.String(), "\n", 3)[1]), ":")
	text, sinks := block.String(), "sinks:\n  all_of_it: {from: "+name+", "+sink+"}\n"
	if strings.Contains(text, "    timestamp: ") {
		text += "transforms:\n  years: {from: " + name + ", window: {tumbling: 365d}, aggregate: {n: count()}}\n"
		sinks += "  counts: {from: years, type: discard}\n"
	}
	text += sinks
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var found bytes.Buffer
	if code := run(context.Background(), []string{"lint", file}, nil, &found, &found); code != exitDone || strings.Contains(found.String(), ": warning[") {
		t.Fatalf("lint: exit code %d: %s\n%s", code, found.String(), text)
	}
	var out, report bytes.Buffer
	if code := run(context.Background(), []string{"run", file, "--report", "json"}, bytes.NewReader(stdin), &out, &report); code != exitDone {
		t.Fatalf("run: exit code %d: %s\n%s", code, report.String(), text)
	}
	got := inferred{block: block.String(), out: out.String(), reported: report.String()}
	for line := range strings.Lines(report.String()) {
		var r struct {
			Nodes []struct {
				Node      string
				In, Dirty int
			}
		}
		if json.Unmarshal([]byte(line), &r) == nil && len(r.Nodes) > 0 {
			got.read, got.dirty = r.Nodes[0].In, r.Nodes[0].Dirty
		}
	}
	return got
}

// TestInferReadsItsSample generates files of many shapes: the block that is guessed reads every record of them, with
// the types that it gives, and lint has nothing to say about it.
func TestInferReadsItsSample(t *testing.T) {
	folder := t.TempDir()
	for seed := range uint64(150) {
		g := &fileGenerator{rand.New(rand.NewPCG(seed, 7))}
		rows := 1 + g.IntN(60)
		text, extension := g.json(rows), ".jsonl"
		if seed%2 == 0 {
			text, extension = g.csv(rows), ".csv"
		}
		path := filepath.Join(folder, fmt.Sprintf("Data %d%s", seed, extension))
		if seed%5 == 0 {
			path, text = path+".gz", string(members([]byte(text)))
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		got := inferAndRun(t, path, "type: stdout, format: csv", nil)
		if got.read != rows || got.dirty != 0 {
			t.Fatalf("seed %d: %d records were read of %d, %d dirty\n%s\n%s\n%.2000s", seed, got.read, rows, got.dirty, got.reported, got.block, text)
		}
	}
}

// fileGenerator makes files of columns whose values have forms that are met in the wild.
type fileGenerator struct{ *rand.Rand }

// forms are kinds of values in CSV; those of the first half are JSON too, within quotes where they aren't.
var forms = []func(g *fileGenerator) string{
	func(g *fileGenerator) string { return fmt.Sprint(g.IntN(1000) - 500) },
	func(g *fileGenerator) string { return fmt.Sprint(g.Float64() * 100) },
	func(g *fileGenerator) string { return fmt.Sprint(g.IntN(2) == 0) },
	func(g *fileGenerator) string { return fmt.Sprint(int64(g.Uint64())) },
	func(g *fileGenerator) string { return fmt.Sprint(g.Uint64()) },
	func(g *fileGenerator) string { return `null` },
	func(g *fileGenerator) string { return `"` + strings.Repeat("é, ", g.IntN(3)) + `x\"\\"` },
	func(g *fileGenerator) string { return `[1,"a",{"b":[]}]` },
	func(g *fileGenerator) string { return `{"in":{"er":1}}` },
	func(g *fileGenerator) string { return `"` + g.at().Format(time.RFC3339Nano) + `"` },
	func(g *fileGenerator) string { return `"0` + fmt.Sprint(g.IntN(99999)) + `"` },
}

func (g *fileGenerator) at() time.Time {
	return time.Date(2024, 5, 1, 10, 0, g.IntN(100_000), g.IntN(1e9), time.UTC)
}

var columnNames = []string{"id", "Order No", "key", "value", "in", "row", "meta", "null", "on", "x-y", "a.b", "é", "1st", "${HOME}", "it's", `q"t`, "date", "at"}

// json writes objects in which names may lack, values may be null, and columns of two forms occur.
func (g *fileGenerator) json(rows int) string {
	names := g.Perm(len(columnNames))[:1+g.IntN(8)]
	var b strings.Builder
	for range rows {
		fmt.Fprintf(&b, `{"ts":%d`, g.at().UnixMilli())
		for _, n := range names {
			form := forms[(n*5+g.IntN(1+n%2))%len(forms)]
			if g.IntN(10) == 0 {
				continue
			}
			name, _ := json.Marshal(columnNames[n])
			fmt.Fprintf(&b, `,%s:%s`, name, form(g))
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// csv writes records with a header, a delimiter and a layout of times of its own.
func (g *fileGenerator) csv(rows int) string {
	delimiter := []string{",", ";", "\t", "|"}[g.IntN(4)]
	layout := []string{time.RFC3339, "2006-01-02 15:04:05", "02/01/2006 15:04", "01/02/2006 03:04 PM", "02.01.2006", "2/1/2006 15:04:05", "02/Jan/2006:15:04:05 -0700"}[g.IntN(7)]
	names := g.Perm(len(columnNames))[:1+g.IntN(8)]
	var b strings.Builder
	b.WriteString("when")
	for _, n := range names {
		b.WriteString(delimiter + cell(columnNames[n]))
	}
	b.WriteString("\n")
	for range rows {
		b.WriteString(cell(g.at().Format(layout)))
		for _, n := range names {
			text := forms[n%len(forms)](g)
			if unquoted, ok := strings.CutPrefix(text, `"`); ok {
				text = strings.TrimSuffix(unquoted, `"`)
			}
			switch g.IntN(12) {
			case 0:
				text = ""
			case 1:
				text = []string{"NA", "NULL", text}[n%3]
			case 2:
				text = "line\nend " + text
				if n%4 != 0 {
					text = ""
				}
			}
			b.WriteString(delimiter + cell(text))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func cell(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// TestInferTimesThatLack guesses from records of which some have no time: they are dirty, and lint has nothing to say.
func TestInferTimesThatLack(t *testing.T) {
	for _, c := range []struct{ name, text, timestamp string }{
		{"day.csv", "day;v\n13/05/2024;1\n;2\n14/05/2024;3\n", `timestamp: date(day ?? "", "02/01/2006")`},
		{"pair.csv", "Day;Clock;v\n13/05/2024;08:02;1\n;08:03;2\n14/05/2024;10:00;3\n", `timestamp: date((Day ?? "") + " " + Clock, "02/01/2006 15:04")`},
		{"number.csv", "ts,v\n1714557600,1\n,2\n1714557601,3\n", `timestamp: {expr: ts, unit: s}`},
		{"null.jsonl", "{\"at\":\"2024-05-01T10:00:00Z\"}\n{\"at\":null}\n{\"at\":\"2024-05-01T10:00:01Z\"}\n", "timestamp: at"},
		{"text.jsonl", "{\"at\":\"1/5/2024 3:04 PM\"}\n{}\n{\"at\":\"13/5/2024 4:04 PM\"}\n", `timestamp: date(at ?? "", "2/1/2006 3:04 PM")`},
		{"dotted.jsonl", "{\"event.time\":\"2024-05-01T10:00:00Z\"}\n{\"b\":null}\n{\"event.time\":\"2024-05-01T10:00:01Z\"}\n", `timestamp: 'row["event.time"]'`},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		got := inferAndRun(t, path, "type: stdout", nil)
		if got.read != 3 || got.dirty != 1 || !strings.Contains(got.block, c.timestamp) {
			t.Errorf("%s: %d of %d are dirty, by\n%s", c.name, got.dirty, got.read, got.block)
		}
	}
}

// TestInferParquet guesses blocks for Parquet files of many writers: lint has nothing to say, and a run reads them.
func TestInferParquet(t *testing.T) {
	paths, err := filepath.Glob("../../io/parquetio/testdata/parquet/*.parquet")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, path := range paths {
		absolute, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		inferAndRun(t, absolute, "type: stdout", nil)
	}
}

// TestInferStandardInput guesses from standard input, which is not read to its end.
func TestInferStandardInput(t *testing.T) {
	text := []byte(strings.Repeat("{\"at\":\"2024-05-01T10:00:00Z\",\"v\":1}\n", 50))
	if got := inferAndRun(t, "-", "type: stdout", text); got.read != 50 || !strings.Contains(got.block, `path: "-"`) {
		t.Errorf("read %d records, by\n%s", got.read, got.block)
	}
}

// TestInferSample looks at as many records as it is told, of each file, and says so.
func TestInferSample(t *testing.T) {
	t.Chdir(t.TempDir())
	for i := range 3 {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		for n := range 1000 {
			fmt.Fprintf(w, "{\"n\":%d}\n", n)
		}
		w.Close()
		if err := os.WriteFile(fmt.Sprintf("part-%d.gz", i), packed.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, note bytes.Buffer
	run(context.Background(), []string{"infer", "part-*.gz", "--sample", "300"}, nil, &out, &note)
	if got := note.String(); got != "looked at the first 300 records; --sample N looks at more\n" {
		t.Errorf("says %q", got)
	}
	if !strings.Contains(out.String(), `path: part-*.gz`) || !strings.Contains(out.String(), "n\": int") {
		t.Errorf("got\n%s", out.String())
	}
}

// TestInferSparse looks at all rows for a column's values, and passes over files without any.
func TestInferSparse(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	none := write("none.csv", "")
	twice := write("twice.csv", "x,x\n1,2\n3,4\n")
	sparse := write("sparse.csv", "a,b\n"+strings.Repeat("1,\n", 150)+strings.Repeat("1,7\n", 50))
	for _, c := range []struct {
		paths []string
		want  []string
	}{
		{[]string{none, twice}, []string{`columns: ["x", "x_2"]`, "x: int", "x_2: int"}},
		{[]string{none, sparse}, []string{"a: int", `b: "int|null"`}},
		{[]string{sparse, none}, []string{"a: int", `b: "int|null"`}},
	} {
		var block, note bytes.Buffer
		if code := run(context.Background(), append([]string{"infer"}, c.paths...), nil, &block, &note); code != exitDone {
			t.Errorf("%v: exit code %d: %s", c.paths, code, note.String())
		}
		for _, want := range c.want {
			if !strings.Contains(block.String(), want) {
				t.Errorf("%v: no %s in\n%s", c.paths, want, block.String())
			}
		}
	}
}
