package fileio

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"tidemark/io/connector"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("WRITE_FOREVER"); path != "" {
		writeForever(path)
	}
	goleak.VerifyTestMain(m)
}

// writeFile writes a file into the test's folder and gives its path.
func writeFile(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// source gives the options of a file source with their defaults.
func source(paths ...string) *SourceOptions {
	k, _ := connector.Lookup(connector.SourceRole, "file")
	o := k.New().(*SourceOptions)
	o.Path = paths
	return o
}

// sink gives the options of a file sink with their defaults.
func sink(path string) *SinkOptions {
	k, _ := connector.Lookup(connector.SinkRole, "file")
	o := k.New().(*SinkOptions)
	o.Path = path
	return o
}

// readAll gives all lines of a partition, chunk after chunk.
func readAll(p connector.Partition) (string, error) {
	var all strings.Builder
	var buf []byte
	ctx := context.Background()
	for {
		c, err := p.Next(ctx)
		if err == io.EOF {
			return all.String(), p.Close()
		}
		if err != nil {
			return all.String(), err
		}
		if buf, err = p.Load(ctx, c, buf); err != nil {
			return all.String(), err
		}
		all.Write(buf)
	}
}

// readSource opens a source and gives each partition's name and lines.
func readSource(o *SourceOptions, env connector.Environment) (map[string]string, error) {
	partitions, err := o.Open(context.Background(), env)
	if err != nil {
		return nil, err
	}
	got := map[string]string{}
	for _, p := range partitions {
		text, err := readAll(p)
		p.Close()
		if err != nil {
			return got, err
		}
		got[p.Name()] = text
	}
	return got, nil
}

// wantError checks that an error is one line that has all the words.
func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error; want one with %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q lacks %q", err, w)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("error %q has more than one line", err)
	}
}
