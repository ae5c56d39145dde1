package kafkaio

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"tidemark/io/codec"
	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/recordbatch"
	"tidemark/stream"
)

// TestFormats reads values of each format as rows beside their offsets and headers, be they left in the broker's answer or
// unpacked first.
func TestFormats(t *testing.T) {
	csv := codec.CSVFormat{Names: []string{"a", "b"}, Delimiter: ',', Nulls: []string{""}}
	field := func(name string) codec.Column { return codec.Column{Path: stream.Path{name}} }
	type scanner interface {
		ScanValues(data []byte, values []codec.Span, b *stream.Batch)
		Bad() []codec.Bad
	}
	for format, c := range map[string]struct {
		scanner func() scanner
		values  []string
		want    string // offset, header and field, "bad" where there is none; tombstones are behind each value
	}{
		"json": {func() scanner { return codec.NewJSONScanner([]codec.Column{field("b")}, 0) },
			[]string{"{\n\"b\":1}", "", "{\"b\":2}\n{}", `{"b":"\n"}`}, `0 h0 1|2 h2 bad|4 h4 bad|6 h6 "\n"`},
		"csv": {func() scanner { return codec.NewCSVScanner([]codec.Column{field("b")}, csv) },
			[]string{"1,\"x\ny\"\n", "", "2,z\n3,z", "4,\"\"\"\""}, `0 h0 "x\ny"|2 h2 bad|4 h4 bad|6 h6 "\""`},
		"text": {func() scanner { return codec.NewTextScanner([]codec.Column{field(codec.Message)}, 0) },
			[]string{"one\n", "", "\r\n\n", "two"}, `0 h0 "one\n"|2 h2 ""|4 h4 "\r\n\n"|6 h6 "two"`},
	} {
		for _, compression := range []recordbatch.Compression{recordbatch.None, recordbatch.Zstd} {
			cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
			var b recordbatch.Builder
			for i, v := range c.values {
				b.Append(midnight, nil, []byte(v), []recordbatch.Header{{Name: "h", Value: fmt.Append(nil, "h", 2*i)}})
				b.Append(midnight, nil, nil, nil)
			}
			kafkatest.WriteBatch(t, kafkatest.Client(t, cluster), "orders", 0, b.Build(nil, compression))
			for _, tombstones := range []string{"skip", "keep"} {
				r, _, err := open(t, source(cluster, func(o *SourceOptions) { o.Tombstones = tombstones }), "offset", "headers.h")
				if err != nil {
					t.Fatal(err)
				}
				p, l := r.Partitions()[0], r.Loader()
				chunk, err := p.Next(kafkatest.Context(t))
				if err != nil {
					t.Fatal(err)
				}
				data, values, err := l.Load(p, chunk)
				if err != nil {
					t.Fatal(err)
				}
				var rows stream.Batch
				var offsets, headers stream.Column
				s := c.scanner()
				s.ScanValues(data, values, &rows)
				l.Fact("offset", rows.N, &offsets)
				l.Fact("headers.h", rows.N, &headers)
				bad := map[int32]bool{}
				for _, b := range s.Bad() {
					bad[b.Row] = true
				}
				var got []string
				for row := range rows.N {
					value := "bad"
					if v := rows.Columns[0].Value(row); !bad[int32(row)] {
						value = fmt.Sprint(v)
						if _, isText := v.(string); isText {
							value = fmt.Sprintf("%q", v)
						}
					}
					if values[row].Null {
						if rows.Columns[0].Tag(row) != stream.TagMissing {
							t.Errorf("%s: a tombstone has %s", format, value)
						}
						continue
					}
					got = append(got, fmt.Sprint(offsets.Value(row), " ", headers.Value(row), " ", value))
				}
				if strings.Join(got, "|") != c.want || tombstones == "keep" && rows.N != 2*len(c.values) {
					t.Errorf("%s, %v, tombstones: %s: %d rows\n%s, want\n%s", format, compression, tombstones, rows.N, strings.Join(got, "|"), c.want)
				}
				l.Release()
			}
		}
	}
}
