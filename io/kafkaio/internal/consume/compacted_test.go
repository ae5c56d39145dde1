package consume_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/produce"
	"tidemark/io/kafkaio/internal/recordbatch"
)

// compacted makes a log of a record that stays, 300 of which compaction leaves few, and transactions that were aborted.
func compacted(t *testing.T, cluster *kfake.Cluster, c *client.Client) {
	config := map[string]string{"cleanup.policy": "compact", "segment.ms": "1", "min.cleanable.dirty.ratio": "0"}
	if err := cluster.CreateTopic("orders", 1, config); err != nil {
		t.Fatal(err)
	}
	ctx := kafkatest.Context(t)
	w, err := produce.Open(ctx, c, produce.Options{Topic: "orders", BatchBytes: 400, Transactions: []string{"w"}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close(ctx)
	send := func(key, value string) {
		if err := w.Send(ctx, &produce.Message{Key: []byte(key), Value: []byte(value), Timestamp: time.Now().UnixMilli()}); err != nil {
			t.Fatal(err)
		}
	}
	end := func(commit bool) {
		done, err := w.Prepare(ctx)
		if err == nil {
			err = done.End(ctx, c, commit)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	send("first", "0")
	for i := range 300 {
		send(fmt.Sprint("k", i%5), fmt.Sprint(i))
	}
	end(true)
	cluster.Compact()
	send("k1", "aborted")
	end(false)
	cluster.Compact()
}

// TestCompacted: the end of a topic is reached though most of its records, and its last ones, are not there.
func TestCompacted(t *testing.T) {
	cluster := kafkatest.Cluster(t)
	c := kafkatest.Client(t, cluster)
	compacted(t, cluster, c)
	ends, err := c.Offsets(kafkatest.Context(t), []client.TopicPartition{orders}, client.Stable)
	if err != nil {
		t.Fatal(err)
	}
	last := map[string]string{}
	o := options(0)
	o.Committed, o.MaxBytes = true, 300
	p := consume.Open(c, o)
	defer p.Close()
	n := 0
	for next := int64(0); next < ends[orders]; {
		f, err := p.Next(kafkatest.Context(t))
		if err != nil {
			t.Fatal(err)
		}
		next, err = recordbatch.Walk(f.Set, f.From, f.Aborted, func(r *recordbatch.Record) error {
			last[string(r.Key)] = string(r.Value)
			n++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(last) != "map[first:0 k0:295 k1:296 k2:297 k3:298 k4:299]" || n > 100 {
		t.Errorf("%d records, %v", n, last)
	}
}

// BenchmarkNext reads from a cluster in this process that serves one batch again and again.
func BenchmarkNext(b *testing.B) {
	cluster := kafkatest.Cluster(b, kfake.SeedTopics(1, "orders"), kfake.SyntheticFetch(kfake.SyntheticBatch{RecordBytes: 200}))
	p := consume.Open(kafkatest.Client(b, cluster), options(0))
	defer p.Close()
	var d recordbatch.Decoder
	var columns recordbatch.Columns
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		f, err := p.Next(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		columns.Reset()
		if _, err := d.Walk(f.Set, f.From, nil, columns.Add); err != nil {
			b.Fatal(err)
		}
		n += columns.Len()
		f.Release()
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mrec/s")
}
