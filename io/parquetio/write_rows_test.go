package parquetio

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tidemark/io/internal/roll"
	"tidemark/stream"
)

// TestNoRowIsLost writes rows with any limits of parts and row groups, into folders or not, and reads all of them back: in
// their order, as far as they are in one folder.
func TestNoRowIsLost(t *testing.T) {
	fields := []stream.Field{field("k", stream.String), field("n", stream.Int)}
	rapid.Check(t, func(rt *rapid.T) {
		folder, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		o := sinkTo(folder + "/out")
		o.RowGroup = rapid.Int64Range(1, 50).Draw(rt, "row_group")
		if rapid.Bool().Draw(rt, "folders") {
			o.PartitionBy = []string{"k"}
		}
		o.Roll = &roll.Limits{Rows: rapid.Int64Range(1, 60).Draw(rt, "rows")}
		switch rapid.IntRange(0, 3).Draw(rt, "limit") {
		case 0:
			o.Roll = &roll.Limits{Size: rapid.Int64Range(1, 3000).Draw(rt, "size")}
		case 1:
			o.Roll = &roll.Limits{Every: 1}
		case 2:
			if o.Roll = nil; o.PartitionBy == nil {
				o.Path += ".parquet"
			}
		}
		keys := rapid.IntRange(1, 4).Draw(rt, "keys")
		var batches []*stream.Batch
		want := map[string][]int64{}
		n := int64(0)
		for range rapid.IntRange(0, 6).Draw(rt, "batches") {
			var rows [][]any
			for range rapid.IntRange(1, 120).Draw(rt, "batch") {
				key := fmt.Sprint("k", rapid.IntRange(1, keys).Draw(rt, "key"))
				rows = append(rows, []any{key, n})
				want[key] = append(want[key], n)
				n++
			}
			batches = append(batches, typedBatch(fields, rows...))
		}
		if err := writeBatches(o, fields, batches); err != nil {
			rt.Fatal(err)
		}
		got := map[string][]int64{}
		for _, name := range strings.Fields(files(t, folder)) {
			_, rows, _ := readRows(t, filepath.Join(folder, name))
			for _, row := range rows {
				key := filepath.Base(filepath.Dir(name))
				if o.PartitionBy == nil {
					key = "k=" + fmt.Sprint(row[0])
				}
				key = strings.TrimPrefix(key, "k=")
				got[key] = append(got[key], row[len(row)-1].(int64))
			}
		}
		if !reflect.DeepEqual(got, want) {
			rt.Fatalf("%+v, %d rows in a group: %v came back of %v", o.Roll, o.RowGroup, got, want)
		}
	})
}
