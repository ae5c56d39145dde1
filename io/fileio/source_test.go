package fileio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tidemark/io/connector"
)

func TestPathsLeadToFiles(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"b.jsonl", "a.jsonl", "c.txt", "x[1].jsonl", ".hidden.jsonl", "sub/a.jsonl"} {
		path := filepath.Join(folder, name)
		os.MkdirAll(filepath.Dir(path), 0o777)
		os.WriteFile(path, nil, 0o666)
	}
	t.Chdir(folder)
	for _, c := range []struct {
		paths, want []string
		wrong       string
	}{
		{paths: []string{"c.txt"}, want: []string{"c.txt"}},
		{paths: []string{"*.jsonl"}, want: []string{"a.jsonl", "b.jsonl", "x[1].jsonl"}},
		{paths: []string{"*"}, want: []string{"a.jsonl", "b.jsonl", "c.txt", "x[1].jsonl"}},
		{paths: []string{"c.txt", "b.jsonl", "?.jsonl"}, want: []string{"a.jsonl", "b.jsonl", "c.txt"}},
		{paths: []string{".h*"}, want: []string{".hidden.jsonl"}},
		{paths: []string{"x[1].jsonl"}, want: []string{"x[1].jsonl"}},
		{paths: []string{"*/*.jsonl"}, want: []string{"sub/a.jsonl"}},
		{paths: []string{"-", "a.jsonl", "-"}, want: []string{"-", "a.jsonl"}},
		{paths: []string{"sub"}, wrong: "sub is a folder; to read the files in it write sub/*"},
		{paths: []string{"."}, wrong: ". is a folder; to read the files in it write ./*"},
		{paths: []string{"d.jsonl"}, wrong: "d.jsonl does not exist in " + folder},
		{paths: []string{"*.csv"}, wrong: "no file matches *.csv in " + folder},
		{paths: []string{"[a"}, wrong: "[a is no glob"},
		{paths: []string{"c.txt/x"}, wrong: "c.txt/x can't be read: not a directory"},
	} {
		found, err := expand(c.paths)
		if c.wrong != "" {
			wantError(t, err, c.wrong)
			continue
		}
		var got []string
		for _, f := range found {
			got = append(got, f.path)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, %v; want %q", c.paths, got, err, c.want)
		}
	}
}

func TestWhatIsInAFile(t *testing.T) {
	for _, c := range []struct{ text, want, wrong string }{
		{text: "", want: ""},
		{text: "\n", want: "\n"},
		{text: "{}\n{}", want: "{}\n{}"},
		{text: "\xef\xbb\xbf{}\r\n", want: "{}\r\n"},
		{text: "\xef\xbb\xbf", want: ""},
		{text: "P", want: "P"},
		{text: "\x1f\x8b\x08\x00", wrong: "is cut short: its gzip data have no end"},
		{text: "\x28\xb5\x2f\xfd\x00", wrong: "is cut short: its zstd data have no end"},
		{text: "PAR1....", wrong: "use type: parquet"},
		{text: "\xff\xfe{\x00", wrong: "UTF-16"},
	} {
		path := writeFile(t, "in.jsonl", c.text)
		pipe := "-"
		env := connector.Environment{Stdin: &pieces{text: c.text, next: func() int { return 1 }}}
		for _, from := range []string{path, pipe} {
			got, err := readSource(source(from), env)
			if c.wrong != "" {
				wantError(t, err, strings.Replace(from, pipe, "standard input", 1), c.wrong)
			} else if err != nil || got[from] != c.want {
				t.Errorf("%q from %s: %q, %v; want %q", c.text, from, got[from], err, c.want)
			}
		}
	}
}

func TestFileThatChangesWhileItIsRead(t *testing.T) {
	text := strings.Repeat("{\"a\":1}\n", 4096)
	other := func(path string, keep int) error {
		os.WriteFile(path+".new", []byte(text[:keep]), 0o666)
		return os.Rename(path+".new", path)
	}
	for _, c := range []struct {
		name   string
		change func(path string) error
		wrong  string // empty: it can be read to the end
	}{
		{"grows", func(p string) error { return os.WriteFile(p, []byte(text+text), 0o666) }, ""},
		{"shrinks", func(p string) error { return os.Truncate(p, 9000) }, "shrank from 32768 to 9000 bytes"},
		{"is replaced", func(p string) error { return other(p, len(text)) }, "was replaced while it was read"},
		{"vanishes", os.Remove, "does not exist"},
	} {
		path := writeFile(t, "in.jsonl", text)
		p := &filePartition{path: path, chunk: 4096, maxLine: 100, open: testHandles(1)}
		ctx := context.Background()
		first, err := p.Next(ctx)
		if err == nil {
			_, err = p.Load(ctx, first, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := c.change(path); err != nil {
			t.Fatal(err)
		}
		p.open.drop(p) // as if another file had taken its place
		rest, err := readAll(p)
		p.Close()
		if c.wrong != "" {
			wantError(t, err, path, c.wrong)
		} else if want := text[4096:]; err != nil || rest != want {
			t.Errorf("a file that %s: %d bytes, %v; want %d", c.name, len(rest), err, len(want))
		}
	}
}

func TestUnreadable(t *testing.T) {
	err := openError("in.jsonl", &fs.PathError{Op: "open", Path: "in.jsonl", Err: fs.ErrPermission})
	wantError(t, err, "in.jsonl can't be read; give this user the right to read it")
}

func TestUnreadableFolder(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a/x", "b/x"} {
		os.MkdirAll(filepath.Join(folder, name), 0o777)
	}
	open := func(name string) (*os.File, error) {
		if filepath.Base(name) == "b" {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
		}
		return os.Open(name)
	}
	for _, pattern := range []string{"b", "*", "b/x", "*/*"} {
		reasons := unsearchable(filepath.Join(folder, pattern), open)
		if pattern == "b/x" {
			if len(reasons) > 0 {
				t.Error(reasons)
			}
			continue
		}
		wantError(t, errors.Join(reasons...), "/b can't be read; give this user the right to read it")
	}
}

func testHandles(limit int) *handles {
	return &handles{limit: limit, files: map[owner]*handle{}}
}

// openFiles counts the process's open files below a folder.
func openFiles(t *testing.T, folder string) int {
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, l := range links {
		if to, err := os.Readlink(l); err == nil && strings.HasPrefix(to, folder) {
			n++
		}
	}
	return n
}

func TestOpenFilesAreLimited(t *testing.T) {
	folder := t.TempDir()
	open := testHandles(8)
	var partitions []*filePartition
	for i := range 40 {
		path := filepath.Join(folder, fmt.Sprint(i))
		os.WriteFile(path, []byte(strings.Repeat("0123456\n", 100)), 0o666)
		partitions = append(partitions, &filePartition{path: path, chunk: 256, maxLine: 100, open: open})
	}
	ctx := context.Background()
	read, most := 0, 0
	for ended := 0; ended < len(partitions); {
		ended = 0
		for _, p := range partitions { // a chunk of each in turn: the worst for what is kept open
			c, err := p.Next(ctx)
			if err == io.EOF {
				ended++
				continue
			}
			lines, err := p.Load(ctx, c, nil)
			if err != nil {
				t.Fatal(err)
			}
			read += len(lines)
			most = max(most, openFiles(t, folder))
		}
	}
	if want := 40 * 800; read != want {
		t.Errorf("read %d bytes, want %d", read, want)
	}
	if most > 8 {
		t.Errorf("%d files were open", most)
	}
	if n := openFiles(t, folder); n != 0 {
		t.Errorf("%d files are open at the end", n)
	}
}

func TestTenThousandFiles(t *testing.T) {
	folder := t.TempDir()
	one := writeFile(t, "in.jsonl", "{}\n{}\n")
	for i := range 10_000 {
		if err := os.Link(one, filepath.Join(folder, fmt.Sprintf("%05d", i))); err != nil {
			t.Fatal(err)
		}
	}
	begin := time.Now()
	got, err := readSource(source(filepath.Join(folder, "*")), connector.Environment{})
	if err != nil || len(got) != 10_000 {
		t.Fatalf("%d files, %v", len(got), err)
	}
	took := time.Since(begin)
	t.Logf("10,000 files in %v", took)
	if took > 5*time.Second {
		t.Errorf("10,000 small files took %v", took)
	}
	if n := openFiles(t, folder); n != 0 {
		t.Errorf("%d files are open at the end", n)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	wrong := func(change func(*SourceOptions)) []connector.Problem {
		o := source("in.jsonl")
		change(o)
		return o.Validate()
	}
	wrongSink := func(change func(*SinkOptions)) []connector.Problem {
		o := sink("out.jsonl")
		change(o)
		return o.Validate()
	}
	for _, c := range []struct {
		problems []connector.Problem
		want     string
	}{
		{wrong(func(*SourceOptions) {}), ""},
		{wrong(func(o *SourceOptions) { o.Path = nil }), "path: path is empty"},
		{wrong(func(o *SourceOptions) { o.Path = []string{"in/**/x"} }), `path: ** in "in/**/x" is not known`},
		{wrong(func(o *SourceOptions) { o.Compression = "none" }), ""},
		{wrong(func(o *SourceOptions) { o.Compression = "gzip" }), ""},
		{wrong(func(o *SourceOptions) { o.Compression = "lzma" }), `compression: compression can't be "lzma"`},
		{wrong(func(o *SourceOptions) { o.Follow = true }), ""},
		{wrong(func(o *SourceOptions) { o.Follow, o.Path = true, []string{"-"} }), "follow: standard input can't be followed"},
		{wrong(func(o *SourceOptions) { o.Follow, o.Compression = true, "zstd" }), "compression: a compressed file can't be followed"},
		{wrong(func(o *SourceOptions) { o.Partitions = "one" }), ""},
		{wrong(func(o *SourceOptions) { o.Partitions = "topic" }), `partitions: partitions can't be "topic"`},
		{wrong(func(o *SourceOptions) { o.MaxLine = 0 }), "max_line: max_line must be more than 0"},
		{wrongSink(func(*SinkOptions) {}), ""},
		{wrongSink(func(o *SinkOptions) { o.Path = "-" }), "path: a file sink can't write to -"},
		{wrongSink(func(o *SinkOptions) { o.Path = "out/" }), `path: "out/" names a folder`},
		{wrongSink(func(o *SinkOptions) { o.Compression = "snappy" }), `compression: compression can't be "snappy"`},
		{wrongSink(func(o *SinkOptions) { o.Roll = &Roll{} }), "roll: roll says nothing"},
		{wrongSink(func(o *SinkOptions) { o.Roll = &Roll{Rows: -1} }), "roll.rows: rows must be more than 0"},
	} {
		var got []string
		for _, p := range c.problems {
			got = append(got, p.Option+": "+p.Message)
			if p.Hint == "" {
				t.Errorf("%s: no hint", p.Message)
			}
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
