package client

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/segmentio/kafka-go/protocol"

	"tidemark/io/kafkaio/internal/wire"
)

// At says which offset of a partition is asked for: one of the constants, or a time in milliseconds since 1970, for the
// first record that is not older than it; the end where there is none.
type At int64

// The offsets that have a name.
const (
	// Earliest is the first offset that there still is.
	Earliest At = -2
	// Latest is the offset behind the last record.
	Latest At = -1
	// Stable is the offset up to which all transactions have ended: where a read at read_committed ends.
	Stable At = -100
)

// Offsets gives an offset of each partition.
func (c *Client) Offsets(ctx context.Context, partitions []TopicPartition, at At) (map[TopicPartition]int64, error) {
	found := make(map[TopicPartition]int64, len(partitions))
	left := partitions
	err := c.repeat(ctx, "list of offsets", func(ctx context.Context) error {
		err := c.offsetsOnce(ctx, left, at, found)
		var open []TopicPartition // what is known is not asked again
		for _, p := range left {
			if _, ok := found[p]; !ok {
				open = append(open, p)
			}
		}
		left = open
		return err
	})
	if err != nil {
		return nil, err
	}
	if at >= 0 {
		return found, c.endsInstead(ctx, found)
	}
	return found, nil
}

// endsInstead puts the end where there is no record at or after the time that was asked for, which brokers answer with
// offset -1 and no error.
func (c *Client) endsInstead(ctx context.Context, found map[TopicPartition]int64) error {
	var none []TopicPartition
	for p, offset := range found {
		if offset < 0 {
			none = append(none, p)
		}
	}
	if len(none) == 0 {
		return nil
	}
	ends, err := c.Offsets(ctx, none, Latest)
	for p, offset := range ends {
		found[p] = offset
	}
	return err
}

// offsetsOnce asks the leaders, each once, and adds what they say to found. The error is about what is not found.
func (c *Client) offsetsOnce(ctx context.Context, partitions []TopicPartition, at At, found map[TopicPartition]int64) error {
	var errs []error
	byLeader := make(map[int32][]TopicPartition)
	for _, p := range partitions {
		broker, err := c.Leader(ctx, p)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		byLeader[broker] = append(byLeader[broker], p)
	}
	var mutex sync.Mutex
	var all sync.WaitGroup
	for broker, theirs := range byLeader {
		all.Go(func() {
			answers, err := c.askOffsets(ctx, broker, theirs, at)
			mutex.Lock()
			defer mutex.Unlock()
			if err != nil {
				errs = append(errs, err)
				for _, p := range theirs {
					c.Moved(p)
				}
			}
			for p, a := range answers {
				if a.code == 0 {
					found[p] = a.offset
					continue
				}
				errs = append(errs, &PartitionError{p, a.code})
				c.Moved(p)
			}
		})
	}
	all.Wait()
	return worst(errs)
}

// worst gives an error that will not pass if there is one, else the first.
func worst(errs []error) error {
	for _, err := range errs {
		if !Retriable(err) {
			return err
		}
	}
	if len(errs) > 0 {
		return errs[0]
	}
	return nil
}

type offsetAnswer struct {
	code   Code
	offset int64
}

// errNoAnswer says that a broker left out something that it was asked about.
var errNoAnswer = errors.New("the broker's answer lacks a partition")

func (c *Client) askOffsets(ctx context.Context, broker int32, partitions []TopicPartition, at At) (answers map[TopicPartition]offsetAnswer, err error) {
	err = c.exchange(ctx, requestTimeout, protocol.ListOffsets, broker, func(conn io.ReadWriter, version int16) error {
		if version < 2 {
			return errOldBroker
		}
		q := wire.Request{Key: int16(protocol.ListOffsets), Version: version, ClientID: c.options.ClientID}
		r, err := ask(conn, q, nil, func(w *wire.Writer) { writeListOffsets(w, version, partitions, at) })
		if err != nil {
			return err
		}
		answers = readListOffsets(&r, version)
		return r.Err()
	})
	if err == nil && len(answers) < len(partitions) {
		err = errNoAnswer
	}
	return answers, err
}

func writeListOffsets(w *wire.Writer, version int16, partitions []TopicPartition, at At) {
	w.Int32(-1)          // not a replica
	w.Bool(at == Stable) // the isolation level; at read_committed the latest offset is the stable one
	if at == Stable {
		at = Latest
	}
	topics, by := byTopic(partitions)
	w.Array(len(topics))
	for _, topic := range topics {
		w.String(topic)
		w.Array(len(by[topic]))
		for _, p := range by[topic] {
			w.Int32(p)
			if version >= 4 {
				w.Int32(-1) // leader epoch
			}
			w.Int64(int64(at))
		}
	}
}

func readListOffsets(r *wire.Reader, version int16) map[TopicPartition]offsetAnswer {
	answers := make(map[TopicPartition]offsetAnswer)
	r.Int32() // throttle time
	for range r.Array() {
		topic := r.String()
		for range r.Array() {
			p, code := r.Int32(), Code(r.Int16())
			r.Int64() // time of the record
			offset := r.Int64()
			if version >= 4 {
				r.Int32() // leader epoch
			}
			answers[TopicPartition{topic, p}] = offsetAnswer{code, offset}
		}
	}
	return answers
}

// byTopic groups partitions, the topics in the order in which they first appear.
func byTopic(partitions []TopicPartition) (topics []string, by map[string][]int32) {
	by = make(map[string][]int32)
	for _, p := range partitions {
		if by[p.Topic] == nil {
			topics = append(topics, p.Topic)
		}
		by[p.Topic] = append(by[p.Topic], p.Partition)
	}
	return topics, by
}
