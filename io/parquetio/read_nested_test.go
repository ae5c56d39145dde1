package parquetio

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/parquet-go/parquet-go"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

type nestedRow struct {
	ID    int64             `parquet:"id"`
	Who   *person           `parquet:"who,optional"`
	Tags  []string          `parquet:"tags,list"`
	Plain []int32           `parquet:"plain"`
	Items []item            `parquet:"items,list"`
	Attrs map[string]string `parquet:"attrs"`
}

type person struct {
	Name *string `parquet:"name,optional"`
	Geo  *place  `parquet:"geo,optional"`
}

type place struct {
	Lat float64 `parquet:"lat"`
}

type item struct {
	SKU  *string `parquet:"sku,optional,dict"`
	Runs []int64 `parquet:"runs,list"`
}

// drawNested gives a random row, and what it must read as.
func drawNested(r *rand.Rand, id int64) (nestedRow, map[string]any) {
	text := func() *string { s := fmt.Sprint("s", r.IntN(20)); return &s }
	row := nestedRow{ID: id}
	want := map[string]any{"id": id, "who": nil}
	if r.IntN(3) > 0 {
		row.Who = &person{}
		who := map[string]any{"name": nil, "geo": nil}
		if want["who"] = who; r.IntN(2) == 0 {
			row.Who.Name = text()
			who["name"] = *row.Who.Name
		}
		if r.IntN(2) == 0 {
			row.Who.Geo = &place{r.Float64()}
			who["geo"] = map[string]any{"lat": row.Who.Geo.Lat}
		}
	}
	tags, plain, items, attrs := []any{}, []any{}, []any{}, map[string]any{}
	for range r.IntN(4) {
		row.Tags = append(row.Tags, *text())
		tags = append(tags, row.Tags[len(row.Tags)-1])
	}
	for range r.IntN(3) {
		row.Plain = append(row.Plain, r.Int32())
		plain = append(plain, int64(row.Plain[len(row.Plain)-1]))
	}
	for range r.IntN(4) {
		it, runs := item{}, []any{}
		object := map[string]any{"sku": nil}
		if r.IntN(2) == 0 {
			it.SKU = text()
			object["sku"] = *it.SKU
		}
		for range r.IntN(5) {
			it.Runs = append(it.Runs, r.Int64N(100))
			runs = append(runs, it.Runs[len(it.Runs)-1])
		}
		object["runs"] = runs
		row.Items, items = append(row.Items, it), append(items, object)
	}
	if r.IntN(2) == 0 {
		row.Attrs = map[string]string{"k": *text()}
		attrs["k"] = row.Attrs["k"]
	}
	want["tags"], want["plain"], want["items"], want["attrs"] = tags, plain, items, attrs
	return row, want
}

// TestNested writes random nested rows in small pages and reads records, subsets and single leaves, by pieces too.
func TestNested(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, version := range []int{1, 2} {
		var out bytes.Buffer
		w := parquet.NewGenericWriter[nestedRow](&out, parquet.DataPageVersion(version), parquet.PageBufferSize(300), parquet.Compression(&parquet.Snappy))
		var want []map[string]any
		for i := range 900 {
			row, expected := drawNested(random, int64(i))
			want = append(want, expected)
			if _, err := w.Write([]nestedRow{row}); err != nil {
				t.Fatal(err)
			}
			if i == 500 {
				w.Flush()
			}
		}
		w.Close()
		path := filepath.Join(t.TempDir(), "nested.parquet")
		if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		checkNested(t, path, want, random)
	}
}

// nestedPaths are paths of the rows, and what each has in a column: a value, or a tag.
var nestedPaths = []stream.Path{nil, {"id"}, {"who"}, {"who", "name"}, {"who", "geo"}, {"who", "geo", "lat"}, {"tags"},
	{"plain"}, {"items"}, {"attrs"}, {"attrs", "k"}, {"tags", "x"}, {"id", "x", "y"}, {"none"}, {"none", "x"}, {"who", "zip"}}

func checkNested(t *testing.T, path string, want []map[string]any, random *rand.Rand) {
	ctx := context.Background()
	var columns []codec.Column
	for _, p := range nestedPaths {
		columns = append(columns, codec.Column{Path: p})
	}
	partitions, err := (&SourceOptions{Path: []string{path}}).OpenColumns(ctx, connector.Environment{}, columns)
	if err != nil {
		t.Fatal(err)
	}
	p := partitions[0]
	defer p.Close()
	reader := p.Reader()
	var b stream.Batch
	check := func(c connector.Chunk) {
		if _, err := reader.Load(ctx, p, c, &b); err != nil {
			t.Fatalf("rows %d to %d: %v", c.Offset, c.End, err)
		}
		for row := range b.N {
			for i, path := range nestedPaths {
				value, tag := follow(want[int(c.Offset)+row], path)
				col := &b.Columns[i]
				if got := col.Tag(row); got != tag && !(got == stream.TagOther && tag == stream.TagOK) {
					t.Fatalf("row %d: %v has tag %d, want %d", int(c.Offset)+row, path, got, tag)
				}
				if got := col.Value(row); tag == stream.TagOK && !reflect.DeepEqual(got, value) {
					t.Fatalf("row %d: %v is %v, want %v", int(c.Offset)+row, path, got, value)
				}
				if tag >= stream.TagParentOther && !reflect.DeepEqual(col.Boxed[row], value) {
					t.Fatalf("row %d: %v has the ancestor %v, want %v", int(c.Offset)+row, path, col.Boxed[row], value)
				}
			}
		}
	}
	for {
		c, err := p.Next(ctx)
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		check(c)
		for range 20 {
			from := c.Offset + random.Int64N(c.End-c.Offset)
			check(connector.Chunk{Offset: from, End: from + 1 + random.Int64N(c.End-from)})
		}
	}
}

// follow gives what a path leads to and its tag; where it leads through something without fields, that.
func follow(v any, path stream.Path) (any, stream.Tag) {
	for i, name := range path {
		object, is := v.(map[string]any)
		switch {
		case v == nil:
			return nil, stream.TagParentNil + stream.Tag(i-1)
		case !is:
			return v, stream.TagParentOther + stream.Tag(i-1)
		}
		var has bool
		if v, has = object[name]; !has && i < len(path)-1 {
			return nil, stream.TagParentNil + stream.Tag(i)
		} else if !has {
			return nil, stream.TagMissing
		}
	}
	if v == nil {
		return nil, stream.TagNull
	}
	return v, stream.TagOK
}
