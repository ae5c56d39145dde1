package parquetio

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"context"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

// errEnough ends a mangled file that claims more rows than a test wants to see.
var errEnough = errors.New("enough")

// readMangled reads all columns and the record of a file.
func readMangled(path string) error {
	ctx := context.Background()
	o := &SourceOptions{Path: []string{path}}
	fields, err := o.Fields(ctx, connector.Environment{})
	if err != nil {
		return err
	}
	columns := []codec.Column{{}}
	for _, f := range fields[:min(len(fields), 20)] {
		columns = append(columns, codec.Column{Path: stream.Path{f.Name}}, codec.Column{Path: stream.Path{f.Name, "name"}})
	}
	partitions, err := o.OpenColumns(ctx, connector.Environment{}, columns)
	if err != nil {
		return err
	}
	p := partitions[0]
	defer p.Close()
	reader := p.Reader()
	var b stream.Batch
	for range 200 {
		c, err := p.Next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := reader.Load(ctx, p, c, &b); err != nil {
			return err
		}
		for i := range b.Columns {
			for row := range min(b.N, 100) {
				b.Columns[i].Value(row)
			}
		}
	}
	return errEnough
}

// FuzzMangled reads files that have been changed: no panic, no endless loop, no more memory than a small multiple of
// what a page may have, and errors of one line that name the file.
func FuzzMangled(f *testing.F) {
	paths, _ := filepath.Glob("testdata/*/*.parquet")
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 12_000 {
			f.Add(data)
		}
	}
	path := filepath.Join(f.TempDir(), "x.parquet")
	file := create(f, path)
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := file.WriteAt(data, 0); err != nil || file.Truncate(int64(len(data))) != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := readMangled(path)
		runtime.ReadMemStats(&after)
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 512 {
			t.Errorf("%d bytes took %d MiB", len(data), took)
		}
		checkMessage(t, err, path)
	})
}

// checkMessage wants errors of one line that begin with the file's name and do not come from a panic of ours.
func checkMessage(t *testing.T, err error, path string) {
	if err == nil || err == errEnough {
		return
	}
	if m := err.Error(); strings.Contains(m, "\n") || strings.Contains(m, "runtime error") || !strings.HasPrefix(m, path) {
		t.Errorf("%q", m)
	}
}

// create makes a file that stays open, which is much faster than to write it again and again.
func create(t testing.TB, path string) *os.File {
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// TestMangled changes each byte of some small files, one at a time.
func TestMangled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	for _, name := range []string{"09-nested", "15-fastparquet", "20-parquet-go-repeated", "04-int96-spark-style"} {
		data, err := os.ReadFile(filepath.Join(filesFolder(t), name+".parquet"))
		if err != nil {
			t.Fatal(err)
		}
		file := create(t, path)
		if _, err := file.Write(data); err != nil {
			t.Fatal(err)
		}
		for at := range data {
			for _, b := range []byte{0xff, data[at] ^ 0x40, data[at]} {
				if _, err := file.WriteAt([]byte{b}, int64(at)); err != nil {
					t.Fatal(err)
				}
				checkMessage(t, readMangled(path), path)
			}
		}
	}
}
