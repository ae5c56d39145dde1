package kafkatest_test

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/produce"
	"tidemark/io/kafkaio/internal/recordbatch"
)

// BenchmarkBroker writes records of 205 bytes to four partitions of the broker at TIDEMARK_KAFKA, or one in this
// process, and reads them.
func BenchmarkBroker(b *testing.B) {
	address := broker(b)
	c := kafkatest.Open(b, client.Options{Brokers: []string{address}})
	for _, codec := range []recordbatch.Compression{recordbatch.None, recordbatch.LZ4} {
		topic := kafkatest.Topic(b, address, 4)
		b.Run("write/"+codec.String(), func(b *testing.B) { writeMany(b, c, topic, codec) })
		b.Run("read/"+codec.String(), func(b *testing.B) { readMany(b, c, topic) })
	}
}

func perSecond(b *testing.B, n int64) {
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mrec/s")
	b.ReportMetric(0, "ns/op")
}

func writeMany(b *testing.B, c *client.Client, topic string, codec recordbatch.Compression) {
	p, err := produce.Open(context.Background(), c, produce.Options{Topic: topic, Compression: codec})
	if err != nil {
		b.Fatal(err)
	}
	value := bytes.Repeat([]byte("0123456789"), 21)[:205]
	n := int64(0)
	for b.Loop() {
		for range 100_000 {
			copy(value, fmt.Append(value[:0], n))
			n++
			if err := p.Send(context.Background(), &produce.Message{Value: value, Timestamp: 1700000000000}); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := p.Close(context.Background()); err != nil {
		b.Fatal(err)
	}
	perSecond(b, n)
}

func readMany(b *testing.B, c *client.Client, topic string) {
	var n atomic.Int64
	for b.Loop() {
		var all sync.WaitGroup
		for partition := range int32(4) {
			all.Go(func() { n.Add(readOne(b, c, client.TopicPartition{Topic: topic, Partition: partition})) })
		}
		all.Wait()
	}
	perSecond(b, n.Load())
}

func readOne(b *testing.B, c *client.Client, at client.TopicPartition) (n int64) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ends, err := c.Offsets(ctx, []client.TopicPartition{at}, client.Stable)
	if err != nil {
		b.Error(err)
		return 0
	}
	p := consume.Open(c, consume.Options{TopicPartition: at, Committed: true})
	defer p.Close()
	var d recordbatch.Decoder
	var columns recordbatch.Columns
	for next := int64(0); next < ends[at]; {
		f, err := p.Next(ctx)
		if err != nil {
			b.Error(err)
			return n
		}
		columns.Reset()
		if next, err = d.Walk(f.Set, f.From, f.Aborted, columns.Add); err != nil {
			b.Error(err)
			return n
		}
		n += int64(columns.Len())
		f.Release()
	}
	return n
}
