package parquetio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"tidemark/io/connector"
	"tidemark/io/internal/aside/asidetest"
	"tidemark/io/internal/roll"
	"tidemark/stream"
)

// sinkTo gives the options of a parquet sink with their defaults.
func sinkTo(path string) *SinkOptions {
	k, _ := connector.Lookup(connector.SinkRole, "parquet")
	o := k.New().(*SinkOptions)
	o.Path = path
	return o
}

func field(name string, kind stream.Kind) stream.Field {
	return stream.Field{Name: name, Type: stream.Type{Kind: kind}}
}

// files gives the names of all files below a folder, hidden ones too, sorted.
func files(t *testing.T, folder string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, strings.TrimPrefix(path, folder+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestTypesOfColumns(t *testing.T) {
	fields := []stream.Field{
		field("z", stream.Int), field("y", stream.Float), field("x", stream.Bool), field("w", stream.String), field("v", stream.Instant),
		{Name: "u", Type: stream.Type{Shape: stream.List}}, {Name: "t", Type: stream.Type{Shape: stream.Object}}, field("s", stream.Any),
		field("r", stream.Int),
	}
	o := sinkTo(filepath.Join(t.TempDir(), "out.parquet"))
	o.SetSchema([]stream.Field{field("r", stream.Int), field("s", stream.Any), {Name: "w", Type: stream.Type{Kind: stream.String, Null: true}}})
	at := time.Date(1969, 12, 31, 23, 59, 59, 999e6, time.UTC)
	b := typedBatch(fields, []any{int64(1), math.NaN(), true, "é", at, []any{int64(1), nil}, map[string]any{"a": 1.5}, "x", int64(2)})
	if err := writeBatches(o, fields, []*stream.Batch{b}); err != nil {
		t.Fatal(err)
	}
	_, rows, file := readRows(t, o.Path)
	want := strings.TrimSpace(`
message schema {
	optional int64 z (INT(64,true));
	optional double y;
	optional boolean x;
	optional binary w (STRING);
	optional int64 v (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS));
	optional binary u (JSON);
	optional binary t (JSON);
	optional binary s (JSON);
	required int64 r (INT(64,true));
}`)
	if got := file.Schema().String(); got != want {
		t.Errorf("%s", got)
	}
	if got := fmt.Sprint(rows); got != `[[1 NaN true é -1 [1,null] {"a":1.5} "x" 2]]` {
		t.Error(got)
	}
	if name, _ := file.Lookup(metadataPipeline); name != "test" || file.Metadata().CreatedBy != createdBy {
		t.Errorf("%q, %q", name, file.Metadata().CreatedBy)
	}
	if s := file.Metadata().RowGroups[0].Columns[0].MetaData.Statistics; s.MinValue == nil || s.MaxValue == nil {
		t.Errorf("no statistics: %+v", s)
	}
}

func TestValuesThatDoNotFit(t *testing.T) {
	for _, c := range []struct {
		kind     stream.Kind
		required bool
		value    any
		wrong    string
	}{
		{stream.Int, false, "abc", `column "v" is int, got string "abc"; convert it with set, or name another type in the schema`},
		{stream.Int, false, 1.5, `column "v" is int, got float 1.5`},
		{stream.Float, false, true, `column "v" is float, got bool true`},
		{stream.Bool, false, int64(1), `column "v" is bool, got int 1`},
		{stream.String, false, time.UnixMilli(0), `column "v" is string, got timestamp "1970-01-01T00:00:00Z"`},
		{stream.Instant, false, int64(5), `column "v" is timestamp, got int 5`},
		{stream.String, false, []any{strings.Repeat("x", 99)}, `column "v" is string, got list ["xxxxx`},
		{stream.String, false, map[string]any{}, `column "v" is string, got object {}`},
		{stream.Int, true, nil, `column "v" is int, got null; write v: "int|null" in the schema, or keep such rows out with where`},
		{stream.Int, false, nil, ""},
		{stream.Float, false, int64(3), ""},
		{stream.Instant, false, time.UnixMicro(-1), ""},
	} {
		fields := []stream.Field{field("v", c.kind)}
		o := sinkTo(filepath.Join(t.TempDir(), "out.parquet"))
		if c.required {
			o.SetSchema(fields)
		}
		err := writeBatches(o, fields, []*stream.Batch{typedBatch(fields, []any{c.value})})
		if c.wrong == "" && err != nil || c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)) {
			t.Errorf("%v into %v: %v", c.value, c.kind, err)
		}
		if c.wrong != "" && files(t, filepath.Dir(o.Path)) != "" {
			t.Errorf("%v into %v left something", c.value, c.kind)
		}
	}
}

func TestTextThatIsNoText(t *testing.T) {
	fields := []stream.Field{field("v", stream.String)}
	o := sinkTo(filepath.Join(t.TempDir(), "out.parquet"))
	b := typedBatch(fields, []any{"a\xc3"}, []any{"\xa9b"}, []any{"ok"}, []any{nil}, []any{"é"})
	if err := writeBatches(o, fields, []*stream.Batch{b}); err != nil {
		t.Fatal(err)
	}
	if _, rows, _ := readRows(t, o.Path); fmt.Sprint(rows) != "[[a\uFFFD] [\uFFFDb] [ok] [<nil>] [é]]" {
		t.Error(rows)
	}
}

func TestNoRows(t *testing.T) {
	fields := []stream.Field{field("day", stream.String), field("n", stream.Int)}
	for _, c := range []struct {
		set  func(o *SinkOptions)
		want string
	}{
		{func(o *SinkOptions) {}, "out.parquet"},
		{func(o *SinkOptions) { o.Roll = &roll.Limits{Rows: 5} }, "out-00001.parquet"},
		{func(o *SinkOptions) { o.PartitionBy = []string{"day"} }, ""},
	} {
		folder := t.TempDir()
		o := sinkTo(filepath.Join(folder, "out.parquet"))
		c.set(o)
		if err := writeBatches(o, fields, nil); err != nil {
			t.Fatal(err)
		}
		if got := files(t, folder); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
		if c.want == "" {
			if info, err := os.Stat(o.Path); err != nil || !info.IsDir() {
				t.Errorf("%v", err)
			}
			continue
		}
		if names, rows, _ := readRows(t, filepath.Join(folder, c.want)); len(rows) != 0 || len(names) != 2 {
			t.Errorf("%v, %v", names, rows)
		}
	}
}

func TestRowGroupsAndParts(t *testing.T) {
	fields, batches := windowRows(20_000)
	for _, c := range []struct {
		roll *roll.Limits
		want string // rows of each row group, files apart
	}{
		{nil, "[9000 9000 2000]"},
		{&roll.Limits{Rows: 10_000}, "[9000 1000] [9000 1000]"},
		{&roll.Limits{Size: 1}, "[9000] [9000] [2000]"},
		{&roll.Limits{Size: 1 << 30}, "[9000 9000 2000]"},
	} {
		folder := t.TempDir()
		o := sinkTo(filepath.Join(folder, "out.parquet"))
		o.RowGroup, o.Roll = 9000, c.roll
		if err := writeBatches(o, fields, batches); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range strings.Fields(files(t, folder)) {
			_, _, file := readRows(t, filepath.Join(folder, name))
			var groups []int64
			for _, g := range file.RowGroups() {
				groups = append(groups, g.NumRows())
			}
			got = append(got, fmt.Sprint(groups))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%+v: %s, want %s", c.roll, s, c.want)
		}
	}
}

// TestLongTexts sees to it that long texts end a row group before its rows do, wherever batches end.
func TestLongTexts(t *testing.T) {
	fields := []stream.Field{field("s", stream.String)}
	long := strings.Repeat("x", 40_000)
	var stories []string
	for _, size := range []int{100, 700} {
		var batches []*stream.Batch
		for done := 0; done < 3500; done += size {
			var rows [][]any
			for i := range min(size, 3500-done) {
				rows = append(rows, []any{fmt.Sprint(done+i) + long})
			}
			batches = append(batches, typedBatch(fields, rows...))
		}
		o := sinkTo(t.TempDir() + "/out.parquet")
		o.Compression = "none"
		if err := writeBatches(o, fields, batches); err != nil {
			t.Fatal(err)
		}
		_, _, file := readRows(t, o.Path)
		story := fmt.Sprint(file.NumRows())
		for _, g := range file.RowGroups() {
			story += fmt.Sprint(" ", g.NumRows())
		}
		stories = append(stories, story)
	}
	if stories[0] != "3500 2048 1452" || stories[1] != stories[0] {
		t.Error(stories)
	}
}

func TestFoldersOfPartitions(t *testing.T) {
	fields := []stream.Field{field("day", stream.String), field("n", stream.Int), field("hour", stream.Int)}
	folder := t.TempDir()
	o := sinkTo(folder + "/out")
	o.PartitionBy = []string{"day", "hour"}
	b := typedBatch(fields,
		[]any{"2024-01-02", int64(1), int64(7)}, []any{nil, int64(2), nil}, []any{"a/b=%", int64(3), int64(7)},
		[]any{"2024-01-02", int64(4), int64(7)}, []any{"", int64(5), nil}, []any{"2024-01-02", int64(6), "7"})
	if err := writeBatches(o, fields, []*stream.Batch{b}); err != nil {
		t.Fatal(err)
	}
	want := "out/day=2024-01-02/hour=7/part-00001.parquet out/day=__HIVE_DEFAULT_PARTITION__/hour=__HIVE_DEFAULT_PARTITION__/part-00001.parquet " +
		"out/day=a%2Fb%3D%25/hour=7/part-00001.parquet"
	if got := files(t, folder); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for i, rows := range []string{"[[1] [4] [6]]", "[[2] [5]]", "[[3]]"} {
		if _, got, _ := readRows(t, filepath.Join(folder, strings.Fields(want)[i])); fmt.Sprint(got) != rows {
			t.Errorf("%v, want %s", got, rows)
		}
	}
	if err := sinkCheck(o); err == nil || !strings.Contains(err.Error(), "part-00001.parquet exists") {
		t.Errorf("%v", err)
	}
	o.PartitionBy = []string{"other"}
	if err := sinkCheck(o); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("%v", err)
	}
}

func sinkCheck(o *SinkOptions) error { return o.Check(connector.Environment{}) }

func TestFieldsThatCanNotBe(t *testing.T) {
	a, b := field("a", stream.Int), field("b", stream.Int)
	for _, c := range []struct {
		fields    []stream.Field
		partition []string
		wrong     string
	}{
		{[]stream.Field{a, a}, nil, `two columns are called "a"`},
		{[]stream.Field{a, b}, []string{"c"}, `partition_by names "c", which is not among the columns`},
		{[]stream.Field{a, b}, []string{"b", "a"}, `no column is left for the files: partition_by takes all 2`},
	} {
		o := sinkTo(t.TempDir() + "/out")
		o.PartitionBy = c.partition
		if err := writeBatches(o, c.fields, nil); err == nil || !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%v", err)
		}
	}
}

func TestPipesAndDevices(t *testing.T) {
	fields := []stream.Field{field("n", stream.Int)}
	b := []*stream.Batch{typedBatch(fields, []any{int64(1)})}
	if err := writeBatches(sinkTo("/dev/full"), fields, b); err == nil || !strings.Contains(err.Error(), "/dev/full: the disk is full") {
		t.Errorf("%v", err)
	}
	var stdout bytes.Buffer
	out, err := sinkTo("/dev/stdout").Open(context.Background(), connector.Environment{Stdout: &stdout})
	if err != nil {
		t.Fatal(err)
	}
	sink := out.(connector.TypedSink)
	err = errors.Join(sink.SetFields(fields), sink.WriteRows(b[0], nil), sink.Commit(), sink.Abort())
	if err != nil {
		t.Fatal(err)
	}
	if f, err := parquet.OpenFile(bytes.NewReader(stdout.Bytes()), int64(stdout.Len())); err != nil || f.NumRows() != 1 {
		t.Errorf("%v", err)
	}
}

// TestReaderThatDoesNotRead aborts a run whose encoder waits for the reader of a named pipe.
func TestReaderThatDoesNotRead(t *testing.T) {
	named := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(named, 0o666); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(named, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	fields, batches := windowRows(16_384)
	o := sinkTo(named)
	o.RowGroup, o.Compression = 8192, "none"
	out, err := o.Open(context.Background(), connector.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	sink := out.(connector.TypedSink)
	if err := sink.SetFields(fields); err != nil {
		t.Fatal(err)
	}
	for _, b := range batches {
		if err := sink.WriteRows(b, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := sink.Abort(); err != nil {
		t.Error(err)
	}
}

// TestFullDiskShows sees to it that an error of the encoder comes to whoever writes.
func TestFullDiskShows(t *testing.T) {
	fields, batches := windowRows(100_000)
	o := sinkTo("/dev/full")
	o.RowGroup = 1000
	err := writeBatches(o, fields, batches)
	if err == nil || !strings.HasPrefix(err.Error(), "batch ") || !strings.Contains(err.Error(), "/dev/full: the disk is full") {
		t.Errorf("%v", err)
	}
}

func TestAbortLeavesNothing(t *testing.T) {
	fields, batches := windowRows(50_000)
	for _, set := range []func(o *SinkOptions){
		func(o *SinkOptions) {}, func(o *SinkOptions) { o.Roll = &roll.Limits{Rows: 1000} }, func(o *SinkOptions) { o.PartitionBy = []string{"n"} },
	} {
		folder := t.TempDir()
		o := sinkTo(folder + "/out.parquet")
		o.RowGroup = 1000
		set(o)
		out, err := o.open(context.Background(), connector.Environment{}, &asidetest.Recorder{})
		if err != nil {
			t.Fatal(err)
		}
		if err := out.SetFields(fields); err != nil {
			t.Fatal(err)
		}
		for _, b := range batches {
			out.WriteRows(b, nil)
		}
		if err := errors.Join(out.Abort(), out.Abort()); err != nil {
			t.Error(err)
		}
		if entries, _ := os.ReadDir(folder); len(entries) > 0 {
			t.Errorf("%v", entries)
		}
	}
}

func TestNoCrashLeavesHalfAFile(t *testing.T) {
	fields, batches := windowRows(30_000)
	for _, set := range []func(o *SinkOptions){
		func(o *SinkOptions) {}, func(o *SinkOptions) { o.Roll = &roll.Limits{Rows: 7000} }, func(o *SinkOptions) { o.PartitionBy = []string{"n"} },
	} {
		folder := t.TempDir()
		o := sinkTo(folder + "/out.parquet")
		o.RowGroup = 1000
		set(o)
		rec := &asidetest.Recorder{}
		out, err := o.open(context.Background(), connector.Environment{}, rec)
		if err != nil {
			t.Fatal(err)
		}
		if err := out.SetFields(fields); err != nil {
			t.Fatal(err)
		}
		for _, b := range batches {
			if err := out.WriteRows(b, nil); err != nil {
				t.Fatal(err)
			}
		}
		if err := out.Commit(); err != nil {
			t.Fatal(err)
		}
		whole := asidetest.CrashAfter(rec.Operations)
		for n := range len(rec.Operations) + 1 {
			w := asidetest.CrashAfter(rec.Operations[:n])
			for name, file := range w.Visible(folder) {
				if w.Synced[file] == 0 || w.Synced[file] != whole.Written[whole.Names[name]] {
					t.Errorf("after %d operations %s may hold %d bytes", n, name, w.Synced[file])
				}
			}
		}
		if len(whole.Durable) != len(strings.Fields(files(t, folder))) {
			t.Errorf("sure after Commit: %v", whole.Durable)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		set  func(o *SinkOptions)
		want string
	}{
		{func(o *SinkOptions) {}, ""},
		{func(o *SinkOptions) { o.Path = "" }, "path: path is empty"},
		{func(o *SinkOptions) { o.Path = "-" }, "path: a parquet sink can't write to -"},
		{func(o *SinkOptions) { o.Path = "out/" }, `path: "out/" names a folder`},
		{func(o *SinkOptions) { o.Path, o.PartitionBy = "out/", []string{"a", "a"} }, `partition_by: partition_by has "a" twice, or an empty name`},
		{func(o *SinkOptions) { o.Compression = "lz4" }, `compression: compression can't be "lz4"`},
		{func(o *SinkOptions) { o.RowGroup = 0 }, "row_group: row_group must be more than 0"},
		{func(o *SinkOptions) { o.Roll = &roll.Limits{Every: -1} }, "roll.every: every must be more than 0"},
	} {
		o := sinkTo("out.parquet")
		c.set(o)
		var got []string
		for _, p := range o.Validate() {
			got = append(got, p.Option+": "+p.Message)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
