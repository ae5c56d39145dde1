package parquetio

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

// filesFolder is where the small files are that other programs wrote, with the rows that they must read as.
func filesFolder(t testing.TB) string {
	for _, folder := range []string{os.Getenv("TIDEMARK_PARQUET_FILES"), "../../../shared/parquet-files"} {
		if found, _ := filepath.Glob(filepath.Join(folder, "*.parquet")); folder != "" && len(found) > 0 {
			return folder
		}
	}
	return "testdata/parquet"
}

// readLines reads files through the source and writes them as JSON lines: of the columns asked for, or of all.
func readLines(t testing.TB, columns []codec.Column, paths ...string) []string {
	lines, bad, err := tryLines(columns, paths...)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bad {
		t.Errorf("bad row: %s", b.Reason)
	}
	return lines
}

func tryLines(columns []codec.Column, paths ...string) (lines []string, bad []codec.Bad, err error) {
	ctx, env := context.Background(), connector.Environment{}
	o := &SourceOptions{Path: paths}
	if columns == nil {
		fields, err := o.Fields(ctx, env)
		if err != nil {
			return nil, nil, err
		}
		for _, f := range fields {
			columns = append(columns, codec.Column{Path: stream.Path{f.Name}, Type: f.Type, Typed: true})
		}
	}
	layout := codec.Layout{Base: -1}
	for i, c := range columns {
		layout.Fields = append(layout.Fields, codec.LayoutField{Name: c.Path.String(), Column: i})
	}
	partitions, err := o.OpenColumns(ctx, env, columns)
	if err != nil {
		return nil, nil, err
	}
	encoder := codec.NewJSONEncoder(layout, codec.RFC3339)
	var reader connector.ColumnReader
	var b stream.Batch
	for _, p := range partitions {
		defer p.Close()
		for {
			c, err := p.Next(ctx)
			if err == io.EOF {
				break
			}
			if err != nil {
				return lines, bad, err
			}
			if reader == nil {
				reader = p.Reader()
			}
			found, err := reader.Load(ctx, p, c, &b)
			if err != nil {
				return lines, bad, err
			}
			bad = append(bad, found...)
			for row := range b.N {
				if b.Sel == nil || hasRow(b.Sel, int32(row)) {
					lines = append(lines, strings.TrimSpace(string(encoder.Append(nil, &b, row))))
				}
			}
		}
	}
	return lines, bad, nil
}

func hasRow(list []int32, x int32) bool {
	for _, v := range list {
		if v == x {
			return true
		}
	}
	return false
}

// expected reads rows as other programs give them and turns them into what the source gives: instants that have no
// zone, and days, are instants in UTC; NaN and the infinities are null in JSON; an unsigned integer that an int64
// does not hold is text.
func expected(t testing.TB, path string, local map[string]bool) []map[string]any {
	var rows []map[string]any
	lines := bufio.NewScanner(bytes.NewReader(readRowsFile(t, path)))
	for lines.Scan() {
		row := decodeRow(t, lines.Bytes())
		for name, v := range row {
			s, isText := v.(string)
			n, isNumber := v.(json.Number)
			switch {
			case isText && local[name] && len(s) == 10:
				row[name] = s + "T00:00:00Z"
			case isText && local[name] && !strings.HasSuffix(s, "Z"):
				row[name] = s + "Z"
			case isText && (s == "NaN" || s == "Infinity" || s == "-Infinity"):
				row[name] = nil
			case isNumber && n == "18446744073709551615":
				row[name] = n.String()
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// readRowsFile reads a file of rows, which may be packed.
func readRowsFile(t testing.TB, path string) []byte {
	if data, err := os.ReadFile(path); err == nil {
		return data
	}
	f, err := os.Open(path + ".gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func decodeRow(t testing.TB, line []byte) map[string]any {
	var row map[string]any
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if err := d.Decode(&row); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return row
}

// sameJSON compares values as JSON has them: numbers by what they are, not how they are written.
func sameJSON(a, b any) bool {
	x, isX := a.(json.Number)
	y, isY := b.(json.Number)
	if isX && isY {
		if x == y {
			return true
		}
		f, errX := x.Float64()
		g, errY := y.Float64()
		return errX == nil && errY == nil && f == g && strings.ContainsAny(string(x+y), ".eE")
	}
	switch v := a.(type) {
	case []any:
		w, is := b.([]any)
		if !is || len(v) != len(w) {
			return false
		}
		for i := range v {
			if !sameJSON(v[i], w[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		w, is := b.(map[string]any)
		if !is || len(v) != len(w) {
			return false
		}
		for name := range v {
			if u, has := w[name]; !has || !sameJSON(v[name], u) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

// instantsOf gives the names of the columns that are instants.
func instantsOf(t testing.TB, path string) map[string]bool {
	fields, err := (&SourceOptions{Path: []string{path}}).Fields(context.Background(), connector.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range fields {
		names[f.Name] = f.Type.Kind == stream.Instant
	}
	return names
}

func TestFilesOfOtherPrograms(t *testing.T) {
	paths, _ := filepath.Glob(filepath.Join(filesFolder(t), "*.parquet"))
	if len(paths) < 20 {
		t.Fatalf("%d files in %s", len(paths), filesFolder(t))
	}
	for _, path := range paths {
		checkFile(t, path, instantsOf(t, path))
	}
}

// TestMoreFiles reads files of pyarrow 26 with every logical type, as decimals of each width, times and floats of 16
// bits, and with lists, maps and structs in one another over pages of a few values.
func TestMoreFiles(t *testing.T) {
	paths, _ := filepath.Glob("testdata/more/*.parquet")
	if len(paths) != 4 {
		t.Fatalf("%d files", len(paths))
	}
	for _, path := range paths {
		checkFile(t, path, nil)
	}
}

// checkFile reads a file whole, by each column alone, and as records.
func checkFile(t *testing.T, path string, local map[string]bool) {
	t.Run(filepath.Base(path), func(t *testing.T) {
		want := expected(t, strings.TrimSuffix(path, ".parquet")+".rows.json", local)
		compare := func(columns []codec.Column, pick func(row map[string]any) any) {
			got := readLines(t, columns, path)
			if len(got) != len(want) {
				t.Fatalf("%d rows, want %d", len(got), len(want))
			}
			for i, line := range got {
				if row := decodeRow(t, []byte(line)); !sameJSON(row, pick(want[i])) {
					t.Fatalf("row %d\n got %s\nwant %v", i, line, pick(want[i]))
				}
			}
		}
		compare(nil, func(row map[string]any) any { return row })
		compare([]codec.Column{{}}, func(row map[string]any) any { return map[string]any{"": row} })
		fields, err := (&SourceOptions{Path: []string{path}}).Fields(context.Background(), connector.Environment{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fields {
			compare([]codec.Column{{Path: stream.Path{f.Name}}}, func(row map[string]any) any { return map[string]any{f.Name: row[f.Name]} })
		}
		random := rand.New(rand.NewPCG(1, 1))
		for range 5 {
			random.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
			var columns []codec.Column
			for _, f := range fields[:1+random.IntN(len(fields))] {
				columns = append(columns, codec.Column{Path: stream.Path{f.Name}})
			}
			compare(columns, func(row map[string]any) any {
				some := map[string]any{}
				for _, c := range columns {
					some[c.Path[0]] = row[c.Path[0]]
				}
				return some
			})
		}
	})
}
