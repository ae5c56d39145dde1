package fileio

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"tidemark/io/connector"
)

// pack compresses pieces, each as a member or frame of its own.
func pack(compression string, pieces ...string) string {
	var packed bytes.Buffer
	for _, piece := range pieces {
		var w io.WriteCloser = gzip.NewWriter(&packed)
		if compression == "zstd" {
			w, _ = zstd.NewWriter(&packed, zstd.WithEncoderConcurrency(1))
		}
		io.WriteString(w, piece)
		w.Close()
	}
	return packed.String()
}

func TestCompressedTextIsTheSameText(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]int{3, 100, 5000, 1 << 20}).Draw(t, "limit")
		x := anyText(t, 20000)
		compression := rapid.SampledFrom([]string{"gzip", "zstd"}).Draw(t, "compression")
		cut := rapid.IntRange(0, len(x.bytes)).Draw(t, "cut")
		path := filepath.Join(folder, rapid.SampledFrom([]string{"in.jsonl", "in.gz", "in.zst"}).Draw(t, "name"))
		os.WriteFile(path, []byte(pack(compression, x.bytes[:cut], x.bytes[cut:])), 0o666)
		o := source(path)
		o.MaxLine = int64(limit)
		env := connector.Environment{ChunkSize: rapid.Int64Range(1, 10000).Draw(t, "chunk")}
		got, err := readSource(o, env)
		if err == nil {
			err = x.check(got[path], limit)
		}
		if err != nil {
			t.Fatal(err)
		}
		packed, _ := os.ReadFile(path)
		o.Path, env.Stdin = []string{"-"}, &pieces{text: string(packed), next: func() int {
			return rapid.SampledFrom([]int{1, 7, 300, 4096, 1 << 20}).Draw(t, "piece")
		}}
		if got, err = readSource(o, env); err == nil {
			err = x.check(got["-"], limit)
		}
		if err != nil {
			t.Fatalf("standard input: %v", err)
		}
	})
}

func TestLongLineInCompressedText(t *testing.T) {
	const length = 70 << 20
	x := text{bytes: strings.Repeat("x", length) + "\ny\n", lines: []string{strings.Repeat("x", length) + "\n", "y\n"}}
	path := writeFile(t, "in.zst", pack("zstd", x.bytes))
	for _, limit := range []int{DefaultMaxLine, length} {
		o := source(path)
		o.MaxLine = int64(limit)
		got, err := readSource(o, connector.Environment{})
		if err == nil {
			err = x.check(got[path], limit)
		}
		if err != nil || len(got[path]) > limit+1<<10 {
			t.Errorf("limit %d: %d bytes, %v", limit, len(got[path]), err)
		}
	}
}

func TestChunksOfCompressedTextAreTheSameInEveryRun(t *testing.T) {
	path := writeFile(t, "in.gz", pack("gzip", strings.Repeat("0123456789\n", 50_000)))
	var former []string
	for range 3 {
		partitions, err := source(path).Open(context.Background(), connector.Environment{ChunkSize: 100_000})
		if err != nil {
			t.Fatal(err)
		}
		var chunks []string
		for {
			c, err := partitions[0].Next(context.Background())
			if err == io.EOF {
				break
			}
			lines, err := partitions[0].Load(context.Background(), c, nil)
			if err != nil || int64(len(lines)) != c.End-c.Offset {
				t.Fatalf("%d bytes for %d to %d, %v", len(lines), c.Offset, c.End, err)
			}
			chunks = append(chunks, fmt.Sprintf("%d: %d-%d", c.Index, c.Offset, c.End))
		}
		partitions[0].Close()
		if former != nil && fmt.Sprint(former) != fmt.Sprint(chunks) {
			t.Errorf("%v, then %v", former, chunks)
		}
		former = chunks
	}
	if len(former) < 4 {
		t.Errorf("chunks: %v", former)
	}
}

func TestWhatIsWrongWithCompressedFiles(t *testing.T) {
	line := strings.Repeat("x", 199) + "\n"
	text := strings.Repeat(line, 2000)
	for _, compression := range []string{"gzip", "zstd"} {
		good := pack(compression, text, text)
		flipped := []byte(good)
		flipped[len(flipped)-5] ^= 0x40
		wrong := func(option, data string, lines int, words ...string) {
			t.Helper()
			path := writeFile(t, "in.jsonl", data)
			for _, from := range []string{path, "-"} {
				o := source(from)
				o.Compression = option
				env := connector.Environment{Stdin: strings.NewReader(data)}
				partitions, err := o.Open(context.Background(), env)
				if err != nil {
					t.Fatal(err)
				}
				got, err := readAll(partitions[0])
				partitions[0].Close()
				if option == "gzip" && from == "-" {
					continue // its compression is what it begins with
				}
				wantError(t, err, append(words, strings.Replace(from, "-", "standard input", 1))...)
				if n := strings.Count(got, line); n < lines || n*len(line) != len(got) {
					t.Errorf("%d whole lines in %d bytes", n, len(got))
				}
			}
		}
		wrong("auto", good[:len(good)-20], 1, "is cut short: its "+compression+" data have no end", "fetch the whole of it")
		wrong("auto", good[:len(good)/2+3], 1, "is cut short", "lines) of text")
		wrong("auto", good[:4], 0, "is cut short", "behind 0 bytes")
		wrong("auto", good+"something else", 4000, "is damaged: what follows is no "+compression+" data, behind 800000 bytes (4000 lines) of text")
		wrong("auto", string(flipped), 1, "is damaged")
		wrong("none", good, 0, "is compressed with "+compression, "write compression: auto")
		wrong("auto", pack(compression, good), 0, "is compressed with "+compression, "compressed twice")
		wrong("auto", pack(compression, "PAR1...."), 0, "use type: parquet")
	}
	for _, behind := range []string{"\x00x", "\x00\x00\x1f\x8b", "\x1f\x8b", "\x1f"} {
		_, err := readSource(source(writeFile(t, "in.gz", pack("gzip", "a\n")+behind)), connector.Environment{})
		wantError(t, err, "behind 2 bytes (1 lines) of text")
	}
	o := source(writeFile(t, "in.gz", "{}\n"))
	o.Compression = "gzip"
	_, err := readSource(o, connector.Environment{})
	wantError(t, err, "in.gz is not compressed with gzip; write compression: auto, or none")
}

func TestWhatIsInAFileCountsNotItsName(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"in.gz", "{}\n", "{}\n"},
		{"in.zst", "", ""},
		{"in.jsonl", pack("gzip", "{}\n"), "{}\n"},
		{"in.gz", pack("zstd", "{}\n"), "{}\n"},
		{"in.gz", pack("gzip", "", "a", "", "b\n"), "ab\n"},
		{"in.gz", pack("gzip", "a\n", "b\n") + strings.Repeat("\x00", 1000), "a\nb\n"}, // a tape's blocks are filled up
		{"in.zst", pack("zstd", ""), ""},
		{"in.zst", skippable + "\x02\x00\x00\x00ab" + pack("zstd", "{}\n"), "{}\n"},
	} {
		path := writeFile(t, c.name, c.data)
		if got, err := readSource(source(path), connector.Environment{}); err != nil || got[path] != c.want {
			t.Errorf("%s %q: %q, %v; want %q", c.name, c.data, got[path], err, c.want)
		}
	}
	_, err := readSource(source(writeFile(t, "in.gz", "\x1f")), connector.Environment{})
	wantError(t, err, "in.gz is cut short")
}

func TestClosingACompressedFileEndsItsGoroutine(t *testing.T) {
	path := writeFile(t, "in.gz", pack("gzip", strings.Repeat("0123456789\n", 100_000)))
	for reads := range 3 {
		partitions, err := source(path).Open(context.Background(), connector.Environment{ChunkSize: 1000})
		if err != nil {
			t.Fatal(err)
		}
		for range reads {
			if _, err := partitions[0].Next(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		partitions[0].Close()
		if n := openFiles(t, filepath.Dir(path)); n != 0 {
			t.Errorf("%d files are open", n)
		}
	}
}

func TestCompressedFileThatChangesWhileItIsRead(t *testing.T) {
	var text strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&text, "%d %x\n", i, i*i*7919)
	}
	packed := pack("gzip", text.String())
	for _, c := range []struct {
		name   string
		change func(path string) error
		wrong  string // empty: it can be read to the end
	}{
		{"grows", func(p string) error { return os.WriteFile(p, []byte(packed+packed), 0o666) }, ""},
		{"shrinks", func(p string) error { return os.Truncate(p, 200_000) }, fmt.Sprintf("shrank from %d to 200000 bytes", len(packed))},
		{"is replaced", func(p string) error { os.WriteFile(p+".new", []byte(packed), 0o666); return os.Rename(p+".new", p) }, "was replaced while it was read"},
		{"vanishes", os.Remove, "does not exist"},
	} {
		path := writeFile(t, "in.gz", packed)
		p := &filePartition{path: path, compression: "auto", chunk: 4096, maxLine: 100, open: testHandles(1)}
		first, err := p.Next(context.Background())
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
		} else if want := text.Len() - int(first.End); err != nil || len(rest) != want {
			t.Errorf("a file that %s: %d bytes, %v; want %d", c.name, len(rest), err, want)
		}
	}
}

// chained reads a partition and gives each line as file:line:text.
func chained(p connector.Partition) (string, error) {
	var all strings.Builder
	line := 0
	for index := int64(0); ; index++ {
		c, err := p.Next(context.Background())
		if err == io.EOF {
			return all.String(), p.Close()
		}
		if err != nil {
			return all.String(), err
		}
		lines, err := p.Load(context.Background(), c, nil)
		if err != nil || c.Index != index {
			return all.String(), fmt.Errorf("chunk %d: %v", c.Index, err)
		}
		if c.Offset == 0 {
			line = 0
		}
		for text := range strings.Lines(string(lines)) {
			line++
			fmt.Fprintf(&all, "%s:%d:%s\n", filepath.Base(c.File), line, bareLine(text))
		}
	}
}

func TestFilesFollowEachOtherAsOnePartition(t *testing.T) {
	folder := t.TempDir()
	for name, data := range map[string]string{
		"log-3": "e\nf\n", "log-1": "a\nb\nc", "log-2.gz": pack("gzip", "d\n"), "log-0": "", "log-4": "\n",
	} {
		os.WriteFile(filepath.Join(folder, name), []byte(data), 0o666)
	}
	want := "log-1:1:a\nlog-1:2:b\nlog-1:3:c\nlog-2.gz:1:d\nlog-3:1:e\nlog-3:2:f\nlog-4:1:\n"
	for _, chunk := range []int64{1, 2, 3, 1000} {
		o := source(filepath.Join(folder, "*"))
		o.Partitions = "one"
		partitions, err := o.Open(context.Background(), connector.Environment{ChunkSize: chunk})
		if err != nil || len(partitions) != 1 {
			t.Fatal(len(partitions), err)
		}
		if got, err := chained(partitions[0]); err != nil || got != want {
			t.Errorf("chunks of %d: %v\n%swant\n%s", chunk, err, got, want)
		}
	}
}

// BenchmarkCompressed compares reading by two workers with nothing but unpacking.
func BenchmarkCompressed(b *testing.B) {
	var text strings.Builder
	for i := 0; text.Len() < 64<<20; i++ {
		fmt.Fprintf(&text, `{"user":%d,"site":"s%d","ts":%d,"price":%d.%02d}`+"\n", i*7919%10007, i%17, 1700000000000+i*13, i%900, i%100)
	}
	for _, compression := range []string{"gzip", "zstd"} {
		path := filepath.Join(b.TempDir(), "in")
		os.WriteFile(path, []byte(pack(compression, text.String())), 0o666)
		b.Run(compression+"/unpack", func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			for b.Loop() {
				f, err := os.Open(path)
				if err != nil {
					b.Fatal(err)
				}
				u := newUnpacker(path, compression, f)
				if n, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{u}, make([]byte, readSize)); err != nil || n != int64(text.Len()) {
					b.Fatal(n, err)
				}
				u.close()
				f.Close()
			}
		})
		b.Run(compression+"/read", func(b *testing.B) {
			b.SetBytes(int64(text.Len()))
			b.ReportAllocs()
			for b.Loop() {
				partitions, err := source(path).Open(context.Background(), connector.Environment{})
				if err != nil {
					b.Fatal(err)
				}
				if n, err := readConcurrently(partitions[0], 2); err != nil || n != int64(text.Len()) {
					b.Fatal(n, err)
				}
				partitions[0].Close()
			}
		})
	}
}
