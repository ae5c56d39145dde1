package runner

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// formatted are files of each format, and how a pipeline reads them.
var formatted = map[string]struct {
	source, fields string
	files          []string
}{
	"json": {"format: json", "a, b", []string{
		"{\"a\":1,\"b\":\"x\"}\n\n{\"a\":2}\r\nbroken\n", "\xef\xbb\xbf{\"b\":\"y\"}\n", "", "\n\n{\"a\":3}",
	}},
	"csv": {"format: csv, schema: {a: int, b: string}", "a, b", []string{
		"a,b\n1,\"two\nlines\"\n2,\"say \"\"so\"\"\"\nbroken\n\n3,z\r\n", "\xef\xbb\xbfb,c,a\r\nx,y,4\r\n,,\"5\"\r\n", "",
		"\n\n\"b\",\"a\"\nu,6\n\"a, b\n\n\",7\nno,int\n", "a,b\n", "a\n8\n", "a,b\n9,\"w\nw\"",
	}},
	"csv without header": {"format: csv, columns: [a, b], schema: {a: int}", "a, b", []string{
		"1,\"two\nlines\"\n2\n3,z\n", "\xef\xbb\xbf4,\"\"\r\n\r\n5,v", "", "a,b\n6,\"\n\n\"\n",
	}},
	"text": {"format: text", "message", []string{
		"one\n\ntwo,\"\r\nthree\n", "\xef\xbb\xbffour\n\n", "", "five",
	}},
}

// packings are compressions by their names.
var packings = map[string]func(w io.Writer) io.WriteCloser{
	"none": func(w io.Writer) io.WriteCloser { return kept{w} },
	"gzip": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	"zstd": func(w io.Writer) io.WriteCloser {
		z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		return z
	},
}

type kept struct{ io.Writer }

func (kept) Close() error { return nil }

// packed compresses text as two members.
func packed(compression, text string) string {
	var all bytes.Buffer
	for _, part := range []string{text[:len(text)/3], text[len(text)/3:]} {
		w := packings[compression](&all)
		io.WriteString(w, part)
		w.Close()
	}
	return all.String()
}

// formatPipeline prints the records of a source with their places, and those that are dirty.
func formatPipeline(source, fields, out string) string {
	return "sources:\n  in: {type: file, " + source + ", watermark: none}\n" +
		"transforms:\n  rows: {from: in, select: {file: meta.file, line: meta.line, " + named(fields) + "}}\n" +
		"  lost: {from: in.dirty, select: {file: meta.file, line: meta.line, reason: reason, raw: raw}}\n" +
		"sinks:\n  out: {from: [rows, lost], " + out + "}\n"
}

func named(fields string) string {
	var list []string
	for _, f := range strings.Split(fields, ", ") {
		list = append(list, f+": "+f)
	}
	return strings.Join(list, ", ")
}

// plainRows gives what comes of the plain files, each read alone.
func plainRows(t *testing.T, source, fields string, files []string) (rows []string) {
	for i, text := range files {
		p := newTrial(t, formatPipeline(`path: "${dir}/f`+fmt.Sprint(i)+`", `+source, fields, "type: stdout"), map[string]string{fmt.Sprintf("f%d", i): text})
		stdout, _, err := p.run(t.Context(), Options{Parallelism: 1})
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, p.rows(stdout)...)
	}
	return rows
}

// rows gives lines of output without the trial's folder.
func (p *trial) rows(text string) []string {
	text = strings.ReplaceAll(text, p.folder+"/", "")
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
}

// TestFormatsOfFiles reads each format from compressed files, from files as one partition, from standard input and from
// a named pipe, in chunks of several sizes, and compares with the plain files.
func TestFormatsOfFiles(t *testing.T) {
	for name, f := range formatted {
		want := plainRows(t, f.source, f.fields, f.files)
		if len(want) < 5 {
			t.Fatalf("%s: %s", name, want)
		}
		for compression := range packings {
			files := map[string]string{}
			for i, text := range f.files {
				files[fmt.Sprintf("f%d", i)] = packed(compression, text)
			}
			for _, size := range []int64{1, 20, 300, 0} {
				o := Options{Parallelism: 3, ChunkSize: size}
				for _, partitions := range []string{"file", "one"} {
					p := newTrial(t, formatPipeline(`path: "${dir}/f*", partitions: `+partitions+`, `+f.source, f.fields, "type: stdout"), files)
					stdout, _, err := p.run(t.Context(), o)
					compareRows(t, fmt.Sprintf("%s, %s, partitions: %s, chunks of %d", name, compression, partitions, size), p.rows(stdout), want, partitions == "one", err)
				}
				for i := range f.files {
					file := fmt.Sprintf("f%d", i)
					of := slices.DeleteFunc(slices.Clone(want), func(row string) bool { return !strings.Contains(row, `"file":"`+file+`"`) })
					for _, path := range []string{"-", "${dir}/" + file} {
						p := newTrial(t, formatPipeline(`path: "`+path+`", `+f.source, f.fields, "type: stdout"), nil)
						p.stdin = files[file]
						if path != "-" {
							p.feed(t, file, files[file])
						}
						stdout, _, err := p.run(t.Context(), o)
						rows := p.rows(strings.ReplaceAll(stdout, `"file":"-"`, `"file":"`+file+`"`))
						compareRows(t, fmt.Sprintf("%s, %s, %s from %s, chunks of %d", name, compression, file, path, size), rows, of, true, err)
					}
				}
			}
		}
	}
}

// feed makes a named pipe that text comes out of.
func (p *trial) feed(t *testing.T, name, text string) {
	path := filepath.Join(p.folder, name)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() {
		if w, err := os.OpenFile(path, os.O_WRONLY, 0); err == nil {
			io.WriteString(w, text)
			w.Close()
		}
	}()
}

func compareRows(t *testing.T, what string, got, want []string, ordered bool, err error) {
	t.Helper()
	if !ordered {
		want = slices.Sorted(slices.Values(want))
		slices.Sort(got)
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%s: %v\n%s\nwant\n%s", what, err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestFormatsOfFollowedFiles reads each format from files that are written piece by piece, and from one that gives way
// to another, whose header differs.
func TestFormatsOfFollowedFiles(t *testing.T) {
	for name, f := range formatted {
		for _, partitions := range []string{"file", "one", "rotated"} {
			var files []string
			for _, text := range f.files {
				if text != "" && !strings.HasSuffix(text, "\n") {
					text += "\n" // an open line is not read yet
				}
				files = append(files, text)
			}
			t.Run(name+", "+partitions, func(t *testing.T) {
				t.Parallel()
				want := plainRows(t, f.source, f.fields, files)
				out := newShelf("followed " + name + partitions)
				path := "f*"
				if partitions == "rotated" {
					path = "log"
				}
				source := `path: "${dir}/` + path + `", follow: true, partitions: ` + strings.Replace(partitions, "rotated", "file", 1) + ", " + f.source
				p := newTrial(t, formatPipeline(source, f.fields, `type: shelf, name: "followed `+name+partitions+`"`), nil)
				l := p.start(t, Options{Parallelism: 2, ChunkSize: 50})
				p.grow(files, partitions == "rotated")
				out.await(len(want))
				l.stop(t)
				var got []string
				for _, row := range out.records {
					got = append(got, p.rows(row)...)
				}
				if partitions == "rotated" {
					for i, row := range want {
						_, rest, _ := strings.Cut(row, ",")
						want[i] = `{"file":"log",` + rest
					}
				}
				compareRows(t, partitions, got, want, partitions != "file", l.err)
			})
		}
	}
}

// await waits until there are n records, or for long.
func (s *shelf) await(n int) {
	for range 1000 {
		s.mu.Lock()
		have := len(s.records)
		s.mu.Unlock()
		if have >= n {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// grow writes files piece by piece, one after the other: each under a name of its own, or all under one.
func (p *trial) grow(files []string, rotated bool) {
	for i, text := range files {
		name := filepath.Join(p.folder, fmt.Sprintf("f%d", i))
		if rotated {
			name = filepath.Join(p.folder, "log")
			os.Rename(name, fmt.Sprintf("%s.%d", name, i))
		}
		f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			p.Fatal(err)
		}
		for len(text) > 0 {
			n := min(len(text), 7)
			io.WriteString(f, text[:n])
			text = text[n:]
			time.Sleep(3 * time.Millisecond)
		}
		f.Close()
		if rotated {
			time.Sleep(300 * time.Millisecond) // the file is read before it goes
		}
	}
}
