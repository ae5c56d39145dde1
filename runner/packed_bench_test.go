package runner

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	unpack "github.com/klauspost/compress/gzip"
)

// BenchmarkPackedRun compares a run over a compressed file with nothing but unpacking it: where there is a second processor
// the parsing goes on beside that.
func BenchmarkPackedRun(b *testing.B) {
	var text strings.Builder
	for i := 0; text.Len() < 64<<20; i++ {
		fmt.Fprintf(&text, `{"user":%d,"site":"s%d","ts":%d,"price":%d.%02d}`+"\n", i*7919%10007, i%17, 1700000000000+i*13, i%900, i%100)
	}
	p := newTrial(b, `
sources:
  clicks: {type: file, path: "${dir}/in.jsonl.gz", timestamp: {expr: ts, unit: ms}, watermark: 0s}
transforms:
  sums: {from: clicks, key: site, window: {tumbling: 1m}, aggregate: {n: count(), sum: sum(price)}}
sinks:
  out: {from: sums, type: discard}
`, nil)
	path := filepath.Join(p.folder, "in.jsonl.gz")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := gzip.NewWriter(f)
	io.WriteString(w, text.String())
	w.Close()
	f.Close()
	b.Run("unpack", func(b *testing.B) {
		b.SetBytes(int64(text.Len()))
		for b.Loop() {
			f, err := os.Open(path)
			if err != nil {
				b.Fatal(err)
			}
			r, err := unpack.NewReader(f)
			if err != nil {
				b.Fatal(err)
			}
			if n, err := io.Copy(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{r}); err != nil || n != int64(text.Len()) {
				b.Fatal(n, err)
			}
			f.Close()
		}
	})
	b.Run("run", func(b *testing.B) {
		b.SetBytes(int64(text.Len()))
		for b.Loop() {
			if _, _, err := p.run(context.Background(), Options{Parallelism: 2}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
