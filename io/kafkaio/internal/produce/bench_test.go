package produce_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/produce"
)

// BenchmarkSend writes to a cluster in this process that throws everything away.
func BenchmarkSend(b *testing.B) {
	cluster := kafkatest.Cluster(b, kfake.SeedTopics(4, "out"), kfake.BlackholeProduce())
	p := open(b, kafkatest.Client(b, cluster), produce.Options{})
	m := produce.Message{Value: bytes.Repeat([]byte("0123456789"), 20), Timestamp: 1700000000000}
	keys := make([][]byte, 1000)
	for i := range keys {
		keys[i] = []byte{'k', byte('0' + i/100), byte('0' + i/10%10), byte('0' + i%10)}
	}
	b.ReportAllocs()
	i := 0
	ctx := context.Background()
	for b.Loop() {
		m.Key = keys[i%len(keys)]
		i++
		if err := p.Send(ctx, &m); err != nil {
			b.Fatal(err)
		}
	}
	if err := p.Flush(ctx); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrec/s")
}
