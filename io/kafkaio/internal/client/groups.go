package client

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/segmentio/kafka-go/protocol/offsetcommit"
	"github.com/segmentio/kafka-go/protocol/offsetfetch"
)

// Committed gives the offsets that a group has committed; partitions without one are left out.
func (c *Client) Committed(ctx context.Context, group string, partitions []TopicPartition) (offsets map[TopicPartition]int64, err error) {
	// a request without topics would be about all that the group ever committed
	request := &offsetfetch.Request{GroupID: group}
	topics, by := byTopic(partitions)
	for _, topic := range topics {
		request.Topics = append(request.Topics, offsetfetch.RequestTopic{Name: topic, PartitionIndexes: by[topic]})
	}
	if len(topics) == 0 {
		return map[TopicPartition]int64{}, nil
	}
	err = c.repeat(ctx, "offsets of group "+group, func(ctx context.Context) error {
		answer, err := c.call(ctx, request)
		if err != nil {
			return err
		}
		offsets, err = committed(answer.(*offsetfetch.Response))
		return c.groupError(group, err)
	})
	return offsets, err
}

func committed(answer *offsetfetch.Response) (map[TopicPartition]int64, error) {
	offsets := make(map[TopicPartition]int64)
	switch code := Code(answer.ErrorCode); code {
	case 0:
	case groupNotFound:
		return offsets, nil
	default:
		return nil, code
	}
	for _, t := range answer.Topics {
		for _, p := range t.Partitions {
			at := TopicPartition{t.Name, p.PartitionIndex}
			switch code := Code(p.ErrorCode); {
			case code == UnknownTopicOrPartition: // it can have none
			case code != 0:
				return nil, &PartitionError{at, code}
			case p.CommittedOffset >= 0:
				offsets[at] = p.CommittedOffset
			}
		}
	}
	return offsets, nil
}

// Commit sets the offsets of a group, the next ones to read, without being a member of it. A group that has members
// refuses that.
func (c *Client) Commit(ctx context.Context, group string, offsets map[TopicPartition]int64) error {
	if len(offsets) == 0 {
		return nil
	}
	// generation -1 is a client that assigns partitions by itself; the coordinator takes its word while the group has no
	// members
	request := &offsetcommit.Request{GroupID: group, GenerationID: -1, RetentionTimeMs: -1}
	topics, by := byTopic(slices.Collect(maps.Keys(offsets)))
	for _, topic := range topics {
		t := offsetcommit.RequestTopic{Name: topic}
		for _, p := range by[topic] {
			t.Partitions = append(t.Partitions, offsetcommit.RequestPartition{
				PartitionIndex: p, CommittedOffset: offsets[TopicPartition{topic, p}], CommittedLeaderEpoch: -1,
			})
		}
		request.Topics = append(request.Topics, t)
	}
	return c.repeat(ctx, "commit of the offsets of group "+group, func(ctx context.Context) error {
		answer, err := c.call(ctx, request)
		if err != nil {
			return err
		}
		var errs []error
		for _, t := range answer.(*offsetcommit.Response).Topics {
			for _, p := range t.Partitions {
				if code := Code(p.ErrorCode); code != 0 {
					errs = append(errs, c.groupError(group, &PartitionError{TopicPartition{t.Name, p.PartitionIndex}, code}))
				}
			}
		}
		return worst(errs)
	})
}

// The codes of a coordinator about a group: it has members, or does not exist.
const (
	illegalGeneration Code = 22
	unknownMember     Code = 25
	rebalance         Code = 27
	groupNotFound     Code = 69
)

// groupError puts errors about a group in words.
func (c *Client) groupError(group string, err error) error {
	code, _ := codeOf(err)
	switch code {
	case illegalGeneration, unknownMember, rebalance:
		return fmt.Errorf("group %q has members that commit for it: choose a group that nothing else uses: %w", group, code)
	case GroupAuthorizationFailed:
		return fmt.Errorf("group %q is not allowed for this user: grant it access: %w", group, code)
	}
	return err
}
