package fileio

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"pgregory.net/rapid"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

// anyCSV draws text of what matters to its records.
func anyCSV(t *rapid.T) string {
	words := []string{"a", "bc,", ",", ",\"", "\"", "\"\"", "\n", "\n", "\r\n", "\"\n", ",\"x\ny\"\n", strings.Repeat("long ", 9)}
	text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 60).Draw(t, "words"), "")
	if rapid.Bool().Draw(t, "mark") {
		return string(byteOrderMark) + text
	}
	return text
}

// readRecords reads a partition of CSV to its end and gives each record with its line, whether it is good, and its
// text unless that is too long.
func readRecords(p connector.Partition, f *codec.CSVFormat, size int) (rows []string, err error) {
	s := codec.NewCSVScanner([]codec.Column{{Path: stream.Path{"a"}}}, *f)
	var b stream.Batch
	var buf []byte
	line, end, index := 0, int64(0), int64(0)
	for {
		c, err := p.Next(context.Background())
		if err == io.EOF {
			if end != int64(size) && end != 0 {
				return rows, fmt.Errorf("chunks stand for %d bytes of %d", end, size)
			}
			return rows, p.Close()
		}
		if err != nil {
			return rows, err
		}
		if c.Offset != end || c.Index != index {
			return rows, fmt.Errorf("chunk %d begins at %d, wants %d at %d", c.Index, c.Offset, index, end)
		}
		end, index = c.End, index+1
		if buf, err = p.Load(context.Background(), c, buf); err != nil {
			return rows, err
		}
		if err := checkPadding(buf); err != nil {
			return rows, err
		}
		if err := s.SetHead(c.Head, c.Offset == 0); err != nil {
			return append(rows, err.Error()), p.Close()
		}
		s.Scan(buf, &b)
		for row := range b.N {
			bad := slices.ContainsFunc(s.Bad(), func(b codec.Bad) bool { return int(b.Row) == row })
			text := "too long"
			if raw := s.Line(row); len(raw) <= f.MaxRecord {
				text = string(raw)
			}
			rows = append(rows, fmt.Sprintf("%d %t %q", line+s.LineNumber(row), bad, text))
		}
		line += s.Lines()
	}
}

// However a file, a compressed file or a pipe of CSV is cut into chunks, the same records come of it.
func TestAnyChunkSizeGivesTheSameRecords(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		text := anyCSV(t)
		path := filepath.Join(folder, "in.csv")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		f := &codec.CSVFormat{Delimiter: ',', Header: rapid.Bool().Draw(t, "header"), MaxRecord: rapid.SampledFrom([]int{7, 60, 1 << 20}).Draw(t, "limit")}
		if !f.Header {
			f.Names = []string{"a", "b"}
		}
		read := func(chunk int64) []string {
			o := source(path)
			o.MaxLine = int64(f.MaxRecord)
			partitions, err := o.Open(context.Background(), connector.Environment{ChunkSize: chunk, CSV: f})
			if err != nil {
				t.Fatal(err)
			}
			rows, err := readRecords(partitions[0], f, len(text))
			if err != nil {
				t.Fatal(err)
			}
			return rows
		}
		want := read(1 << 20)
		if got := read(rapid.Int64Range(1, 100).Draw(t, "chunk")); !slices.Equal(got, want) {
			t.Fatalf("of small chunks\n%q\nwants\n%q", got, want)
		}
		if err := os.WriteFile(path, []byte(pack("gzip", text[:len(text)/2], text[len(text)/2:])), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := read(rapid.Int64Range(1, 100).Draw(t, "packed")); !slices.Equal(got, want) {
			t.Fatalf("of small compressed chunks\n%q\nwants\n%q", got, want)
		}
		p := newPipe("-", rapid.Int64Range(1, 100).Draw(t, "backlog"), int64(f.MaxRecord), f)
		// Drawn beforehand: a pipe whose reader gave up may go on reading for a moment.
		sizes, n := rapid.SliceOfN(rapid.IntRange(3, 40), 1, 30).Draw(t, "pieces"), 0
		p.input = &plainInput{Reader: &pieces{text: text, next: func() int { n++; return sizes[n%len(sizes)] }}}
		got, err := readRecords(p, f, len(text))
		if err != nil || !slices.Equal(got, want) {
			t.Fatalf("of a pipe\n%q, %v\nwants\n%q", got, err, want)
		}
	})
}

// A chunk of a file is given before the next is read, and its buffers are used again.
func TestRecordFileReusesBuffers(t *testing.T) {
	f := &codec.CSVFormat{Delimiter: ',', Names: []string{"a", "b"}, MaxRecord: 1 << 20}
	path := writeFile(t, "in.csv", strings.Repeat("1234567,\"x\ny\"\n", 200_000))
	partitions, err := source(path).Open(context.Background(), connector.Environment{ChunkSize: 128 << 10, CSV: f})
	if err != nil {
		t.Fatal(err)
	}
	p := partitions[0]
	defer p.Close()
	var buf []byte
	step := func() {
		c, err := p.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if c.Live {
			t.Error("a file is no live input")
		}
		if buf, err = p.Load(context.Background(), c, buf); err != nil {
			t.Fatal(err)
		}
	}
	step()
	step()
	step()
	if n := testing.AllocsPerRun(10, step); n > 0 {
		t.Errorf("%v allocations a chunk", n)
	}
}

func TestRecordFileThatChanges(t *testing.T) {
	f := &codec.CSVFormat{Delimiter: ',', Names: []string{"a", "b"}}
	path := writeFile(t, "in.csv", strings.Repeat("1,2\n", 1000))
	partitions, err := source(path).Open(context.Background(), connector.Environment{ChunkSize: 64, CSV: f})
	if err != nil {
		t.Fatal(err)
	}
	p := partitions[0]
	defer p.Close()
	if _, err := p.Next(context.Background()); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := p.Next(ended); err != context.Canceled {
		t.Errorf("after the end of the context: %v", err)
	}
	if err := os.Truncate(path, 10); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Next(context.Background()); err == nil || !strings.Contains(err.Error(), "shrank from 4000 to 10 bytes") {
		t.Errorf("%v", err)
	}
}

// Parts of CSV hold whole records, and each begins with the header.
func TestPartsOfRecords(t *testing.T) {
	records := []string{"1,\"x\ny\"\n", "2,z\n", "3,\"say \"\"hi\"\"\n\"\n", "4,\"\n", "5\"\n", "6,7\n"}
	records = slices.Concat(records[:3], []string{records[3] + records[4]}, records[5:])
	rapid.Check(t, func(r *rapid.T) {
		folder := t.TempDir()
		o := sink(filepath.Join(folder, "out.csv"))
		o.Roll = &Roll{Rows: 2}
		cuts := append([]int{0}, append(rapid.SliceOfN(rapid.IntRange(0, len(records)), 0, 3).Draw(r, "cuts"), len(records))...)
		slices.Sort(cuts)
		var pieces []string
		for i, from := range cuts[:len(cuts)-1] {
			pieces = append(pieces, strings.Join(records[from:cuts[i+1]], ""))
		}
		if err := writePieces(o, connector.Environment{Format: "csv", Header: []byte("a,b\n")}, pieces...); err != nil {
			r.Fatal(err)
		}
		for i, want := range []string{strings.Join(records[:2], ""), strings.Join(records[2:4], ""), records[4]} {
			got, err := os.ReadFile(filepath.Join(folder, fmt.Sprintf("out-%05d.csv", i+1)))
			if err != nil || string(got) != "a,b\n"+want {
				r.Fatalf("part %d: %q, %v", i+1, got, err)
			}
		}
	})
}

// A file begins with the header too, compressed or not, be there rows or none.
func TestHeaderOfAFile(t *testing.T) {
	for _, compression := range []string{"none", "gzip"} {
		for _, rows := range []string{"", "1,2\n"} {
			path := filepath.Join(t.TempDir(), "out.csv")
			o := sink(path)
			o.Compression = compression
			if err := writePieces(o, connector.Environment{Format: "csv", Header: []byte("a,b\n")}, rows); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if compression == "gzip" {
				r, wrong := gzip.NewReader(bytes.NewReader(got))
				if wrong != nil {
					t.Fatal(wrong)
				}
				got, err = io.ReadAll(r)
			}
			if err != nil || string(got) != "a,b\n"+rows {
				t.Errorf("%s: %q, %v", compression, got, err)
			}
		}
	}
}

// Blank lines before the header, be they more than a backlog holds, do not stop a pipe.
func TestPipeWithBlankLinesBeforeTheHeader(t *testing.T) {
	f := &codec.CSVFormat{Delimiter: ',', Header: true}
	text := strings.Repeat("\n", 1000) + "a,b\n1,2\n"
	p := newPipe("-", 10, 1<<20, f)
	p.input = &plainInput{Reader: &pieces{text: text, next: func() int { return 7 }}}
	rows, err := readRecords(p, f, len(text))
	if err != nil || len(rows) != 1 || !strings.HasPrefix(rows[0], "1001 false") {
		t.Errorf("%q, %v", rows, err)
	}
}
