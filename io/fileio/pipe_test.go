package fileio

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tidemark/io/connector"
)

// openOne opens the only partition of a source.
func openOne(t *testing.T, path string, env connector.Environment) connector.Partition {
	t.Helper()
	partitions, err := source(path).Open(context.Background(), env)
	if err != nil || len(partitions) != 1 {
		t.Fatalf("%d partitions, %v", len(partitions), err)
	}
	t.Cleanup(func() { partitions[0].Close() })
	return partitions[0]
}

// next reads the next chunk's lines.
func next(t *testing.T, p connector.Partition) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	c, err := p.Next(ctx)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := p.Load(ctx, c, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(lines)
}

func TestLinesComeWhenTheyAreThere(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	p := openOne(t, "-", connector.Environment{Stdin: r})
	var took []time.Duration
	for range 50 {
		time.Sleep(time.Millisecond)
		begin := time.Now()
		io.WriteString(w, "{\"a\":1}\n{\"a\":")
		if got := next(t, p); got != "{\"a\":1}\n" {
			t.Fatalf("%q", got)
		}
		took = append(took, time.Since(begin))
		io.WriteString(w, "2}\n")
		if got := next(t, p); got != "{\"a\":2}\n" {
			t.Fatalf("%q", got)
		}
	}
	if slices.Sort(took); took[len(took)/2] > 100*time.Millisecond { // single ones wait for a busy machine
		t.Errorf("lines took %v", took)
	}
}

func TestReaderWaitsForTheEngine(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	p := openOne(t, "-", connector.Environment{Stdin: r, ChunkSize: 4096})
	written := make(chan int, 1000)
	go func() {
		line := []byte(strings.Repeat("x", 1023) + "\n")
		for n := 1; ; n++ {
			if _, err := w.Write(line); err != nil {
				close(written)
				return
			}
			written <- n
		}
	}()
	lines := len(next(t, p))
	time.Sleep(50 * time.Millisecond)
	if n := len(written); n > (lines+4096+1024)/1024+1 {
		t.Errorf("%d KiB were read ahead", n)
	}
	p.Close()
	for range written {
		continue
	}
}

func TestCancelEndsABlockedRead(t *testing.T) {
	named := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(named, 0o666); err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, c := range []struct {
		name, path string
		env        connector.Environment
	}{
		{"standard input", "-", connector.Environment{Stdin: r}},
		{"a named pipe without writer", named, connector.Environment{}},
	} {
		p := openOne(t, c.path, c.env)
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		begin := time.Now()
		_, err := p.Next(ctx)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", c.name, err)
		}
		p.Close()
		if took := time.Since(begin); took > 2*time.Second {
			t.Errorf("%s: cancelling took %v", c.name, took)
		}
		if _, err := p.Next(context.Background()); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s: after Close: %v", c.name, err)
		}
	}
}

func TestCloseMakesNextReturn(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	p := openOne(t, "-", connector.Environment{Stdin: r})
	time.AfterFunc(20*time.Millisecond, func() { p.Close() })
	if _, err := p.Next(context.Background()); !errors.Is(err, os.ErrClosed) {
		t.Errorf("%v", err)
	}
}

func TestNamedPipe(t *testing.T) {
	named := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(named, 0o666); err != nil {
		t.Fatal(err)
	}
	go os.WriteFile(named, []byte("a\nb\nc"), 0o666)
	got, err := readSource(source(named), connector.Environment{})
	if err != nil || got[named] != "a\nb\nc" {
		t.Errorf("%q, %v", got[named], err)
	}
}

func TestReadErrorComesAfterTheLines(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("a\nb"), failing{})
	got, err := readSource(source("-"), connector.Environment{Stdin: broken})
	wantError(t, err, "standard input can't be read: input/output error")
	if got["-"] != "" {
		t.Errorf("%q", got)
	}
	p := openOne(t, "-", connector.Environment{Stdin: io.MultiReader(strings.NewReader("a\nb"), failing{})})
	if lines := next(t, p); lines != "a\n" {
		t.Errorf("%q", lines)
	}
	_, err = p.Next(context.Background())
	wantError(t, err, "input/output error")
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, syscall.EIO }
