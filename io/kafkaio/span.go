package kafkaio

import (
	"context"
	"fmt"
	"math"
	"slices"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
)

// span is what is read of a partition.
type span struct {
	// start is the first offset, stop the one before which to end; MaxInt64 for never.
	start, stop int64
	// end is behind the last record, as far as it may be read.
	end int64
}

// limits are the offsets that partitions have: the first, the one behind the last record, and the one behind the last
// that may be read.
type limits struct {
	first, high, end map[client.TopicPartition]int64
}

func (r *recordReader) limits(ctx context.Context, partitions []client.TopicPartition) (l limits, err error) {
	if l.first, err = r.client.Offsets(ctx, partitions, client.Earliest); err != nil {
		return l, err
	}
	if l.high, err = r.client.Offsets(ctx, partitions, client.Latest); err != nil {
		return l, err
	}
	l.end = l.high
	if r.options.committed() {
		l.end, err = r.client.Offsets(ctx, partitions, client.Stable)
	}
	return l, err
}

// spans finds out where to begin and end: at the group's offsets, else at start.
func (r *recordReader) spans(ctx context.Context, partitions []client.TopicPartition, start Start) (map[client.TopicPartition]span, error) {
	l, err := r.limits(ctx, partitions)
	if err != nil {
		return nil, err
	}
	asked := map[client.TopicPartition]int64{}
	if r.options.Group != "" && !start.Force {
		if asked, err = r.client.Committed(ctx, r.options.Group, partitions); err != nil {
			return nil, err
		}
	}
	begin, err := r.starts(ctx, partitions, start, l)
	if err != nil {
		return nil, err
	}
	stop, err := r.stops(ctx, partitions, l)
	if err != nil {
		return nil, err
	}
	spans := make(map[client.TopicPartition]span, len(partitions))
	for _, p := range partitions {
		offset, known := asked[p]
		if !known {
			offset = begin[p]
		}
		given := known || start.Offsets != nil // what brokers have just named is there, if only since they were asked for limits
		if given && (offset < l.first[p] || offset > l.high[p]) {
			outside := &consume.OutOfRangeError{TopicPartition: p, Asked: offset, Earliest: l.first[p], Latest: l.high[p]}
			if offset, err = r.elsewhere(outside, span{start: l.first[p], stop: stop[p], end: l.end[p]}); err != nil {
				return nil, err
			}
		}
		spans[p] = span{start: offset, stop: stop[p], end: l.end[p]}
	}
	return spans, nil
}

// starts gives what start stands for.
func (r *recordReader) starts(ctx context.Context, partitions []client.TopicPartition, start Start, l limits) (map[client.TopicPartition]int64, error) {
	switch {
	case start.Timestamp != "":
		at, _ := validateTimestamp("start.timestamp", start.Timestamp)
		return r.client.Offsets(ctx, partitions, client.At(at))
	case start.Offsets != nil:
		if err := allThere("start.offsets", start.Offsets, partitions); err != nil {
			return nil, err
		}
		return overlaid(l.first, start.Offsets), nil
	case start.At == "latest":
		return l.end, nil
	}
	return l.first, nil
}

// stops gives what stop stands for.
func (r *recordReader) stops(ctx context.Context, partitions []client.TopicPartition, l limits) (map[client.TopicPartition]int64, error) {
	switch o := r.options.Stop; {
	case !r.options.Bounded():
		never := make(map[client.TopicPartition]int64, len(partitions))
		for _, p := range partitions {
			never[p] = math.MaxInt64
		}
		return never, nil
	case o.Timestamp != "":
		at, _ := validateTimestamp("stop.timestamp", o.Timestamp)
		found, err := r.client.Offsets(ctx, partitions, client.At(at))
		for p, offset := range found {
			found[p] = min(offset, l.end[p]) // what comes later, or is in an open transaction, is not waited for
		}
		return found, err
	case o.Offsets != nil:
		if err := allThere("stop.offsets", o.Offsets, partitions); err != nil {
			return nil, err
		}
		for _, p := range partitions {
			if _, given := o.Offsets[p.Partition]; !given {
				return nil, fmt.Errorf("stop.offsets lacks partition %d of topic %q: give one for each of its partitions", p.Partition, p.Topic)
			}
		}
		return overlaid(l.end, o.Offsets), nil
	}
	return l.end, nil
}

// allThere makes sure that there are partitions of all numbers given.
func allThere(option string, offsets map[int32]int64, partitions []client.TopicPartition) error {
	for number := range offsets {
		if !slices.ContainsFunc(partitions, func(p client.TopicPartition) bool { return p.Partition == number }) {
			return fmt.Errorf("%s: topic %q has no partition %d: its partitions are 0 to %d", option, partitions[0].Topic, number, len(partitions)-1)
		}
	}
	return nil
}

// overlaid gives offsets by number of partition, and those of others as they are.
func overlaid(offsets map[client.TopicPartition]int64, given map[int32]int64) map[client.TopicPartition]int64 {
	out := make(map[client.TopicPartition]int64, len(offsets))
	for p, offset := range offsets {
		out[p] = offset
		if other, ok := given[p.Partition]; ok {
			out[p] = other
		}
	}
	return out
}
