package kafkaio

import (
	"context"
	"errors"
	"fmt"

	"tidemark/io/kafkaio/internal/client"
)

// checkTopic says whether a topic exists, and which one may be meant where it does not.
func checkTopic(ctx context.Context, c *client.Client, topic string) error {
	topics, err := c.Topics(ctx, []string{topic})
	if err != nil {
		return err
	}
	err = topics[0].Err
	if !errors.Is(err, client.UnknownTopicOrPartition) {
		return err
	}
	all, listing := c.Match(ctx, func(string) bool { return true })
	if near := nearTopics(topic, all); listing == nil && near != "" {
		return fmt.Errorf("%w; did you mean %s?", err, near)
	}
	return err
}
