// Package kafkatest starts clusters in the test's own process.
package kafkatest

import (
	"context"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/recordbatch"
)

// Cluster starts a cluster of one broker that ends with the test; options may say otherwise.
func Cluster(t testing.TB, options ...kfake.Opt) *kfake.Cluster {
	t.Helper()
	c, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(1)}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// Client opens a client of a cluster that ends with the test.
func Client(t testing.TB, cluster *kfake.Cluster) *client.Client {
	t.Helper()
	return Open(t, client.Options{Brokers: cluster.ListenAddrs(), Patience: 10 * time.Second})
}

// Open opens a client that ends with the test.
func Open(t testing.TB, o client.Options) *client.Client {
	t.Helper()
	c, err := client.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// Context gives a context that ends before the test binary loses its patience.
func Context(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// Write appends values to a partition, a batch of them, without an identity, and gives the offset of the first.
func Write(t testing.TB, c *client.Client, topic string, partition int32, values ...string) int64 {
	t.Helper()
	var b recordbatch.Builder
	for i, v := range values {
		b.Append(int64(1000+i), nil, []byte(v), nil)
	}
	return WriteBatch(t, c, topic, partition, b.Build(nil, recordbatch.None))
}

// WriteBatch appends a batch to a partition, and gives the offset of its first record.
func WriteBatch(t testing.TB, c *client.Client, topic string, partition int32, batch []byte) int64 {
	t.Helper()
	p := client.TopicPartition{Topic: topic, Partition: partition}
	for failures := 1; ; failures++ {
		broker, err := c.Leader(Context(t), p)
		var answers []client.ProduceAnswer
		if err == nil {
			answers, err = c.Produce(Context(t), client.ProduceRequest{Broker: broker, Timeout: time.Second,
				Batches: []client.ProduceBatch{{TopicPartition: p, Batch: batch}}})
		}
		if err == nil && answers[0].Code == 0 {
			return answers[0].Offset
		}
		if failures > 20 {
			t.Fatalf("%v, %v", err, answers)
		}
		c.Moved(p)
		time.Sleep(10 * time.Millisecond)
	}
}

// Read gives the values of a partition from an offset up to its end.
func Read(t testing.TB, c *client.Client, topic string, partition int32, from int64, committed bool) (values []string) {
	t.Helper()
	f := client.FetchRequest{
		TopicPartition: client.TopicPartition{Topic: topic, Partition: partition},
		Offset:         from, MaxBytes: 1 << 20, MaxWait: 10 * time.Millisecond, Committed: committed,
	}
	for failures := 0; ; {
		a, err := c.Fetch(Context(t), f, nil)
		if err != nil {
			if failures++; failures > 20 {
				t.Fatal(err)
			}
			time.Sleep(10 * time.Millisecond)
			continue
		}
		if !committed {
			a.Aborted = nil
		}
		next, err := recordbatch.Walk(a.Set, f.Offset, a.Aborted, func(r *recordbatch.Record) error {
			values = append(values, string(r.Value))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		end := a.HighWatermark
		if committed {
			end = a.LastStable
		}
		if f.Offset = next; next >= end {
			return values
		}
	}
}
