package parquetio

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

// leafCase is a type of leaf in an encoding, with random values as they are written and as they must read.
type leafCase struct {
	name     string
	node     parquet.Node
	encoding encoding.Encoding
	draw     func(r *rand.Rand) (parquet.Value, any)
}

func drawInt32(r *rand.Rand) (parquet.Value, any) {
	v := int32(r.Uint32()) >> r.IntN(32)
	return parquet.Int32Value(v), int64(v)
}

func drawInt64(r *rand.Rand) (parquet.Value, any) {
	v := int64(r.Uint64()) >> r.IntN(64)
	return parquet.Int64Value(v), v
}

func drawFloat(r *rand.Rand) (parquet.Value, any) {
	v := float32(r.NormFloat64())
	return parquet.FloatValue(v), float64(v)
}

func drawDouble(r *rand.Rand) (parquet.Value, any) {
	v := math.Trunc(r.NormFloat64() * 10)
	return parquet.DoubleValue(v), v
}

func drawBool(r *rand.Rand) (parquet.Value, any) {
	v := r.IntN(5) == 0
	return parquet.BooleanValue(v), v
}

func drawText(r *rand.Rand) (parquet.Value, any) {
	v := fmt.Sprintf("user-%06d%s", r.IntN(50), "xxxxxxxx"[:r.IntN(8)])
	if r.IntN(10) == 0 {
		v = ""
	}
	return parquet.ByteArrayValue([]byte(v)), v
}

func drawFixed(r *rand.Rand) (parquet.Value, any) {
	v := []byte{1, 2, byte(r.IntN(3)), byte(r.IntN(256)), 0}
	return parquet.FixedLenByteArrayValue(v), base64.StdEncoding.EncodeToString(v)
}

func drawInt96(r *rand.Rand) (parquet.Value, any) {
	ms := r.Int64N(1<<40) - 1<<39
	nanos := (ms%86_400_000 + 86_400_000) % 86_400_000
	day := uint32((ms-nanos)/86_400_000 + 2_440_588)
	nanos *= 1_000_000
	return parquet.Int96Value(deprecated.Int96{uint32(nanos), uint32(nanos >> 32), day}), stream.Time(ms).Std()
}

func leafCases() []leafCase {
	all := []leafCase{}
	add := func(name string, node parquet.Node, draw func(*rand.Rand) (parquet.Value, any), encodings ...encoding.Encoding) {
		for _, e := range encodings {
			all = append(all, leafCase{name, node, e, draw})
		}
	}
	add("bool", parquet.Leaf(parquet.BooleanType), drawBool, &parquet.Plain, &parquet.RLE)
	add("int32", parquet.Leaf(parquet.Int32Type), drawInt32, &parquet.Plain, &parquet.RLEDictionary, &parquet.DeltaBinaryPacked, &parquet.ByteStreamSplit)
	add("int64", parquet.Leaf(parquet.Int64Type), drawInt64, &parquet.Plain, &parquet.RLEDictionary, &parquet.DeltaBinaryPacked, &parquet.ByteStreamSplit)
	add("float", parquet.Leaf(parquet.FloatType), drawFloat, &parquet.Plain, &parquet.RLEDictionary, &parquet.ByteStreamSplit)
	add("double", parquet.Leaf(parquet.DoubleType), drawDouble, &parquet.Plain, &parquet.RLEDictionary, &parquet.ByteStreamSplit)
	add("text", parquet.String(), drawText, &parquet.Plain, &parquet.RLEDictionary, &parquet.DeltaLengthByteArray, &parquet.DeltaByteArray)
	add("fixed", parquet.Leaf(parquet.FixedLenByteArrayType(5)), drawFixed, &parquet.Plain, &parquet.RLEDictionary, &parquet.DeltaByteArray, &parquet.ByteStreamSplit)
	add("int96", parquet.Leaf(parquet.Int96Type), drawInt96, &parquet.Plain, &parquet.RLEDictionary)
	return all
}

// TestEncodings writes every encoding of every physical type with the library, in pages of both versions and all
// codecs, with and without nulls, and reads it whole and by random pieces.
func TestEncodings(t *testing.T) {
	codecs := []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Brotli, &parquet.Zstd, &parquet.Lz4Raw}
	random := rand.New(rand.NewPCG(3, 4))
	for i, c := range leafCases() {
		for _, version := range []int{1, 2} {
			for _, nullable := range []bool{false, true} {
				compression := codecs[(i+version)%len(codecs)]
				name := fmt.Sprintf("%s %s v%d %s nullable=%v", c.name, c.encoding, version, compression, nullable)
				t.Run(name, func(t *testing.T) {
					data, want := writeLeaf(t, c, compression, version, nullable, random)
					path := filepath.Join(t.TempDir(), "x.parquet")
					if err := os.WriteFile(path, data, 0o666); err != nil {
						t.Fatal(err)
					}
					checkLeaf(t, path, want, random)
				})
			}
		}
	}
}

// writeLeaf writes some row groups of a column v.
func writeLeaf(t *testing.T, c leafCase, compression compress.Codec, version int, nullable bool, random *rand.Rand) (file []byte, want []any) {
	node := parquet.Compressed(parquet.Encoded(c.node, c.encoding), compression)
	if nullable {
		node = parquet.Optional(node)
	}
	var out bytes.Buffer
	w := parquet.NewWriter(&out, parquet.NewSchema("x", parquet.Group{"v": node}), parquet.DataPageVersion(version), parquet.PageBufferSize(1024))
	for group := range 3 {
		for range []int{700, 0, 90}[group] {
			v, expected := c.draw(random)
			level := 0
			if nullable {
				if level = 1; random.IntN(3) == 0 {
					v, expected, level = parquet.NullValue(), nil, 0
				}
			}
			want = append(want, expected)
			if _, err := w.WriteRows([]parquet.Row{{v.Level(0, level, 0)}}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), want
}

// checkLeaf reads a column whole, and by pieces in no order.
func checkLeaf(t *testing.T, path string, want []any, random *rand.Rand) {
	ctx := context.Background()
	columns := []codec.Column{{Path: stream.Path{"v"}}, {Path: nil}}
	partitions, err := (&SourceOptions{Path: []string{path}}).OpenColumns(ctx, connector.Environment{}, columns)
	if err != nil {
		t.Fatal(err)
	}
	p := partitions[0]
	defer p.Close()
	reader := p.Reader()
	var b stream.Batch
	check := func(c connector.Chunk) {
		bad, err := reader.Load(ctx, p, c, &b)
		if err != nil || len(bad) > 0 || b.N != int(c.End-c.Offset) {
			t.Fatalf("rows %d to %d: %d rows, %v, %v", c.Offset, c.End, b.N, bad, err)
		}
		for row := range b.N {
			expected := want[int(c.Offset)+row]
			got, record := b.Columns[0].Value(row), b.Columns[1].Value(row).(map[string]any)
			if !reflect.DeepEqual(got, expected) || !reflect.DeepEqual(record["v"], expected) {
				t.Fatalf("row %d: %v, in the record %v, want %v", int(c.Offset)+row, got, record["v"], expected)
			}
		}
	}
	rows := int64(0)
	for {
		c, err := p.Next(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = c.End
		check(c)
		for range 10 {
			from := c.Offset + random.Int64N(c.End-c.Offset)
			check(connector.Chunk{Offset: from, End: from + 1 + random.Int64N(c.End-from)})
		}
	}
	if rows != int64(len(want)) {
		t.Fatalf("%d rows, want %d", rows, len(want))
	}
}
