package parquetio

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

// failing is a test, or a case of a property.
type failing interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// readRows gives the rows of a file as the library reads them: nil, bool, int64, float64 or string.
func readRows(t failing, path string) (names []string, rows [][]any, file *parquet.File) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err = parquet.OpenFile(strings.NewReader(string(text)), int64(len(text)))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, f := range file.Schema().Fields() {
		names = append(names, f.Name())
	}
	for _, group := range file.RowGroups() {
		reader := group.Rows()
		buf := make([]parquet.Row, 100)
		for {
			n, err := reader.ReadRows(buf)
			for _, row := range buf[:n] {
				boxed := make([]any, len(row))
				for i, v := range row {
					boxed[i] = unboxed(v)
				}
				rows = append(rows, boxed)
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
		reader.Close()
	}
	return names, rows, file
}

func unboxed(v parquet.Value) any {
	switch {
	case v.IsNull():
		return nil
	case v.Kind() == parquet.Boolean:
		return v.Boolean()
	case v.Kind() == parquet.Int64:
		return v.Int64()
	case v.Kind() == parquet.Double:
		return v.Double()
	}
	return string(v.ByteArray())
}

// same compares values; NaN is itself, and -0 is not 0.
func same(a, b any) bool {
	x, ok := a.(float64)
	y, ok2 := b.(float64)
	if ok && ok2 {
		return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
	}
	return a == b
}

// wanted is what a file should have for a row's value in a column of a kind.
func wanted(c *stream.Column, row int, kind stream.Kind) any {
	v := c.Value(row)
	switch {
	case v == nil:
		return nil
	case kind == stream.Any:
		return string(codec.AppendValue(nil, v))
	case kind == stream.Float:
		if i, ok := v.(int64); ok {
			return float64(i)
		}
	case kind == stream.Instant:
		return c.Ints[row]
	}
	return v
}

var kinds = []stream.Kind{stream.Any, stream.Int, stream.Float, stream.Bool, stream.String, stream.Instant}

// drawValue draws a boxed value that a column of a kind can hold.
func drawValue(t *rapid.T, kind stream.Kind) any {
	switch kind {
	case stream.Int:
		return rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{0, 1, math.MaxInt64, math.MinInt64})).Draw(t, "int")
	case stream.Float:
		if rapid.IntRange(0, 4).Draw(t, "whole") == 0 {
			return rapid.Int64().Draw(t, "int as float")
		}
		return rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)})).Draw(t, "float")
	case stream.Bool:
		return rapid.Bool().Draw(t, "bool")
	case stream.String:
		return rapid.String().Draw(t, "string")
	case stream.Instant:
		return stream.Time(rapid.Int64Range(int64(stream.FirstTime), int64(stream.LastTime)).Draw(t, "time")).Std()
	}
	return rapid.SampledFrom([]any{int64(1), "x\"y", 2.5, true, []any{int64(1), nil, "é"}, map[string]any{"b": nil, "a": []any{}}}).Draw(t, "any")
}

// drawBatch draws a batch of which some rows are nulls and some are left out.
func drawBatch(t *rapid.T, fields []stream.Field) *stream.Batch {
	b := &stream.Batch{N: rapid.IntRange(0, 30).Draw(t, "rows"), Columns: make([]stream.Column, len(fields))}
	for i, f := range fields {
		c := &b.Columns[i]
		kind := f.Type.Kind
		if kind == stream.Any || rapid.IntRange(0, 5).Draw(t, "boxed") == 0 {
			kind = stream.Any
		}
		c.Reset(kind, b.N)
		clear(c.Boxed)
		for row := range b.N {
			switch rapid.IntRange(0, 5).Draw(t, "odd") {
			case 0:
				c.SetTag(row, rapid.SampledFrom([]stream.Tag{stream.TagNull, stream.TagMissing, stream.TagParentNil + 1}).Draw(t, "tag"))
			default:
				c.SetValue(row, drawValue(t, f.Type.Kind))
			}
		}
		if kind == stream.Any && f.Type.Kind == stream.Instant {
			c.Ints = make([]int64, b.N) // what wanted reads
			for row := range b.N {
				if at, ok := c.Value(row).(interface{ UnixMilli() int64 }); ok {
					c.Ints[row] = at.UnixMilli()
				}
			}
		}
	}
	if rapid.Bool().Draw(t, "selected") {
		b.Sel = []int32{}
		for row := range b.N {
			if rapid.Bool().Draw(t, "taken") {
				b.Sel = append(b.Sel, int32(row))
			}
		}
	}
	return b
}

// TestWrittenIsReadBack writes random batches and reads them back.
func TestWrittenIsReadBack(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		var fields []stream.Field
		for i := range rapid.IntRange(1, 5).Draw(t, "columns") {
			kind := rapid.SampledFrom(kinds).Draw(t, "kind")
			fields = append(fields, stream.Field{Name: fmt.Sprintf("%c", 'z'-i), Type: stream.Type{Kind: kind}})
		}
		batches := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) *stream.Batch { return drawBatch(t, fields) }), 0, 4).Draw(t, "batches")
		o := &SinkOptions{Path: filepath.Join(folder, "out.parquet"), Overwrite: true,
			Compression: rapid.SampledFrom([]string{"zstd", "snappy", "gzip", "none"}).Draw(t, "compression"),
			RowGroup:    int64(rapid.SampledFrom([]int{1, 7, DefaultRowGroup}).Draw(t, "row_group"))}
		if err := writeBatches(o, fields, batches); err != nil {
			t.Fatal(err)
		}
		var want [][]any
		for _, b := range batches {
			all := picked{rows: b.Sel, to: b.N}
			for i := range all.len() {
				row := make([]any, len(fields))
				for c := range fields {
					row[c] = wanted(&b.Columns[c], all.row(i), fields[c].Type.Kind)
				}
				want = append(want, row)
			}
		}
		compareRows(t, o.Path, fields, want)
	})
}

func compareRows(t *rapid.T, path string, fields []stream.Field, want [][]any) {
	names, got, _ := readRows(t, path)
	if len(names) != len(fields) || len(got) != len(want) {
		t.Fatalf("%d columns, %d rows; want %d and %d", len(names), len(got), len(fields), len(want))
	}
	for i, f := range fields {
		if names[i] != f.Name {
			t.Fatalf("columns %q", names)
		}
	}
	for row := range want {
		for i := range fields {
			if !same(got[row][i], want[row][i]) {
				t.Fatalf("row %d, column %s: %#v, want %#v", row, names[i], got[row][i], want[row][i])
			}
		}
	}
}

// typedBatch makes a batch of boxed rows.
func typedBatch(fields []stream.Field, rows ...[]any) *stream.Batch {
	b := &stream.Batch{N: len(rows), Columns: make([]stream.Column, len(fields))}
	for i, f := range fields {
		b.Columns[i].Reset(f.Type.Kind, len(rows))
		for row := range rows {
			b.Columns[i].SetValue(row, rows[row][i])
		}
	}
	return b
}

var _ connector.TypedSink = (*sinkOutput)(nil)
