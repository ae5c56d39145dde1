package main

import (
	"context"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"tidemark/io/kafkaio/internal/client"
)

// other is count with a client by others, franz-go, with the same isolation and size of fetches.
func other(ctx context.Context, c *client.Client, o options) error {
	began := time.Now()
	partitions, ends, err := extent(ctx, c, o.topic)
	if err != nil {
		return err
	}
	var want, records, bytes int64
	for _, end := range ends {
		want += end
	}
	reader, err := kgo.NewClient(kgo.SeedBrokers(o.brokers...), kgo.ConsumeTopics(o.topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.FetchMaxPartitionBytes(maxBytes(len(partitions))))
	if err != nil {
		return err
	}
	defer reader.Close()
	for records < want {
		fetches := reader.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		fetches.EachRecord(func(r *kgo.Record) {
			records++
			bytes += int64(len(r.Value))
		})
	}
	report(records, bytes, time.Since(began))
	return nil
}

// report prints what was counted.
func report(records, bytes int64, took time.Duration) {
	seconds := took.Seconds()
	fmt.Printf("%d records, %d bytes of values, %.3f s, %.2f M records/s\n", records, bytes, seconds, float64(records)/seconds/1e6)
}
