package kafkaio

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"time"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
)

// pace is how long things may take. What is 0 is as the packages below have it. Tests are faster.
type pace struct {
	// reach is how long nobody may answer when the source is opened.
	reach time.Duration
	// maxWait, patience and gone are those of a partition, see consume.Options.
	maxWait, patience, gone time.Duration
	// dial opens connections in place of the net package.
	dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// OpenRecords implements [connector.RecordSource].
func (o *SourceOptions) OpenRecords(ctx context.Context, env connector.Environment, facts []string) (connector.RecordReader, error) {
	r := &recordReader{options: o, env: env, facts: facts, partitions: make(map[client.TopicPartition]*partition)}
	name := "tidemark"
	if env.Pipeline != "" {
		name += "/" + env.Pipeline
	}
	var err error
	r.client, err = client.Open(client.Options{
		Brokers: addresses(o.Brokers), ClientID: name, TLS: o.TLS.client(), SASL: o.SASL.client(), Dial: o.pace.dial,
		Notify: func(n client.Notice) { r.warn("%s", n) },
	})
	if err != nil {
		return nil, fmt.Errorf("source %q: %w", env.Node, err)
	}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	if err := r.begin(ctx); err != nil {
		r.Close()
		return nil, fmt.Errorf("source %q: %w", env.Node, err)
	}
	return r, nil
}

// begin connects, and makes the partitions that there are.
func (r *recordReader) begin(ctx context.Context) error {
	o := r.options
	if err := r.client.Reach(ctx, cmp.Or(o.pace.reach, 10*time.Second)); err != nil {
		return err
	}
	r.subscription = r.client.Subscribe(o.names()...)
	if o.Pattern != "" {
		wanted, err := client.Pattern(o.Pattern)
		if err != nil {
			return err
		}
		r.subscription = r.client.SubscribeMatching(wanted)
	}
	topics, err := r.look(ctx)
	if err != nil {
		return err
	}
	if len(topics) == 0 && o.Bounded() {
		return fmt.Errorf("no topic matches pattern %q at %s: correct it, or create one", o.Pattern, r.client.Brokers())
	}
	if len(topics) == 0 {
		r.warn("no topic matches pattern %q at %s yet: waiting for one", o.Pattern, r.client.Brokers())
	}
	_, err = r.take(ctx, topics, o.start())
	return err
}
