package main

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
	"tidemark/io/kafkaio/internal/recordbatch"
)

// count reads a topic from end to end as the source does (at read_committed, with the same size of fetches, one ahead in
// each partition, checksums and the walk over records included) and only counts what it gets.
func count(ctx context.Context, c *client.Client, o options) error {
	began := time.Now()
	partitions, ends, err := extent(ctx, c, o.topic)
	if err != nil {
		return err
	}
	var records, bytes atomic.Int64
	var all sync.WaitGroup
	failed := make(chan error, len(partitions))
	for _, at := range partitions {
		all.Go(func() {
			n, size, err := countOne(ctx, c, at, ends[at], maxBytes(len(partitions)))
			if err != nil {
				failed <- err
			}
			records.Add(n)
			bytes.Add(size)
		})
	}
	all.Wait()
	select {
	case err := <-failed:
		return err
	default:
	}
	report(records.Load(), bytes.Load(), time.Since(began))
	return nil
}

// extent gives the partitions of a topic, and where they end.
func extent(ctx context.Context, c *client.Client, topic string) (partitions []client.TopicPartition, ends map[client.TopicPartition]int64, err error) {
	if partitions, err = partitionsOf(ctx, c, topic); err == nil {
		ends, err = c.Offsets(ctx, partitions, client.Stable)
	}
	return partitions, ends, err
}

// maxBytes is the size of a fetch that the source has with so many partitions.
func maxBytes(partitions int) int32 {
	return int32(min(max(64<<20/3/max(partitions, 1), 64<<10), 1<<20))
}

func countOne(ctx context.Context, c *client.Client, at client.TopicPartition, end int64, maxBytes int32) (n, size int64, err error) {
	p := consume.Open(c, consume.Options{TopicPartition: at, Committed: true, MaxBytes: maxBytes})
	defer p.Close()
	var d recordbatch.Decoder
	for next := int64(0); next < end; {
		f, err := p.Next(ctx)
		if err != nil {
			return n, size, err
		}
		next, err = d.Walk(f.Set, f.From, f.Aborted, func(r *recordbatch.Record) error {
			n++
			size += int64(len(r.Value))
			return nil
		})
		f.Release()
		if err != nil {
			return n, size, err
		}
	}
	return n, size, nil
}
