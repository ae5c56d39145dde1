package kafkaio

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/recordbatch"
	"tidemark/stream"
)

// output has what outputs of both deliveries can do.
type output interface {
	connector.RecordSink
	connector.Refusing
	connector.Pressured
}

var testEnvironment = connector.Environment{Pipeline: "job", Node: "out"}

// sinkTo gives the options of a sink that writes to topic out; change may be nil.
func sinkTo(cluster *kfake.Cluster, change func(*SinkOptions)) *SinkOptions {
	o := newSinkOptions()
	o.Brokers, o.Topic = cluster.ListenAddrs(), "out"
	o.patience = 300 * time.Millisecond
	if change != nil {
		change(o)
	}
	return o
}

func openSink(t testing.TB, o *SinkOptions, env connector.Environment) output {
	t.Helper()
	if found := o.Validate(); len(found) > 0 {
		t.Fatal(found)
	}
	out, err := o.Open(kafkatest.Context(t), env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Abort() })
	return out.(output)
}

// writeAll writes records with these values, each after its key and an = where it has one.
func writeAll(t testing.TB, out output, texts ...string) {
	t.Helper()
	for i, text := range texts {
		r := connector.Record{Value: []byte(text), Time: stream.Time(1000 + i)}
		if key, _, has := strings.Cut(text, "="); has {
			r.Key = []byte(key)
		}
		if err := out.WriteRecord(&r); err != nil {
			t.Fatal(err)
		}
	}
}

func commit(t testing.TB, out output) {
	t.Helper()
	if err := out.Commit(); err != nil {
		t.Fatal(err)
	}
}

// stored gives the values of all partitions of topic out, one partition after the other.
func stored(t testing.TB, cluster *kfake.Cluster, committed bool) string {
	t.Helper()
	c := kafkatest.Client(t, cluster)
	defer c.Close()
	var values []string
	for _, p := range cluster.PartitionInfos("out") {
		values = append(values, kafkatest.Read(t, c, "out", p.Partition, 0, committed)...)
	}
	return strings.Join(values, " ")
}

// recordsOf gives the records of partition 0 of topic out, as text.
func recordsOf(t testing.TB, cluster *kfake.Cluster) (texts []string) {
	t.Helper()
	c := kafkatest.Client(t, cluster)
	defer c.Close()
	a, err := c.Fetch(kafkatest.Context(t), client.FetchRequest{TopicPartition: client.TopicPartition{Topic: "out"}, MaxBytes: 1 << 20}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := func(b []byte) string {
		if b == nil {
			return "null"
		}
		return fmt.Sprintf("%q", b)
	}
	_, err = recordbatch.Walk(a.Set, 0, nil, func(r *recordbatch.Record) error {
		line := fmt.Sprintf("%d %s=%s", r.Timestamp, text(r.Key), text(r.Value))
		for _, h := range r.AppendHeaders(nil) {
			line += fmt.Sprintf(" %s:%s", h.Name, text(h.Value))
		}
		texts = append(texts, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// TestRecord: what a record has arrives, by every codec.
func TestRecord(t *testing.T) {
	for _, codec := range recordbatch.CompressionNames() {
		for _, delivery := range []string{"at_least_once", "exactly_once"} {
			cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
			env := testEnvironment
			env.Clock = func() time.Time { return time.UnixMilli(77) }
			out := openSink(t, sinkTo(cluster, func(o *SinkOptions) { o.Compression, o.Delivery = codec, delivery }), env)
			headers := []connector.Header{{Name: "h", Value: []byte("1")}, {Name: "h"}, {Name: "", Value: []byte{}}}
			for _, r := range []connector.Record{
				{Key: []byte("k"), Value: []byte("v"), Headers: headers, Time: 5},
				{Key: []byte("k"), Time: -6},                                 // a tombstone
				{Key: []byte{}, Value: []byte{}, Time: stream.Time(1 << 40)}, // empty is not null
				{Value: []byte("no key"), Time: stream.MinTime},
			} {
				if err := out.WriteRecord(&r); err != nil {
					t.Fatal(err)
				}
			}
			commit(t, out)
			want := `5 "k"="v" h:"1" h:null :""|-6 "k"=null|1099511627776 ""=""|77 null="no key"`
			if got := strings.Join(recordsOf(t, cluster), "|"); got != want {
				t.Errorf("%s, %s: %s", codec, delivery, got)
			}
		}
	}
}

// TestPartitionOfKey has the partitions to which Java's producers send these keys.
func TestPartitionOfKey(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(4, "out"))
	out := openSink(t, sinkTo(cluster, nil), testEnvironment)
	// murmur2 of Kafka's own UtilsTest: 21 → -973932308, foobar → -790332482, a-little-bit-long-string → -985981536
	writeAll(t, out, "21=", "foobar=", "a-little-bit-long-string=")
	commit(t, out)
	c := kafkatest.Client(t, cluster)
	for key, hash := range map[string]int32{"21": -973932308, "foobar": -790332482, "a-little-bit-long-string": -985981536} {
		partition := (hash & 0x7fffffff) % 4
		if got := kafkatest.Read(t, c, "out", partition, 0, true); !strings.Contains(fmt.Sprint(got), key+"=") {
			t.Errorf("%s is not in partition %d: %q", key, partition, got)
		}
	}
}

// TestFlush: what was written leaves at once, and writing goes on meanwhile.
func TestFlush(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(2, "out"))
	out := openSink(t, sinkTo(cluster, nil), testEnvironment)
	for i := range 50 {
		writeAll(t, out, fmt.Sprintf("%d=%d", i, i))
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, out)
	if got := strings.Fields(stored(t, cluster, true)); len(got) != 50 {
		t.Errorf("%d records", len(got))
	}
}

func TestEmpty(t *testing.T) {
	for _, delivery := range []string{"at_least_once", "exactly_once"} {
		cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
		out := openSink(t, sinkTo(cluster, func(o *SinkOptions) { o.Delivery = delivery }), testEnvironment)
		if err := out.Flush(); err != nil {
			t.Error(err)
		}
		commit(t, out)
		if err := out.Abort(); err != nil || stored(t, cluster, false) != "" {
			t.Errorf("%v, %s", err, stored(t, cluster, false))
		}
	}
}

// BenchmarkFlushLatency has the time from writing a record to it being stored by a cluster in this process.
func BenchmarkFlushLatency(b *testing.B) {
	cluster := kafkatest.Cluster(b, kfake.SeedTopics(4, "out"))
	out := openSink(b, sinkTo(cluster, nil), testEnvironment)
	r := connector.Record{Key: []byte("k"), Value: []byte("value")}
	for b.Loop() {
		if err := out.WriteRecord(&r); err != nil {
			b.Fatal(err)
		}
		out.Flush()
		if err := out.(connector.Settler).Settle(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWriteRecord writes to a cluster in this process that throws everything away.
func BenchmarkWriteRecord(b *testing.B) {
	cluster := kafkatest.Cluster(b, kfake.SeedTopics(4, "out"), kfake.BlackholeProduce())
	out := openSink(b, sinkTo(cluster, func(o *SinkOptions) { o.Compression = "none" }), testEnvironment)
	r := connector.Record{Key: []byte("key"), Value: []byte(strings.Repeat("0123456789", 20)), Headers: []connector.Header{{Name: "h", Value: []byte("x")}}}
	b.ReportAllocs()
	for b.Loop() {
		if err := out.WriteRecord(&r); err != nil {
			b.Fatal(err)
		}
	}
}
