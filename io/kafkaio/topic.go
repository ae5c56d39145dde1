package kafkaio

import (
	"context"
	"errors"
	"fmt"
	"strings"

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
	if near := nearest(topic, all); listing == nil && near != "" {
		return fmt.Errorf("%w; the nearest name that exists is %q", err, near)
	}
	return err
}

// nearest gives the topic whose name was most likely meant, or nothing: a third of the letters may be wrong.
func nearest(name string, topics []client.Topic) (best string) {
	least := len(name)/3 + 1
	for _, t := range topics {
		if d := distance(strings.ToLower(name), strings.ToLower(t.Name), least); d < least {
			best, least = t.Name, d
		}
	}
	return best
}

// distance counts the letters to change, add or leave out to make b of a; what is as far as the limit is as good as any.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost = 1 + min(corner, row[j], row[j+1])
			}
			corner, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
