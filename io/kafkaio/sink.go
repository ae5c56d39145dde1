package kafkaio

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/produce"
	"tidemark/io/kafkaio/internal/recordbatch"
)

var _ connector.Sink = (*SinkOptions)(nil)

func init() {
	connector.Register(connector.Kind{
		Name: "kafka", Role: connector.SinkRole,
		Doc:     "writes to a topic, each record once whatever goes wrong with the brokers",
		Formats: []string{"json", "csv"},
		New:     func() any { return newSinkOptions() },
	})
}

// SinkOptions are those of a Kafka sink.
type SinkOptions struct {
	Access
	Topic              string `spec:"topic,required" example:"topic: results" doc:"the topic to write to; it is never created"`
	Delivery           string `spec:"delivery,values=at_least_once|exactly_once" doc:"at_least_once, or exactly_once: a transaction for each checkpoint"`
	Compression        string `spec:"compression,values=none|gzip|snappy|lz4|zstd" doc:"none, gzip, snappy, lz4 or zstd"`
	DeliveryTimeout    int64  `spec:"delivery_timeout,duration,positive" doc:"how long to try to write a record before the run fails, in milliseconds"`
	TransactionTimeout int64  `spec:"transaction_timeout,duration,positive" doc:"how long brokers keep a transaction open, in milliseconds: longer than a checkpoint and the time to start again take"`
}

// exactlyOnceDelivery is the value of delivery for transactions.
const exactlyOnceDelivery = "exactly_once"

// newSinkOptions gives the defaults. The least that compression can cost, by processor time, is snappy's; the longest
// transaction is what brokers allow unless they were told otherwise.
func newSinkOptions() *SinkOptions {
	return &SinkOptions{
		Delivery: "at_least_once", Compression: "snappy",
		DeliveryTimeout: (2 * time.Minute).Milliseconds(), TransactionTimeout: (15 * time.Minute).Milliseconds(),
	}
}

// Validate implements [connector.Sink].
func (o *SinkOptions) Validate() []connector.Problem {
	found := o.Access.validate()
	if o.Topic == "" {
		found = append(found, connector.Problem{Option: "topic", Message: "topic is empty", Hint: "name the topic to write to"})
	}
	if _, err := recordbatch.ParseCompression(o.Compression); err != nil {
		found = append(found, connector.Problem{Option: "compression", Message: err.Error(), Hint: "write compression: snappy"})
	}
	return found
}

// Check implements [connector.Sink].
func (o *SinkOptions) Check(env connector.Environment) error {
	env.Warn = nil // what lasts is the error
	c, err := o.ready(context.Background(), env, 0)
	if err == nil {
		c.Close()
	}
	return err
}

// ready connects and looks for what would not work. See [Access.connect] for repeat.
func (o *SinkOptions) ready(ctx context.Context, env connector.Environment, repeat time.Duration) (*client.Client, error) {
	c, err := o.connect(ctx, env, repeat)
	if err != nil {
		return nil, err
	}
	err = checkTopic(ctx, c, o.Topic)
	if err == nil && o.Delivery == exactlyOnceDelivery {
		err = o.checkTimeout(ctx, c)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// checkTimeout says whether brokers allow transactions to last as long as is wanted.
func (o *SinkOptions) checkTimeout(ctx context.Context, c *client.Client) error {
	limit, err := c.LongestTransaction(ctx)
	if wanted := milliseconds(o.TransactionTimeout); err == nil && limit > 0 && wanted > limit {
		return fmt.Errorf("transaction_timeout is %s, but brokers allow %s: write transaction_timeout: %[2]s, or raise their transaction.max.timeout.ms",
			short(wanted), short(limit))
	}
	return err
}

func milliseconds(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// short gives a duration without units that are 0.
func short(d time.Duration) string {
	text := d.String()
	for _, none := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// Open implements [connector.Sink].
func (o *SinkOptions) Open(ctx context.Context, env connector.Environment) (connector.Output, error) {
	c, err := o.ready(ctx, env, milliseconds(o.DeliveryTimeout))
	if err != nil {
		return nil, err
	}
	w := &writer{client: c, now: env.Now}
	options := produce.Options{Topic: o.Topic, DeliveryTimeout: milliseconds(o.DeliveryTimeout), Refused: w.takeBack,
		TransactionTimeout: milliseconds(o.TransactionTimeout)}
	options.Compression, err = recordbatch.ParseCompression(o.Compression)
	if err == nil && o.Delivery == exactlyOnceDelivery {
		err = resume(ctx, c, env, &options)
	}
	if err == nil {
		w.producer, err = produce.Open(ctx, c, options)
	}
	switch {
	case err != nil:
		c.Close()
		return nil, err
	case o.Delivery == exactlyOnceDelivery:
		return &exactlyOnce{writer: w, topic: o.Topic, env: env}, nil
	}
	return &atLeastOnce{writer: w}, nil
}
