package kafkaio

import (
	"context"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/recordbatch"
	"tidemark/stream"
)

// BenchmarkRead reads from a cluster in this process that serves one batch again and again: by the source up to lines
// and facts, and, to compare, by what is below it without making lines.
func BenchmarkRead(b *testing.B) {
	cluster := kafkatest.Cluster(b, kfake.SeedTopics(1, "orders"), kfake.SyntheticFetch(kfake.SyntheticBatch{RecordBytes: 200}))
	report := func(b *testing.B, n int) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/record")
	}
	b.Run("consume", func(b *testing.B) {
		p := consume.Open(kafkatest.Client(b, cluster), consume.Options{TopicPartition: orders})
		defer p.Close()
		var d recordbatch.Decoder
		n := 0
		b.ReportAllocs()
		for b.Loop() {
			f, err := p.Next(context.Background())
			if err != nil {
				b.Fatal(err)
			}
			if _, err := d.Walk(f.Set, f.From, nil, func(*recordbatch.Record) error { n++; return nil }); err != nil {
				b.Fatal(err)
			}
			f.Release()
		}
		report(b, n)
	})
	for name, facts := range map[string][]string{"lines": nil, "facts": {"offset", "timestamp", "key"}} {
		b.Run(name, func(b *testing.B) {
			r, err := source(cluster, nil).OpenRecords(context.Background(), connector.Environment{}, facts)
			if err != nil {
				b.Fatal(err)
			}
			defer r.Close()
			p, l := r.Partitions()[0], r.Loader()
			var column stream.Column
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				c, err := p.Next(context.Background())
				if err != nil {
					b.Fatal(err)
				}
				if _, _, err := l.Load(p, c); err != nil {
					b.Fatal(err)
				}
				lines := l.(*loader).columns.Len()
				for _, name := range facts {
					l.Fact(name, lines, &column)
				}
				n += lines
				l.Release()
			}
			report(b, n)
		})
	}
}

// BenchmarkLoad decodes one fetch, without a cluster: what a source costs in addition to the walk over the records.
func BenchmarkLoad(b *testing.B) {
	var builder recordbatch.Builder
	value := make([]byte, 200)
	for i := range 4000 {
		builder.Append(int64(i), []byte("key of it"), value, nil)
	}
	set := append([]byte{}, builder.Build(nil, recordbatch.None)...)
	again := make([]byte, len(set), len(set)+connector.Padding)
	fetched := func() *consume.Fetched {
		return &consume.Fetched{FetchAnswer: client.FetchAnswer{Set: again}, Next: 4000}
	}
	b.Run("walk", func(b *testing.B) {
		var d recordbatch.Decoder
		for b.Loop() {
			d.Walk(set, 0, nil, func(*recordbatch.Record) error { return nil })
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4000, "ns/record")
	})
	b.Run("load", func(b *testing.B) {
		l := newLoader(newSource(), nil)
		p := &partition{TopicPartition: orders}
		b.ReportAllocs()
		for b.Loop() {
			copy(again, set) // a set can be loaded once
			if _, _, err := l.Load(p, connector.Chunk{End: 4000, Fetch: fetched()}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/4000, "ns/record")
	})
}
