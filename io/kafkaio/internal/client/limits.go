package client

import (
	"context"
	"strconv"
	"time"

	"github.com/segmentio/kafka-go/protocol/describeconfigs"
)

// brokerResource is the type that brokers have among what is configured.
const brokerResource int8 = 4

// LongestTransaction gives how long brokers let a transaction be open (transaction.max.timeout.ms); 0 where they do not
// say, as to a user who may not ask.
func (c *Client) LongestTransaction(ctx context.Context) (limit time.Duration, err error) {
	err = c.repeat(ctx, "limit of transactions", func(ctx context.Context) error {
		broker, known := c.leaders.anyone()
		if !known {
			if _, err := c.metadata(ctx, []string{}); err != nil {
				return err
			}
			broker, _ = c.leaders.anyone()
		}
		answer, err := c.call(ctx, &describeconfigs.Request{Resources: []describeconfigs.RequestResource{{
			ResourceType: brokerResource, ResourceName: strconv.Itoa(int(broker)), ConfigNames: []string{maxTimeout},
		}}})
		if err != nil {
			return err
		}
		for _, r := range answer.(*describeconfigs.Response).Resources {
			if code := Code(r.ErrorCode); code.Retriable() {
				return code
			}
			limit = longest(r.ConfigEntries)
		}
		return nil
	})
	return limit, err
}

const maxTimeout = "transaction.max.timeout.ms"

func longest(entries []describeconfigs.ResponseConfigEntry) time.Duration {
	for _, e := range entries {
		if ms, err := strconv.ParseInt(e.ConfigValue, 10, 32); err == nil && e.ConfigName == maxTimeout {
			return time.Duration(ms) * time.Millisecond
		}
	}
	return 0
}
