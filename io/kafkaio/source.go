package kafkaio

import (
	"context"
	"fmt"
	"time"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
)

// pace is how long things may take. What is 0 is as the packages below have it. Tests are faster.
type pace struct {
	// maxWait, patience and gone are those of a partition, see consume.Options.
	maxWait, patience, gone time.Duration
}

// OpenRecords implements [connector.RecordSource].
func (o *SourceOptions) OpenRecords(ctx context.Context, env connector.Environment, facts []string) (connector.RecordReader, error) {
	r := &recordReader{options: o, env: env, facts: facts, partitions: make(map[client.TopicPartition]*partition), pool: consume.NewPool(spare)}
	var err error
	if r.client, err = o.connect(ctx, env, askAgain); err != nil {
		return nil, err
	}
	r.ctx, r.cancel = context.WithCancel(context.Background())
	if err := r.begin(ctx); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// askAgain is how long questions are repeated that do not work.
const askAgain = 30 * time.Second

// begin makes the partitions that there are.
func (r *recordReader) begin(ctx context.Context) error {
	o := r.options
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
