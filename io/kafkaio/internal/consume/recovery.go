package consume

import (
	"context"
	"errors"
	"time"

	"tidemark/io/kafkaio/internal/client"
)

// recovery decides what follows from failed fetches.
type recovery struct {
	partition *Partition
	what      string
	failures  int
	since     time.Time // of the first failure in a row
	high      int64     // the high watermark as it was last seen
}

// after is called after each fetch. It gives nil when the next one may be tried, after a pause if need be, and the
// error that ends the reading otherwise.
func (r *recovery) after(ctx context.Context, offset int64, err error) error {
	c := r.partition.client
	if err == nil {
		if r.failures > 0 {
			r.failures = 0
			c.Trouble(r.what, nil)
		}
		return nil
	}
	if r.failures++; r.failures == 1 {
		r.since = time.Now()
	}
	lasted := time.Since(r.since)
	var code client.Code
	switch known := errors.As(err, &code); {
	case known && code == client.OffsetOutOfRange:
		if outside, err := r.outside(ctx, offset); outside != nil {
			return outside
		} else if err != nil && !client.Retriable(err) {
			return err
		}
	case !client.Retriable(err):
		return err
	case known && (code == client.UnknownTopicOrPartition || code == client.UnknownTopicID):
		if err := r.gone(ctx, offset, lasted); err != nil {
			return err
		}
	}
	// what passes may also last: a cluster that is gone for good ends the reading
	if lasted > r.partition.options.Patience {
		return err
	}
	c.Trouble(r.what, err)
	client.Wait(ctx, client.Pause(r.failures))
	return nil
}

// outside asks which offsets there are. outside is nil where the one wanted is among them after all, as may be while a
// new leader catches up.
func (r *recovery) outside(ctx context.Context, offset int64) (outside *OutOfRangeError, err error) {
	p := r.partition.options.TopicPartition
	only := []client.TopicPartition{p}
	first, err := r.partition.client.Offsets(ctx, only, client.Earliest)
	if err != nil {
		return nil, err
	}
	last, err := r.partition.client.Offsets(ctx, only, client.Latest)
	if err != nil {
		return nil, err
	}
	if offset >= first[p] && offset <= last[p] {
		return nil, nil
	}
	return &OutOfRangeError{TopicPartition: p, Asked: offset, Earliest: first[p], Latest: last[p]}, nil
}

// gone looks whether the topic is another one now, or has been away for too long.
func (r *recovery) gone(ctx context.Context, offset int64, lasted time.Duration) error {
	o := r.partition.options
	topics, err := r.partition.client.Topics(ctx, []string{o.Topic})
	switch {
	case err != nil:
		return nil // not being able to ask says nothing about the topic
	case topics[0].Err == nil && o.ID != (client.TopicID{}) && topics[0].ID != (client.TopicID{}) && topics[0].ID != o.ID:
		return &ReplacedError{o.TopicPartition, topics[0].ID, offset, max(r.high-offset, 0)}
	case lasted < o.Gone:
		return nil
	case topics[0].Err != nil:
		return &GoneError{o.TopicPartition, offset, max(r.high-offset, 0), topics[0].Err}
	}
	return &client.PartitionError{TopicPartition: o.TopicPartition, Err: client.UnknownTopicOrPartition}
}
