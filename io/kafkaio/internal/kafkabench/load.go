package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"time"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/recordbatch"
)

// batchBytes is the size of a batch: that of a producer which is busy, many of them in a fetch.
const batchBytes = 100_000

// load fills a topic with the lines of a file in turn, the order that split -n r/N has too, so that a file for each
// partition can be made to compare.
func load(ctx context.Context, c *client.Client, o options) error {
	if len(o.arguments) != 1 {
		return fmt.Errorf("load wants one file, not %q", o.arguments)
	}
	f, err := os.Open(o.arguments[0])
	if err != nil {
		return err
	}
	defer f.Close()
	if err := create(ctx, c, o.topic, o.partitions); err != nil {
		return err
	}
	builders := make([]recordbatch.Builder, o.partitions)
	flush := func(partition int) error {
		b := &builders[partition]
		if b.Len() == 0 {
			return nil
		}
		defer b.Reset()
		return write(ctx, c, client.TopicPartition{Topic: o.topic, Partition: int32(partition)}, b.Build(nil, recordbatch.None))
	}
	lines := bufio.NewScanner(bufio.NewReaderSize(f, 1<<20))
	lines.Buffer(nil, batchBytes)
	now := time.Now().UnixMilli()
	n := 0
	for ; lines.Scan(); n++ {
		b := &builders[n%o.partitions]
		if b.Append(now, nil, lines.Bytes(), nil); b.Size() >= batchBytes {
			if err := flush(n % o.partitions); err != nil {
				return err
			}
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	for partition := range builders {
		if err := flush(partition); err != nil {
			return err
		}
	}
	fmt.Printf("%d records in %d partitions of %s\n", n, o.partitions, o.topic)
	return nil
}
