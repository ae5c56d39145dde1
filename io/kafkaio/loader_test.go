package kafkaio

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/recordbatch"
	"tidemark/stream"
)

// records are written by TestFacts; a nil value is a tombstone.
var records = []struct {
	timestamp  int64
	key, value []byte
	headers    []recordbatch.Header
}{
	{midnight, []byte("a"), []byte("{\"x\":\n1}"), []recordbatch.Header{{Name: "h", Value: []byte("1")}, {Name: "g"}, {Name: "h", Value: []byte("2")}}},
	{-1, nil, []byte(""), nil},
	{midnight + 5, []byte(""), nil, []recordbatch.Header{{Name: "h"}}},
	{midnight + 6, []byte("b"), []byte("4"), []recordbatch.Header{{Name: "", Value: []byte{}}}},
}

func TestFacts(t *testing.T) {
	for _, codec := range []recordbatch.Compression{recordbatch.None, recordbatch.LZ4} {
		cluster := kafkatest.Cluster(t, kfake.SeedTopics(4, "orders"))
		var b recordbatch.Builder
		for _, r := range records {
			b.Append(r.timestamp, r.key, r.value, r.headers)
		}
		kafkatest.WriteBatch(t, kafkatest.Client(t, cluster), "orders", 3, b.Build(nil, codec))
		facts := []string{"topic", "partition", "offset", "key", "timestamp", "timestamp_type", "headers", "headers.h", "headers.g"}
		for keep, want := range map[string][]string{
			"skip": {`{"x":` + "\n1}||4|", "orders orders orders", "3 3 3", "0 1 3", "a <nil> b", "2024-01-01T00:00:00Z <nil> 2024-01-01T00:00:00.006Z",
				"CreateTime CreateTime CreateTime", `{"g":null,"h":"2"} {} {"":""}`, "2 <nil> <nil>", "<nil> <nil> <nil>", "1"},
			"keep": {`{"x":` + "\n1}||{}|4|", "orders orders orders orders", "3 3 3 3", "0 1 2 3", "a <nil>  b",
				"2024-01-01T00:00:00Z <nil> 2024-01-01T00:00:00.005Z 2024-01-01T00:00:00.006Z", "CreateTime CreateTime CreateTime CreateTime",
				`{"g":null,"h":"2"} {} {"h":null} {"":""}`, "2 <nil> <nil> <nil>", "<nil> <nil> <nil> <nil>", "0"},
		} {
			r, _, err := open(t, source(cluster, func(o *SourceOptions) { o.Tombstones = keep }), facts...)
			if err != nil {
				t.Fatal(err)
			}
			p, l := r.Partitions()[3], r.Loader()
			for range 2 { // of the second reading the loader was used before
				c, err := p.Next(kafkatest.Context(t))
				if err != nil {
					t.Fatal(err)
				}
				data, values, err := l.Load(p, c)
				if err != nil || c.Fetch == nil {
					t.Fatal(err)
				}
				got := []string{""}
				for _, v := range values {
					got[0] += string(data[v.Start:v.End]) + "|"
				}
				var column stream.Column
				for _, name := range facts {
					l.Fact(name, len(values), &column)
					got = append(got, show(&column))
				}
				if got = append(got, fmt.Sprint(l.Skipped())); !reflect.DeepEqual(got, want) {
					t.Errorf("%s\n%q, want\n%q", keep, got, want)
				}
				if l.Place(1) != "orders/3 offset 1" {
					t.Error(l.Place(1))
				}
				meta := fmt.Sprint(l.Meta(0), l.Meta(1))
				if meta != "map[headers:map[g:<nil> h:2] key:a offset:0 partition:3 timestamp:2024-01-01 00:00:00 +0000 UTC timestamp_type:CreateTime topic:orders] "+
					"map[headers:map[] key:<nil> offset:1 partition:3 timestamp:<nil> timestamp_type:CreateTime topic:orders]" {
					t.Error(meta)
				}
				l.Release()
				p.Close()
				r, _, _ = open(t, source(cluster, func(o *SourceOptions) { o.Tombstones = keep }), facts...)
				p = r.Partitions()[3]
			}
		}
	}
}

// show gives the values of a column as text.
func show(c *stream.Column) string {
	var texts []string
	for i := range c.Len() {
		switch v := c.Value(i).(type) {
		case time.Time:
			texts = append(texts, stream.Time(v.UnixMilli()).String())
		case map[string]any:
			text, _ := json.Marshal(v)
			texts = append(texts, string(text))
		default:
			texts = append(texts, fmt.Sprint(v))
		}
	}
	return strings.Join(texts, " ")
}

// TestAppendTime: timestamps that the broker set, in some of the records.
func TestAppendTime(t *testing.T) {
	l := newLoader(newSource(), nil)
	l.columns.Add(&recordbatch.Record{Value: []byte("1"), Timestamp: 1})
	l.columns.Add(&recordbatch.Record{Value: []byte("2"), Timestamp: 2, TimestampType: recordbatch.LogAppendTime})
	var column stream.Column
	if l.Fact("timestamp_type", 2, &column); show(&column) != "CreateTime LogAppendTime" {
		t.Error(show(&column))
	}
}

// TestCorrupt: a damaged batch ends the run, and is named.
func TestCorrupt(t *testing.T) {
	var b recordbatch.Builder
	b.Append(1, nil, []byte("one"), nil)
	good := append([]byte{}, b.Build(nil, recordbatch.None)...)
	damaged := append([]byte{}, good...)
	damaged[len(damaged)-3] ^= 1
	old := append([]byte{}, good...)
	old[16] = 1
	r := &recordReader{options: newSource()}
	p := &partition{TopicPartition: client.TopicPartition{Topic: "orders", Partition: 3}, reader: r, stop: 1 << 60}
	for want, set := range map[string][]byte{
		"orders/3: the record batch at offset 0 is corrupt: its checksum is wrong; to go on without it, begin behind it": damaged,
		"orders/3: the records at offset 0 are in the old message format v1":                                             old,
	} {
		c := p.chunk(&consume.Fetched{FetchAnswer: client.FetchAnswer{Set: set}, Next: 1})
		_, _, err := r.Loader().Load(p, c)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := p.recover(t.Context(), &recordbatch.CorruptError{Offset: 7, Reason: "it is odd"}); !strings.HasPrefix(err.Error(), "orders/3: the record batch at offset 7") {
		t.Error(err)
	}
	if err := p.recover(t.Context(), io.ErrUnexpectedEOF); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// TestFactsOffered: every fact that is offered can be asked for, and no row of it costs an allocation but for headers.
func TestFactsOffered(t *testing.T) {
	o := newSource()
	if _, ok := any(o).(connector.RecordSource); !ok || o.TimeFact() != "timestamp" {
		t.Error("it is no source of records")
	}
	l := newLoader(o, []string{"headers.h"})
	l.partition = &partition{TopicPartition: orders}
	var column stream.Column
	record := &recordbatch.Record{Key: []byte("k"), Value: []byte("1"), Timestamp: -1}
	load := func() {
		l.columns.Reset()
		for range 100 {
			l.columns.Add(record)
		}
		for _, name := range o.Facts() {
			if strings.HasSuffix(name, ".") {
				name = "headers.h"
			}
			if l.Fact(name, 100, &column); column.Len() != 100 {
				t.Errorf("%s has %d rows", name, column.Len())
			}
		}
	}
	load()
	if n := testing.AllocsPerRun(20, load); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
