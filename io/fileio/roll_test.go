package fileio

import (
	"bytes"
	"context"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"tidemark/io/connector"
	"tidemark/io/internal/aside/asidetest"
)

// writePieces opens a sink in an environment, writes pieces and commits.
func writePieces(o *SinkOptions, env connector.Environment, pieces ...string) error {
	out, err := o.Open(context.Background(), env)
	if err != nil {
		return err
	}
	for _, piece := range pieces {
		if _, err := out.(connector.ByteSink).Write([]byte(piece)); err != nil {
			out.Abort()
			return err
		}
	}
	if err := out.Commit(); err != nil {
		out.Abort()
		return err
	}
	return out.Abort()
}

func TestParts(t *testing.T) {
	for _, c := range []struct {
		name string
		roll Roll
		in   string
		want map[string]string
	}{
		{"rows", Roll{Rows: 2}, "a\nb\nc\nd\ne\n", map[string]string{"uv-00001.jsonl": "a\nb\n", "uv-00002.jsonl": "c\nd\n", "uv-00003.jsonl": "e\n"}},
		{"rows that come out even", Roll{Rows: 2}, "a\nb\n", map[string]string{"uv-00001.jsonl": "a\nb\n"}},
		{"size", Roll{Size: 5}, "aa\nbb\nccccccc\nd\n", map[string]string{"uv-00001.jsonl": "aa\nbb\n", "uv-00002.jsonl": "ccccccc\n", "uv-00003.jsonl": "d\n"}},
		{"both", Roll{Size: 4, Rows: 2}, "a\nb\nccc\nd\n", map[string]string{"uv-00001.jsonl": "a\nb\n", "uv-00002.jsonl": "ccc\n", "uv-00003.jsonl": "d\n"}},
		{"no rows", Roll{Rows: 2}, "", map[string]string{"uv-00001.jsonl": ""}},
		{"one part", Roll{Rows: 9}, "a\n", map[string]string{"uv-00001.jsonl": "a\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				folder := t.TempDir()
				o := sink(filepath.Join(folder, "uv.jsonl"))
				o.Roll = &c.roll
				// The lines arrive in pieces cut anywhere between lines.
				var pieces []string
				piece := ""
				for line := range strings.Lines(c.in) {
					if piece += line; rapid.Bool().Draw(r, "cut") {
						pieces, piece = append(pieces, piece), ""
					}
				}
				if err := writePieces(o, connector.Environment{}, append(pieces, piece)...); err != nil {
					r.Fatal(err)
				}
				if got := listing(t, folder); !maps.Equal(got, c.want) {
					r.Errorf("%q, want %q", got, c.want)
				}
			})
		})
	}
}

func TestPartsByTheClock(t *testing.T) {
	folder := t.TempDir()
	now := time.Unix(0, 0)
	o := sink(filepath.Join(folder, "uv.jsonl"))
	o.Roll = &Roll{Every: 1000}
	out, err := o.Open(context.Background(), connector.Environment{Unbounded: true, Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		after time.Duration
		line  string
		seen  string // names of the files that then are there
	}{
		{0, "a\n", ""}, {999 * time.Millisecond, "b\n", ""}, {time.Millisecond, "", "uv-00001.jsonl"},
		{5 * time.Second, "c\n", "uv-00001.jsonl"}, {time.Second, "d\n", "uv-00001.jsonl uv-00002.jsonl"},
	} {
		now = now.Add(step.after)
		if _, err := out.(connector.ByteSink).Write([]byte(step.line)); err != nil {
			t.Fatal(err)
		}
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
		names, _ := filepath.Glob(filepath.Join(folder, "uv-*"))
		if got := strings.ReplaceAll(strings.Join(names, " "), folder+"/", ""); got != step.seen {
			t.Errorf("after %q: %q, want %q", step.line, got, step.seen)
		}
	}
	if err := out.Commit(); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"uv-00001.jsonl": "a\nb\n", "uv-00002.jsonl": "c\n", "uv-00003.jsonl": "d\n"}
	if got := listing(t, folder); !maps.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestPartsThatExist(t *testing.T) {
	folder := t.TempDir()
	o := sink(filepath.Join(folder, "uv.jsonl"))
	o.Roll = &Roll{Rows: 1}
	for _, name := range []string{"uv-00001.jsonl", "uv-00007.jsonl", "uv-7.jsonl", "uv.jsonl"} {
		os.WriteFile(filepath.Join(folder, name), []byte("old"), 0o666)
	}
	wantError(t, o.Check(connector.Environment{}), "uv-00001.jsonl exists", "overwrite: true")
	o.Overwrite = true
	if err := writePieces(o, connector.Environment{}, "a\nb\n"); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"uv-00001.jsonl": "a\n", "uv-00002.jsonl": "b\n", "uv-7.jsonl": "old", "uv.jsonl": "old"}
	if got := listing(t, folder); !maps.Equal(got, want) {
		t.Errorf("%q", got)
	}
	o = sink("/dev/null")
	o.Roll = &Roll{Rows: 1}
	wantError(t, o.Check(connector.Environment{}), "/dev/null is a pipe or a device and has no parts")
}

func TestCompression(t *testing.T) {
	lines := strings.Repeat("{\"user\": 17, \"site\": \"a\"}\n", 20_000)
	for compression, unpack := range map[string]func(io.Reader) (io.Reader, error){
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"zstd": func(r io.Reader) (io.Reader, error) {
			z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
			return z, err
		},
	} {
		folder := t.TempDir()
		o := sink(filepath.Join(folder, "uv.jsonl.x"))
		o.Compression = compression
		if err := writePieces(o, connector.Environment{}, lines[:5000], lines[5000:]); err != nil {
			t.Fatal(err)
		}
		packed, _ := os.ReadFile(o.Path)
		r, err := unpack(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || string(text) != lines || len(packed) > len(lines)/10 {
			t.Errorf("%s: %d bytes back of %d, packed %d, %v", compression, len(text), len(lines), len(packed), err)
		}
		o.Path, o.Roll = filepath.Join(folder, "parts.jsonl.gz"), &Roll{Rows: 15_000}
		if err := writePieces(o, connector.Environment{}, lines); err != nil {
			t.Fatal(err)
		}
		var both strings.Builder
		for _, name := range []string{"parts-00001.jsonl.gz", "parts-00002.jsonl.gz"} {
			part, _ := os.ReadFile(filepath.Join(folder, name))
			if r, err = unpack(bytes.NewReader(part)); err == nil {
				_, err = io.Copy(&both, r)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if both.String() != lines {
			t.Errorf("%s: the parts have %d bytes of %d", compression, both.Len(), len(lines))
		}
	}
}

func TestNoCrashLeavesHalfAPart(t *testing.T) {
	for _, unbounded := range []bool{false, true} {
		folder := t.TempDir()
		o := sink(filepath.Join(folder, "uv.jsonl"))
		o.Roll = &Roll{Rows: 10_000}
		rec := &asidetest.Recorder{}
		out, err := o.open(context.Background(), connector.Environment{Unbounded: unbounded}, rec)
		if err != nil {
			t.Fatal(err)
		}
		out.(connector.ByteSink).Write([]byte(strings.Repeat("{\"user\": 17}\n", 35_000)))
		if err := out.Commit(); err != nil {
			t.Fatal(err)
		}
		whole := asidetest.CrashAfter(rec.Operations)
		for n := range len(rec.Operations) + 1 {
			w := asidetest.CrashAfter(rec.Operations[:n])
			for name, file := range w.Visible(folder) {
				if w.Synced[file] == 0 || w.Synced[file] != whole.Written[whole.Names[name]] {
					t.Errorf("after %d operations %s may hold %d bytes", n, name, w.Synced[file])
				}
			}
		}
		if len(whole.Durable) != 4 {
			t.Errorf("sure after Commit: %v", whole.Durable)
		}
	}
}
