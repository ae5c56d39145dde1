package fileio

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"tidemark/io/connector"
)

// text is a file and the lines that it should give.
type text struct {
	bytes string
	lines []string // with their newlines
}

// anyText draws a file: lines of all lengths, either kind of newline, with or without a byte order mark and a
// last newline.
func anyText(t *rapid.T, longest int) text {
	var x text
	n := rapid.IntRange(0, 30).Draw(t, "lines")
	length := rapid.OneOf(rapid.IntRange(0, 9), rapid.IntRange(0, 200), rapid.IntRange(0, longest))
	for i := range n {
		line := strings.Repeat(string(rune('a'+i%26)), length.Draw(t, "length"))
		x.lines = append(x.lines, line+rapid.SampledFrom([]string{"\n", "\n", "\r\n"}).Draw(t, "end"))
	}
	if n > 0 && rapid.Bool().Draw(t, "no last newline") {
		last := strings.TrimRight(x.lines[n-1], "\r\n")
		if x.lines = x.lines[:n-1]; last != "" {
			x.lines = append(x.lines, last)
		}
	}
	x.bytes = strings.Join(x.lines, "")
	if rapid.Bool().Draw(t, "mark") {
		x.bytes = string(byteOrderMark) + x.bytes
	}
	return x
}

// check compares what was read with the lines. Lines over the limit may be given in part, if the part is over
// the limit too.
func (x text) check(got string, limit int) error {
	lines := slices.Collect(strings.Lines(got))
	if len(lines) != len(x.lines) {
		return fmt.Errorf("%d lines, want %d: %.200q", len(lines), len(x.lines), got)
	}
	for i, line := range lines {
		want := x.lines[i]
		bare, wantBare := bareLine(line), bareLine(want)
		whole := line == want
		part := len(wantBare) > limit && len(bare) > limit && strings.HasPrefix(wantBare, bare[:limit])
		if !whole && !part {
			return fmt.Errorf("line %d is %.100q, want %.100q", i, line, want)
		}
		if strings.HasSuffix(line, "\n") != strings.HasSuffix(want, "\n") && i < len(lines)-1 {
			return fmt.Errorf("line %d: newline lost", i)
		}
	}
	return nil
}

func bareLine(line string) string {
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
}

// loadShuffled loads all chunks of a file in any order and puts the lines together in the chunks' order, and
// checks that the line number of each chunk follows from the newlines before it.
func loadShuffled(in string, chunk, limit int64, seed uint64) (string, error) {
	size := int64(len(in))
	n := int((size + chunk - 1) / chunk)
	loaded := make([]string, n)
	buf := []byte("left over from before")
	for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(n) {
		l := loader{in: strings.NewReader(in), size: size, maxLine: limit, buf: buf[:0]}
		if err := l.load(int64(i)*chunk, min(int64(i+1)*chunk, size)); err != nil {
			return "", err
		}
		buf = connector.Pad(l.buf)
		if err := checkPadding(buf); err != nil {
			return "", err
		}
		loaded[i] = string(buf)
	}
	for i, lines := range loaded {
		if lines != "" && !strings.HasSuffix(lines, "\n") && i < n-1 && strings.Join(loaded[i+1:], "") != "" {
			return "", fmt.Errorf("chunk %d ends in the middle of a line", i)
		}
	}
	return strings.Join(loaded, ""), nil
}

func checkPadding(lines []byte) error {
	if cap(lines)-len(lines) < connector.Padding {
		return fmt.Errorf("%d bytes of padding", cap(lines)-len(lines))
	}
	pad := lines[len(lines) : len(lines)+connector.Padding]
	if pad[0] != '\n' || bytes.Count(pad[1:], []byte{0}) != connector.Padding-1 {
		return fmt.Errorf("padding is %q", pad)
	}
	return nil
}

func TestAnyChunkSizeGivesTheSameLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]int{3, 100, 5000, 1 << 20}).Draw(t, "limit")
		x := anyText(t, 20000)
		chunk := rapid.OneOf(rapid.Int64Range(1, 64), rapid.SampledFrom([]int64{1 << 10, 4 << 10, 64 << 10, 1 << 20})).Draw(t, "chunk")
		got, err := loadShuffled(x.bytes, chunk, int64(limit), uint64(chunk))
		if err == nil {
			err = x.check(got, limit)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestAnyReadsOfAPipeGiveTheSameLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]int{3, 100, 5000, 1 << 20}).Draw(t, "limit")
		x := anyText(t, 20000)
		p := newPipe("-", rapid.Int64Range(1, 10000).Draw(t, "chunk"), int64(limit), nil)
		p.input = &plainInput{Reader: &pieces{text: x.bytes, next: func() int {
			return rapid.SampledFrom([]int{1, 7, 300, 4096, 1 << 20}).Draw(t, "piece")
		}}}
		got, length, err := readPipe(p)
		if err == nil {
			err = x.check(got, limit)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got != "" && length != int64(len(x.bytes)) {
			t.Fatalf("chunks stand for %d bytes of %d", length, len(x.bytes))
		}
	})
}

// pieces is a reader that gives no more at once than next says.
type pieces struct {
	text string
	next func() int
}

func (p *pieces) Read(buf []byte) (int, error) {
	if p.text == "" {
		return 0, io.EOF
	}
	n := copy(buf[:min(p.next(), len(buf))], p.text)
	p.text = p.text[n:]
	return n, nil
}

// readPipe gives the lines of a pipe and the end of its last chunk.
func readPipe(p *pipe) (got string, end int64, err error) {
	defer p.Close()
	var buf []byte
	for index := int64(0); ; index++ {
		c, err := p.Next(context.Background())
		if err == io.EOF {
			return got, end, nil
		}
		if err != nil {
			return got, end, err
		}
		if c.Index != index || c.Offset != end {
			return got, end, fmt.Errorf("chunk %d begins at %d, want chunk %d at %d", c.Index, c.Offset, index, end)
		}
		end = c.End
		if buf, err = p.Load(context.Background(), c, buf); err != nil {
			return got, end, err
		}
		if err := checkPadding(buf); err != nil {
			return got, end, err
		}
		got += string(buf)
	}
}

// counted counts the bytes read.
type counted struct {
	io.ReaderAt
	mu   sync.Mutex
	read int64
}

func (c *counted) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	c.mu.Lock()
	c.read += int64(n)
	c.mu.Unlock()
	return n, err
}

func TestLongLineCostsLinearTime(t *testing.T) {
	const size, chunk = 64 << 20, 512 << 10
	in := append(bytes.Repeat([]byte{'x'}, size-3), "\ny\n"...)
	for _, limit := range []int64{1 << 20, 64 << 20} {
		c := &counted{ReaderAt: bytes.NewReader(in)}
		var got, longest int
		var buf []byte
		for at := int64(0); at < size; at += chunk {
			l := loader{in: c, size: size, maxLine: limit, buf: buf[:0]}
			if err := l.load(at, min(at+chunk, size)); err != nil {
				t.Fatal(err)
			}
			buf = l.buf
			got += bytes.Count(buf, []byte{'\n'})
			longest = max(longest, len(buf))
		}
		if got != 2 {
			t.Errorf("limit %d: %d newlines, want 2", limit, got)
		}
		if longest > int(limit)+chunk {
			t.Errorf("limit %d: %d bytes were held at once", limit, longest)
		}
		if c.read > 2*size+size/50 {
			t.Errorf("limit %d: %d bytes read of a file of %d", limit, c.read, size)
		}
	}
}
