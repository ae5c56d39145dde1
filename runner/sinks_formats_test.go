package runner

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// unpacked gives the text of a compressed file.
func unpacked(t *testing.T, compression, text string) string {
	t.Helper()
	var in io.Reader = strings.NewReader(text)
	var err error
	switch compression {
	case "gzip":
		in, err = gzip.NewReader(in)
	case "zstd":
		in, err = zstd.NewReader(in)
	}
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

// TestFormatsOfSinks writes rows in each format, compressed or not, whole or in parts: the parts one after the other are
// what standard output gets, each CSV part with a header, and read again they give the same rows.
func TestFormatsOfSinks(t *testing.T) {
	var in strings.Builder
	for i := range 150 {
		fmt.Fprintf(&in, `{"n":%d,"s":"%s"}`+"\n", i, []string{"plain", `two\nlines`, `\"q\",`, "", ` \r\n`}[i%5])
	}
	source := `in: {type: file, path: "${dir}/in.jsonl", schema: {n: int, s: string}}`
	write := func(sink string) (*trial, string) {
		p := newTrial(t, "sources: {"+source+"}\ntransforms: {all: {from: in, select: [n, s]}}\nsinks: {out: {from: all, "+sink+"}}\n", map[string]string{"in.jsonl": in.String()})
		stdout, _, err := p.run(t.Context(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return p, stdout
	}
	for format, header := range map[string]string{"json": "", "csv": "n,s\n"} {
		_, want := write("type: stdout, format: " + format)
		for compression := range packings {
			for roll, parts := range map[string]int{"": 1, ", roll: {rows: 7}": 22, ", roll: {size: 1kB}": 0} {
				p, _ := write(`type: file, path: "${dir}/out/rows.` + format + `", compression: ` + compression + ", format: " + format + roll)
				names, _ := filepath.Glob(filepath.Join(p.folder, "out", "*"))
				if parts > 0 && len(names) != parts || parts == 0 && len(names) < 2 {
					t.Errorf("%s, %s%s: %s", format, compression, roll, names)
				}
				var all bytes.Buffer
				all.WriteString(header)
				for _, name := range names {
					text := unpacked(t, compression, p.read(filepath.Join("out", filepath.Base(name))))
					body, headed := strings.CutPrefix(text, header)
					if !headed {
						t.Errorf("%s begins with %q", name, text)
					}
					all.WriteString(body)
				}
				if all.String() != want {
					t.Errorf("%s, %s%s: %q, want %q", format, compression, roll, all.String(), want)
				}
				p.text = `sources: {in: {type: file, path: "${dir}/out/*", partitions: one, format: ` + format + `, schema: {n: int, s: string}}}` + "\nsinks: {out: {from: in, type: stdout, format: " + format + "}}\n"
				if again, _, err := p.run(t.Context(), Options{ChunkSize: 64}); err != nil || again != want {
					t.Errorf("%s, %s%s, read again: %q, %v, want %q", format, compression, roll, again, err, want)
				}
			}
		}
	}
}

// TestFilesAsRead writes records of compressed and chained files on with the bytes that were read, those that were late
// too; dirty ones have them as raw.
func TestFilesAsRead(t *testing.T) {
	for format, c := range map[string]struct{ source, files, late, raw string }{
		"json": {"schema: {t: int, s: string}", "{ \"t\":9e0, \"s\":\"\\u0041\" }|{\"t\": 100000,\"s\":\"x\"}| {\"t\":7,\"x\":[1 ,2],\"s\":\"\"}|{ broken",
			"{ \"t\":9e0, \"s\":\"\\u0041\" }\n{\"t\":7,\"x\":[1 ,2],\"s\":\"\"}\n", `{ broken`},
		"csv": {"schema: {t: int, s: string}", "09,\"A\nB\"|100000,x|+7,\"\"|x,\"y\nz\"",
			"t,s\n09,\"A\nB\"\n+7,\"\"\n", "x,\"y\nz\""},
	} {
		for compression := range packings {
			header := map[string]string{"csv": "t,s\n"}[format]
			records := strings.Split(c.files, "|")
			files := map[string]string{
				"in/a": packed(compression, header+records[1]+"\n"),
				"in/b": packed(compression, header+records[0]+"\n"+records[2]+"\n"+records[3]+"\n"),
			}
			p := newTrial(t, `
sources:
  in: {type: file, path: "${dir}/in/*", partitions: one, format: `+format+`, timestamp: {expr: t, unit: ms}, watermark: 0s, `+c.source+`}
transforms:
  counts: {from: in, window: {tumbling: 1s}, aggregate: {n: count()}}
  raws: {from: in.dirty, select: {raw: raw}}
sinks:
  late: {from: counts.late, type: file, path: "${dir}/late", format: `+format+`}
  raw: {from: raws, type: shelf, name: raws}
`, files)
			out := newShelf("raws")
			if _, _, err := p.run(t.Context(), Options{ChunkSize: 8}); err != nil {
				t.Fatal(err)
			}
			if got := p.read("late"); got != c.late {
				t.Errorf("%s, %s: late %q, want %q", format, compression, got, c.late)
			}
			if want := []string{fmt.Sprintf(`{"raw":%q}`, c.raw)}; !slices.Equal(out.records, want) {
				t.Errorf("%s, %s: raw %s, want %s", format, compression, out.records, want)
			}
		}
	}
}
