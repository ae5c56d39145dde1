package fileio

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"tidemark/io/connector"
)

// bigFile writes a file of lines of 190 bytes.
func bigFile(b *testing.B, size int) string {
	path := filepath.Join(b.TempDir(), "big.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	line := append(bytes.Repeat([]byte{'x'}, 189), '\n')
	block := bytes.Repeat(line, 5000)
	for n := 0; n < size; n += len(block) {
		if _, err := f.Write(block); err != nil {
			b.Fatal(err)
		}
	}
	return path
}

// readConcurrently claims and loads chunks by several workers and gives the number of bytes of the lines.
func readConcurrently(p connector.Partition, workers int) (int64, error) {
	var mu sync.Mutex
	var total int64
	var failed error
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			buf := make([]byte, 0, connector.DefaultChunkSize+16<<10)
			for {
				mu.Lock()
				c, err := p.Next(context.Background())
				mu.Unlock()
				if err == nil {
					buf, err = p.Load(context.Background(), c, buf)
				}
				mu.Lock()
				if err == nil {
					total += int64(len(buf))
				} else if err != io.EOF {
					failed = err
				}
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	group.Wait()
	return total, failed
}

func BenchmarkFile(b *testing.B) {
	const size = 200 << 20
	path := bigFile(b, size)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				partitions, err := source(path).Open(context.Background(), connector.Environment{})
				if err != nil {
					b.Fatal(err)
				}
				if n, err := readConcurrently(partitions[0], workers); err != nil || n < size {
					b.Fatal(n, err)
				}
				partitions[0].Close()
			}
		})
	}
}

func BenchmarkPipe(b *testing.B) {
	const size = 64 << 20
	line := append(bytes.Repeat([]byte{'x'}, 189), '\n')
	block := bytes.Repeat(line, 300)
	b.SetBytes(size)
	for b.Loop() {
		r, w, err := os.Pipe()
		if err != nil {
			b.Fatal(err)
		}
		go func() {
			defer w.Close()
			for n := 0; n < size; n += len(block) {
				w.Write(block)
			}
		}()
		partitions, err := source("-").Open(context.Background(), connector.Environment{Stdin: r})
		if err != nil {
			b.Fatal(err)
		}
		if n, err := readConcurrently(partitions[0], 1); err != nil || n < size {
			b.Fatal(n, err)
		}
		partitions[0].Close()
	}
}

func BenchmarkSink(b *testing.B) {
	line := append(bytes.Repeat([]byte{'x'}, 99), '\n')
	out, err := sink(filepath.Join(b.TempDir(), "out")).Open(context.Background(), connector.Environment{})
	if err != nil {
		b.Fatal(err)
	}
	defer out.Abort()
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := out.(connector.ByteSink).Write(line); err != nil {
			b.Fatal(err)
		}
	}
}
