package stdoutio

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"tidemark/io/connector"
	"tidemark/stream"
)

// open opens a stdout sink on w.
func open(t *testing.T, format string, o *Options, w *bytes.Buffer) connector.Output {
	t.Helper()
	out, err := o.Open(context.Background(), connector.Environment{Format: format, Stdout: w})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestLinesAreWrittenWhole(t *testing.T) {
	var got bytes.Buffer
	out := open(t, "json", &Options{}, &got)
	line := strings.Repeat("x", 999) + "\n"
	for range 1000 {
		out.(connector.ByteSink).Write([]byte(line))
		if n := got.Len(); n%1000 != 0 {
			t.Fatalf("half a line was written: %d bytes", n)
		}
	}
	if got.Len() == 0 || got.Len() == 1_000_000 {
		t.Errorf("%d bytes before Flush", got.Len())
	}
	if err := out.Flush(); err != nil || got.Len() != 1_000_000 {
		t.Errorf("%d bytes after Flush, %v", got.Len(), err)
	}
	out.(connector.ByteSink).Write([]byte("last\n"))
	if err := out.Commit(); err != nil || got.Len() != 1_000_005 {
		t.Errorf("%d bytes after Commit, %v", got.Len(), err)
	}
}

func TestWatermarksAmongTheRows(t *testing.T) {
	for format, want := range map[string]string{
		"json":  "{\"a\":1}\n{\"watermark\":\"1970-01-01T00:00:01.5Z\"}\n{\"a\":2}\n",
		"table": "a\n1\n-- watermark 1970-01-01T00:00:01.5Z\n2\n",
	} {
		var got bytes.Buffer
		out := open(t, format, &Options{Watermarks: true}, &got)
		lines := out.(connector.ByteSink)
		lines.Write([]byte("{\"a\":1}\n"))
		if w := out.(connector.WatermarkSink); w.Watermarks() {
			w.WriteWatermark(1500)
		}
		lines.Write([]byte("{\"a\":2}\n"))
		if err := out.Commit(); err != nil || got.String() != want {
			t.Errorf("%s: %q, %v; want %q", format, got.String(), err, want)
		}
	}
}

func TestReaderThatGoesAway(t *testing.T) {
	signal.Ignore(syscall.SIGPIPE)
	defer signal.Reset(syscall.SIGPIPE)
	for _, format := range []string{"json", "table"} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := new(Options).Open(context.Background(), connector.Environment{Format: format, Stdout: w})
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		out.(connector.ByteSink).Write([]byte("{\"a\":1}\n"))
		if err := out.Flush(); !errors.Is(err, connector.ErrClosed) {
			t.Errorf("%s: Flush gives %v", format, err)
		}
		if err := out.Commit(); !errors.Is(err, connector.ErrClosed) {
			t.Errorf("%s: Commit gives %v", format, err)
		}
		if err := out.Abort(); err != nil {
			t.Errorf("%s: Abort gives %v", format, err)
		}
		w.Close()
	}
}

func TestFullDisk(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	out := &Lines{pen: pen{w: full}}
	out.Write([]byte("{}\n"))
	if err := out.Flush(); err == nil || !strings.Contains(err.Error(), "standard output: the disk is full") {
		t.Errorf("%v", err)
	}
}

func TestTableOfLines(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines string
		want  string
	}{
		{"kinds of values", `
{"user":"ann","n":3,"ok":true,"at":"2024-05-01T10:00:00Z"}
{"user":"berta","n":12.5,"ok":null,"at":""}
{"user":"\u001b[1mx\n","n":-1,"list":[1,2]}`, `
user      n  ok    at
ann       3  true  2024-05-01T10:00:00Z
berta  12.5  null

user         n  ok  at  list
\x1b[1mx\n  -1          [1,2]
`},
		{"no rows", ``, ``},
		{"wide letters", `
{"城市":"北京","n":1}
{"城市":"x","n":22}`, `
城市   n
北京   1
x     22
`},
		{"long text is cut", `
{"a":"` + strings.Repeat("x", 100) + `"}`, `
a
` + strings.Repeat("x", 79) + `…
`},
	} {
		var got bytes.Buffer
		out := open(t, "table", &Options{}, &got)
		_, err := out.(connector.ByteSink).Write([]byte(strings.TrimPrefix(c.lines, "\n") + "\n"))
		if c.lines == "" {
			err = nil
		}
		if err = errors.Join(err, out.Commit()); err != nil || got.String() != strings.TrimPrefix(c.want, "\n") {
			t.Errorf("%s: %v\n%swant\n%s", c.name, err, got.String(), c.want)
		}
	}
}

func TestTableOfRows(t *testing.T) {
	var b stream.Batch
	b.Reset(3)
	b.N = 4
	b.Columns[0].Reset(stream.String, 4)
	b.Columns[1].Reset(stream.Int, 4)
	b.Columns[2].Reset(stream.Instant, 4)
	for i, name := range []string{"a", "bb", "dropped", "longer than before"} {
		b.Columns[0].SetString(i, name)
		b.Columns[1].Ints[i] = int64(i) * 100
		b.Columns[2].Ints[i] = int64(i) * 1000
	}
	b.Columns[1].SetTag(1, stream.TagNull)
	b.Columns[1].SetTag(3, stream.TagMissing)
	b.Columns[2].SetBoxed(1, stream.TagOther, map[string]any{"x": 1.5})
	names := []string{"name", "n", "at"}

	var got bytes.Buffer
	out := open(t, "table", &Options{}, &got)
	rows := out.(connector.RowSink)
	b.Sel = []int32{0, 1}
	if err := errors.Join(rows.WriteRows(&b, names), out.Flush()); err != nil {
		t.Fatal(err)
	}
	b.Sel = []int32{3, 0}
	if err := errors.Join(rows.WriteRows(&b, names), out.Commit()); err != nil {
		t.Fatal(err)
	}
	want := `
name     n  at
a        0  1970-01-01T00:00:00Z
bb    null  {"x":1.5}
longer than before        1970-01-01T00:00:03Z
a                      0  1970-01-01T00:00:00Z
`
	if got.String() != want[1:] {
		t.Errorf("\n%swant%s", got.String(), want)
	}
}
