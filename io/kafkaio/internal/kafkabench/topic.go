package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/segmentio/kafka-go"

	"tidemark/io/kafkaio/internal/client"
)

// remove deletes a topic, if there is one.
func remove(ctx context.Context, c *client.Client, topic string) error {
	k := kafka.Client{Addr: kafka.TCP(c.Brokers()), Transport: &kafka.Transport{}}
	_, err := k.DeleteTopics(ctx, &kafka.DeleteTopicsRequest{Topics: []string{topic}})
	return err
}

// create makes an empty topic, in place of one that has the name.
func create(ctx context.Context, c *client.Client, topic string, partitions int) error {
	if err := remove(ctx, c, topic); err != nil {
		return err
	}
	k := kafka.Client{Addr: kafka.TCP(c.Brokers()), Transport: &kafka.Transport{}}
	for { // the old topic may still be on its way out
		answer, err := k.CreateTopics(ctx, &kafka.CreateTopicsRequest{Topics: []kafka.TopicConfig{
			{Topic: topic, NumPartitions: partitions, ReplicationFactor: 1},
		}})
		if err == nil {
			err = answer.Errors[topic]
		}
		if err == nil {
			return known(ctx, c, topic)
		}
		if !errors.Is(err, kafka.TopicAlreadyExists) {
			return fmt.Errorf("topic %q is not made: %w", topic, err)
		}
		if err := client.Wait(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
}

// known waits until brokers know a topic that has been made.
func known(ctx context.Context, c *client.Client, topic string) error {
	for {
		topics, err := c.Topics(ctx, []string{topic})
		if err != nil || topics[0].Err == nil {
			return err
		}
		if err := client.Wait(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

// partitionsOf gives a topic's partitions.
func partitionsOf(ctx context.Context, c *client.Client, topic string) ([]client.TopicPartition, error) {
	topics, err := c.Topics(ctx, []string{topic})
	if err == nil {
		err = topics[0].Err
	}
	if err != nil {
		return nil, err
	}
	var all []client.TopicPartition
	for _, p := range topics[0].Partitions {
		all = append(all, client.TopicPartition{Topic: topic, Partition: p.Number})
	}
	return all, nil
}

// write stores a batch.
func write(ctx context.Context, c *client.Client, at client.TopicPartition, batch []byte) error {
	for failures := 1; ; failures++ {
		broker, err := c.Leader(ctx, at)
		if err == nil {
			var answers []client.ProduceAnswer
			answers, err = c.Produce(ctx, client.ProduceRequest{Broker: broker, Timeout: 15 * time.Second,
				Batches: []client.ProduceBatch{{TopicPartition: at, Batch: batch}}})
			if err == nil && answers[0].Code != 0 {
				err = answers[0].Code
			}
		}
		// a topic that has just been made has no leaders yet, and nothing was stored then
		if err == nil || !errors.Is(err, client.UnknownTopicOrPartition) && !errors.Is(err, client.LeaderNotAvailable) &&
			!errors.Is(err, client.NotLeaderOrFollower) || failures > 100 {
			return err
		}
		c.Moved(at)
		if err := client.Wait(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}
