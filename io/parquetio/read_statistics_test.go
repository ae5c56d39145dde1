package parquetio

import (
	"context"
	"path/filepath"
	"testing"

	"tidemark/io/connector"
	"tidemark/stream"
)

// TestStatistics gives what the footer says of whole row groups alone.
func TestStatistics(t *testing.T) {
	path := filepath.Join(filesFolder(t), "14-polars.parquet")
	ctx := context.Background()
	partitions, err := (&SourceOptions{Path: []string{path}}).OpenColumns(ctx, connector.Environment{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := partitions[0].(*partition)
	defer p.Close()
	if _, err := p.Next(ctx); err != nil {
		t.Fatal(err)
	}
	group := connector.Chunk{Offset: 4, End: 8}
	from, to, ok := p.Statistics(group, stream.Path{"ts"})
	if least, isTime := from.(stream.Time); !ok || !isTime || least.String() != "2024-03-31T00:59:59Z" || to.(stream.Time).String() != "2024-03-31T00:59:59.75Z" {
		t.Errorf("%v, %v, %v", from, to, ok)
	}
	for _, c := range []connector.Chunk{{Offset: 4, End: 7}, {Offset: 5, End: 8}} {
		if _, _, ok := p.Statistics(c, stream.Path{"ts"}); ok {
			t.Errorf("rows %d to %d are no row group", c.Offset, c.End)
		}
	}
	if _, _, ok := p.Statistics(group, stream.Path{"nothing"}); ok {
		t.Error("there is no such column")
	}
}

// TestBound decodes bounds of all types, and refuses what it cannot order as expressions do.
func TestBound(t *testing.T) {
	for _, c := range []struct {
		name string
		typ  leafType
		b    []byte
		want any
	}{
		{"int64", leafType{physical: physicalInt64, means: meansInt}, []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, int64(-2)},
		{"int32", leafType{physical: physicalInt32, means: meansInt}, []byte{0xfe, 0xff, 0xff, 0xff}, int64(-2)},
		{"unsigned", leafType{physical: physicalInt32, means: meansInt, narrow: true}, []byte{0xfe, 0xff, 0xff, 0xff}, nil},
		{"double", leafType{physical: physicalDouble, means: meansFloat}, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}, 1.0},
		{"NaN", leafType{physical: physicalDouble, means: meansFloat}, []byte{1, 0, 0, 0, 0, 0, 0xf0, 0x7f}, nil},
		{"text", leafType{physical: physicalBytes, means: meansText}, []byte("ab"), "ab"},
		{"decimal", leafType{physical: physicalInt64, means: meansDecimal}, make([]byte, 8), nil},
		{"seconds", leafType{physical: physicalInt64, means: meansInstant, unit: unitMillis}, []byte{0xe8, 3, 0, 0, 0, 0, 0, 0}, stream.Time(1000)},
		{"too late", leafType{physical: physicalInt64, means: meansInstant, unit: unitMillis}, []byte{0, 0, 0, 0, 0, 0, 0, 0x7f}, nil},
		{"short", leafType{physical: physicalInt64, means: meansInt}, []byte{1}, nil},
		{"none", leafType{physical: physicalInt64, means: meansInt}, nil, nil},
	} {
		got, ok := c.typ.bound(c.b)
		if ok != (c.want != nil) || ok && got != c.want {
			t.Errorf("%s: %v, %v, want %v", c.name, got, ok, c.want)
		}
	}
}
