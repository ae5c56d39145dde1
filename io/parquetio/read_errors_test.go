package parquetio

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

// TestFilesThatCannotBeRead says what files that are none, or only partly, are answered with: one line that names
// the file and says what to do.
func TestFilesThatCannotBeRead(t *testing.T) {
	good, err := os.ReadFile(filepath.Join(filesFolder(t), "01-pyarrow-basic.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	change := func(at int, b string) string {
		if at < 0 {
			at += len(good)
		}
		return string(good[:at]) + b + string(good[at+len(b):])
	}
	for _, c := range []struct{ content, want string }{
		{"", "is empty (0 bytes), not even a Parquet file without rows; write it again or take it out of path"},
		{"PAR", `is no Parquet file: it begins with "PAR"; a file of lines is read by type: file`},
		{"PAR1", "is cut off: the footer at its end is missing; copy or write it again"},
		{`{"a":1}` + "\n", `is no Parquet file: it begins with "{\"a\""; a file of lines is read by type: file`},
		{string(good[:len(good)-1]), "is cut off: the footer at its end is missing; copy or write it again"},
		{string(good[:700]), "is cut off: the footer at its end is missing; copy or write it again"},
		{change(0, "PARE"), "is encrypted; write it again without encryption"},
		{change(-4, "PARE"), "is encrypted; write it again without encryption"},
		{change(-8, "\xff\xff\xff\x7f"), "is damaged: its footer is longer than the file; copy or write it again, or take it out of path"},
		{change(-8, "\x05\x00\x00\x00"), "is damaged: its schema can't be read; copy or write it again, or take it out of path"},
		{change(30, strings.Repeat("\xaa", 60)), `is damaged: column "ts", rows 1 to 12; copy or write it again, or take it out of path`},
	} {
		path := filepath.Join(t.TempDir(), "x.parquet")
		if err := os.WriteFile(path, []byte(c.content), 0o666); err != nil {
			t.Fatal(err)
		}
		_, _, err := tryLines(nil, path)
		if err == nil || err.Error() != path+" "+c.want {
			t.Errorf("%d bytes: %v\nwant %s", len(c.content), err, c.want)
		}
	}
	if _, _, err := tryLines(nil, "/none/x.parquet"); err == nil || !strings.Contains(err.Error(), "/none/x.parquet does not exist") {
		t.Errorf("%v", err)
	}
	if _, _, err := tryLines(nil, "/dev/null"); err == nil || !strings.Contains(err.Error(), "/dev/null is no regular file") {
		t.Errorf("%v", err)
	}
}

// writeColumn writes a file of one column v.
func writeColumn(t testing.TB, name string, node parquet.Node, values ...parquet.Value) string {
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := parquet.NewWriter(f, parquet.NewSchema("x", parquet.Group{"v": node}))
	for _, v := range values {
		if _, err := w.WriteRows([]parquet.Row{{v.Level(0, 0, 0)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestDrift reads files of different columns together.
func TestDrift(t *testing.T) {
	folder := filesFolder(t)
	got := readLines(t, nil, filepath.Join(folder, "18-drift-b.parquet"), filepath.Join(folder, "17-drift-a.parquet"))
	want := []string{
		`{"ts":"2024-01-01T00:00:01Z","v":1,"region":null}`,
		`{"ts":"2024-01-01T00:00:02Z","v":1099511627776,"region":"eu"}`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q", got)
	}
	ints := writeColumn(t, "a.parquet", parquet.Int(64), parquet.Int64Value(3), parquet.Int64Value(1<<53+1), parquet.Int64Value(-1<<53))
	floats := writeColumn(t, "b.parquet", parquet.Leaf(parquet.FloatType), parquet.FloatValue(0.5))
	lines, bad, err := tryLines([]codec.Column{{Path: stream.Path{"v"}}}, ints, floats)
	if err != nil || strings.Join(lines, " ") != `{"v":3} {"v":-9007199254740992} {"v":0.5}` {
		t.Errorf("%q, %v", lines, err)
	}
	if len(bad) != 1 || bad[0].Row != 1 || bad[0].Reason != `field "v" is 9007199254740993, an integer that no float holds exactly` {
		t.Errorf("%v", bad)
	}
}

// TestClash says what happens where types don't go together, and that this matters only where the column is asked
// for.
func TestClash(t *testing.T) {
	a := writeColumn(t, "a.parquet", parquet.Int(32), parquet.Int32Value(3))
	b := writeColumn(t, "b.parquet", parquet.String(), parquet.ByteArrayValue([]byte("x")))
	_, _, err := tryLines(nil, a, b)
	if want := b + `: column "v" is text, but int (INT32) in ` + a + "; write one of them again, or read them by two sources"; err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	lines, _, err := tryLines([]codec.Column{{Path: stream.Path{"w"}}}, a, b)
	if err != nil || len(lines) != 2 {
		t.Errorf("%q, %v", lines, err)
	}
	fields, err := (&SourceOptions{Path: []string{a, b}}).Fields(context.Background(), connector.Environment{})
	if err != nil || len(fields) != 1 || fields[0].Type != (stream.Type{Null: true}) {
		t.Errorf("%v, %v", fields, err)
	}
}

// TestInstantOutsideTheYears makes a row bad only where the column is asked for.
func TestInstantOutsideTheYears(t *testing.T) {
	path := writeColumn(t, "a.parquet", parquet.Timestamp(parquet.Millisecond), parquet.Int64Value(1), parquet.Int64Value(int64(stream.LastTime)+1),
		parquet.Int64Value(int64(stream.FirstTime)-1), parquet.Int64Value(-1<<63), parquet.Int64Value(1<<63-1))
	for _, column := range []stream.Path{{"v"}, nil} {
		lines, bad, err := tryLines([]codec.Column{{Path: column}}, path)
		if err != nil || len(lines) != 1 || len(bad) != 4 || !strings.HasSuffix(bad[0].Reason, "is an instant outside the years 1 to 9999") {
			t.Errorf("%q, %v, %v", lines, bad, err)
		}
	}
	lines, bad, err := tryLines([]codec.Column{{Path: stream.Path{"w"}}}, path)
	if err != nil || len(lines) != 5 || len(bad) != 0 {
		t.Errorf("%q, %v, %v", lines, bad, err)
	}
}

// TestMillis rounds down where milliseconds are enough.
func TestMillis(t *testing.T) {
	path := filepath.Join(filesFolder(t), "03-nanos-edge.parquet")
	lines := readLines(t, []codec.Column{{Path: stream.Path{"ts"}, Millis: true}}, path)
	want := `{"ts":"2024-03-31T00:59:59.999Z"} {"ts":"2024-03-31T01:00:00Z"} {"ts":"1969-12-31T23:59:59.999Z"} {"ts":null}`
	if strings.Join(lines, " ") != want {
		t.Errorf("%q", lines)
	}
}

// TestSchema holds columns against types that a schema gives them.
func TestSchema(t *testing.T) {
	folder := filesFolder(t)
	for _, c := range []struct {
		file, column string
		typ          stream.Type
		lines        string
		bad          string
	}{
		{"09-nested", "id", stream.Type{Kind: stream.Float}, `{"id":1} {"id":2} {"id":3} {"id":4}`, ""},
		{"09-nested", "tags", stream.Type{Shape: stream.List}, `{"tags":["a","b"]} {"tags":[]} {"tags":null} {"tags":[null,""]}`, ""},
		{"09-nested", "tags", stream.Type{Shape: stream.Object}, `{"tags":null}`, `field "tags" is a list, wants object`},
		{"11-floats-and-nulls", "v", stream.Type{Kind: stream.Int}, `{"v":1} {"v":0}`, `field "v" is NaN, wants int`},
		{"10-logical-types", "u64", stream.Type{Kind: stream.Int}, `{"u64":0} {"u64":null}`, `field "u64" is 18446744073709551615, beyond an int of 64 bits`},
		{"10-logical-types", "day", stream.Type{Kind: stream.String}, `{"day":null}`, `field "day" is a timestamp, wants string`},
		{"10-logical-types", "large", stream.Type{Kind: stream.Bool}, `{"large":null}`, `field "large" is text, wants bool`},
	} {
		column := codec.Column{Path: stream.Path{c.column}, Type: c.typ, Typed: true}
		lines, bad, err := tryLines([]codec.Column{column}, filepath.Join(folder, c.file+".parquet"))
		if err != nil || strings.Join(lines, " ") != c.lines {
			t.Errorf("%s: %q, %v", c.column, lines, err)
		}
		if reason := ""; len(bad) > 0 || c.bad != "" {
			if len(bad) > 0 {
				reason = bad[0].Reason
			}
			if reason != c.bad {
				t.Errorf("%s: %q, want %q", c.column, reason, c.bad)
			}
		}
	}
}

// TestEncrypted reads what isn't encrypted of files of pyarrow 26, whose column secret is.
func TestEncrypted(t *testing.T) {
	const plain, whole = "testdata/encrypted/plain_footer.parquet", "testdata/encrypted/encrypted_footer.parquet"
	lines := readLines(t, []codec.Column{{Path: stream.Path{"open"}}}, plain)
	if strings.Join(lines, " ") != `{"open":1} {"open":2} {"open":3}` {
		t.Errorf("%q", lines)
	}
	for path, want := range map[string]string{
		plain: `: column "secret" is encrypted; write it again without encryption`,
		whole: " is encrypted; write it again without encryption",
	} {
		_, _, err := tryLines([]codec.Column{{Path: stream.Path{"secret"}}}, path)
		if err == nil || err.Error() != path+want {
			t.Errorf("%v\nwant %s%s", err, path, want)
		}
	}
}
