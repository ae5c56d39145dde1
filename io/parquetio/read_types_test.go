package parquetio

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/pierrec/lz4/v4"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

// TestTexts writes out values of types that are text to us.
func TestTexts(t *testing.T) {
	ints := func(v int64) *stream.Column { return &stream.Column{Kind: stream.Int, Ints: []int64{v}} }
	piece := func(b ...byte) *stream.Column {
		c := &stream.Column{}
		c.Reset(stream.String, 1)
		c.SetBytes(0, b)
		return c
	}
	big77 := new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil)
	for _, c := range []struct {
		col  *stream.Column
		typ  leafType
		want string
	}{
		{ints(0), leafType{means: meansDecimal, scale: 2}, "0.00"},
		{ints(-5), leafType{means: meansDecimal, scale: 2}, "-0.05"},
		{ints(-12345), leafType{means: meansDecimal, scale: 2}, "-123.45"},
		{ints(math.MinInt64), leafType{means: meansDecimal, scale: 0}, "-9223372036854775808"},
		{piece(), leafType{means: meansDecimal, scale: 1}, "0.0"},
		{piece(0xff), leafType{means: meansDecimal, scale: 0}, "-1"},
		{piece(big77.Bytes()...), leafType{means: meansDecimal, scale: 30}, "1.000000000000000000000000000000"},
		{piece(bytes.Repeat([]byte{0xff}, 20)...), leafType{means: meansDecimal, scale: 3}, "-0.001"},
		{piece(make([]byte, 2000)...), leafType{means: meansDecimal, scale: 3}, "bad: is a decimal of 2000 bytes, more than 1024"},
		{ints(0), leafType{means: meansTime, unit: unitMillis}, "00:00:00"},
		{ints(86_399_999_999_999), leafType{means: meansTime, unit: unitNanos}, "23:59:59.999999999"},
		{ints(3_600_000_100), leafType{means: meansTime, unit: unitMicros}, "01:00:00.0001"},
		{ints(86_400_000), leafType{means: meansTime, unit: unitMillis}, "24:00:00"},
		{ints(-1), leafType{means: meansTime, unit: unitMillis}, "bad: is no time of day"},
		{piece(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255), leafType{means: meansUUID}, "00010203-0405-0607-0809-0a0b0c0d0eff"},
		{piece(make([]byte, 12)...), leafType{means: meansInterval}, "PT0S"},
		{piece(14, 0, 0, 0, 3, 0, 0, 0, 0xdc, 5, 0, 0), leafType{means: meansInterval}, "P14M3DT1.5S"},
		{piece(0, 0xff), leafType{means: meansBinary}, "AP8="},
		{piece(0, 0x3c), leafType{means: meansHalf}, "1"},
		{piece(1, 0x80), leafType{means: meansHalf}, "-5.960464477539063e-08"},
		{piece(0xff, 0x7b), leafType{means: meansHalf}, "65504"},
		{piece(0, 0xfc), leafType{means: meansHalf}, "-Inf"},
		{piece(1, 0x7c), leafType{means: meansHalf}, "NaN"},
		{ints(-1), leafType{means: meansUnsigned}, "18446744073709551615"},
		{ints(-1), leafType{means: meansInstant, unit: unitNanos}, "1969-12-31 23:59:59.999999999 +0000 UTC"},
		{ints(-1000), leafType{means: meansInstant, unit: unitMicros}, "1969-12-31 23:59:59.999 +0000 UTC"},
		{ints(math.MaxInt64), leafType{means: meansInstant, unit: unitMicros}, "bad: " + outside},
		{ints(-719162), leafType{means: meansDate}, "0001-01-01 00:00:00 +0000 UTC"},
		{ints(-719163), leafType{means: meansDate}, "bad: " + outside},
		{ints(2932896), leafType{means: meansDate}, "9999-12-31 00:00:00 +0000 UTC"},
	} {
		new(converter).convert(c.col, c.typ, want{})
		got := ""
		if c.col.Tag(0) == tagBad {
			got = "bad: " + c.col.Boxed[0].(string)
		} else {
			got = fmt.Sprint(c.col.Value(0))
		}
		if got != c.want {
			t.Errorf("%v: %s, want %s", c.typ, got, c.want)
		}
	}
}

// TestOldLevels reads levels of the encoding that came before run lengths.
func TestOldLevels(t *testing.T) {
	// 0 1 2 3 4 5 6 7 in three bits each, the highest first (Parquet: BIT_PACKED).
	got := make([]byte, 8)
	rest, ok := packedLevels(got, []byte{0b00000101, 0b00111001, 0b01110111, 42}, 3)
	if !ok || !reflect.DeepEqual(got, []byte{0, 1, 2, 3, 4, 5, 6, 7}) || len(rest) != 1 {
		t.Errorf("%v, %v, %v", got, rest, ok)
	}
	if _, ok := packedLevels(got, []byte{1, 2}, 3); ok {
		t.Error("two bytes were enough")
	}
}

// TestHybrid reads runs of numbers of every width.
func TestHybrid(t *testing.T) {
	for width := uint(0); width <= 32; width++ {
		encoded := []byte{5 << 1} // five times the greatest number
		for i := uint(0); i < (width+7)/8; i++ {
			encoded = append(encoded, byte((uint64(1)<<width-1)>>(8*i)))
		}
		encoded = append(encoded, 20<<1|1) // then 160 numbers, the bits of each the next byte of a row
		body := make([]byte, 20*width)
		for i := range body {
			body[i] = byte(i * 37)
		}
		encoded = append(encoded, body...)
		got := make([]int32, 160)
		if !(hybrid{encoded, width}).ints(got) {
			t.Fatalf("width %d: refused", width)
		}
		bits := new(big.Int)
		for i := len(body) - 1; i >= 0; i-- {
			bits.Lsh(bits, 8).Or(bits, big.NewInt(int64(body[i])))
		}
		mask := big.NewInt(int64(uint64(1)<<width - 1))
		for i, v := range got {
			want := int32(mask.Uint64())
			if i >= 5 {
				want = int32(new(big.Int).And(bits, mask).Uint64())
				bits.Rsh(bits, width)
			}
			if v != want {
				t.Fatalf("width %d: number %d is %d, want %d", width, i, v, want)
			}
		}
	}
}

// TestHadoopFrames unpacks LZ4 with and without the sizes that Hadoop writes.
func TestHadoopFrames(t *testing.T) {
	text := strings.Repeat("tidemark ", 50)
	block := make([]byte, 1000)
	n, err := lz4.CompressBlock([]byte(text), block, nil)
	if err != nil {
		t.Fatal(err)
	}
	block = block[:n]
	framed := append([]byte{0, 0, 1, 0xc2, 0, 0, 0, byte(n)}, block...)
	for _, src := range [][]byte{block, framed, append(framed[:len(framed):len(framed)], framed...)} {
		size := int64(len(text))
		if len(src) > len(framed) {
			size *= 2
		}
		got, err := new(unpacker).unpack(nil, src, codecLZ4, size)
		if err != nil || !strings.HasPrefix(string(got), text) || int64(len(got)) != size {
			t.Errorf("%d bytes: %q, %v", len(src), got, err)
		}
	}
	if _, err := new(unpacker).unpack(nil, block, codecLZ4Raw, 5000); err == nil {
		t.Error("a block that is too short was taken")
	}
}

// TestReadersAtOnce reads the chunks of a file with several readers at once.
func TestReadersAtOnce(t *testing.T) {
	path := filepath.Join(filesFolder(t), "08-many-row-groups.parquet")
	want := readLines(t, []codec.Column{{Path: stream.Path{"ts"}}, {Path: stream.Path{"v"}}}, path)
	ctx := context.Background()
	columns := []codec.Column{{Path: stream.Path{"v"}}, {}}
	partitions, err := (&SourceOptions{Path: []string{path}}).OpenColumns(ctx, connector.Environment{}, columns)
	if err != nil {
		t.Fatal(err)
	}
	p := partitions[0]
	defer p.Close()
	chunks := make(chan connector.Chunk, len(want))
	for {
		c, err := p.Next(ctx)
		if err == io.EOF {
			break
		}
		chunks <- c
	}
	close(chunks)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			reader, b := p.Reader(), stream.Batch{}
			for c := range chunks {
				if _, err := reader.Load(ctx, p, c, &b); err != nil {
					t.Error(err)
				}
				for row := range b.N {
					v := b.Columns[0].Ints[row]
					if line := want[int(c.Offset)+row]; !strings.HasSuffix(line, fmt.Sprintf(`"v":%d}`, v)) {
						t.Errorf("row %d: %d, want %s", int(c.Offset)+row, v, line)
					}
				}
			}
		})
	}
	all.Wait()
}

// TestPieces cuts a large row group, and one of long text into smaller pieces.
func TestPieces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	type row struct {
		N    int32  `parquet:"n"`
		Text string `parquet:"text,zstd"`
	}
	w := parquet.NewGenericWriter[row](f)
	rows := make([]row, 150_000)
	for i := range rows {
		rows[i] = row{int32(i), strings.Repeat("x", 500)}
	}
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for column, want := range map[string]int64{"n": pieceRows, "text": pieceRows / 2} {
		partitions, err := (&SourceOptions{Path: []string{path}}).OpenColumns(context.Background(), connector.Environment{},
			[]codec.Column{{Path: stream.Path{column}}})
		if err != nil {
			t.Fatal(err)
		}
		c, err := partitions[0].Next(context.Background())
		if err != nil || c.End != want {
			t.Errorf("%s: the first chunk ends at %d, want %d: %v", column, c.End, want, err)
		}
		partitions[0].Close()
	}
}
