package kafkaio

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/produce"
)

var (
	_ connector.RecordSink = (*exactlyOnce)(nil)
	_ connector.Refusing   = (*exactlyOnce)(nil)
	_ connector.Pressured  = (*exactlyOnce)(nil)
	_ connector.TwoPhase   = (*exactlyOnce)(nil)
)

// exactlyOnce is an output whose records belong to transactions. It is no Settler: what is stored counts only when the
// transaction is committed.
type exactlyOnce struct {
	*writer
	topic string
	env   connector.Environment
	// prepared is the epoch that waits to be committed; its ID is empty where there is none.
	prepared epoch
}

// epoch is a prepared transaction as a checkpoint has it.
type epoch struct {
	produce.Prepared
	Topic string    `json:"topic"`
	At    time.Time `json:"at"`
}

// transactionIDs gives the transactional ids of a sink, by turn.
func transactionIDs(env connector.Environment) []string {
	ids := make([]string, 3)
	for i := range ids {
		ids[i] = fmt.Sprintf("%s-%s-%d", cmp.Or(env.Pipeline, "tidemark"), env.Node, i)
	}
	return ids
}

// resume commits what an earlier run has prepared, and has the producer begin behind it.
func resume(ctx context.Context, c *client.Client, env connector.Environment, o *produce.Options) error {
	o.Transactions = transactionIDs(env)
	if len(env.Prepared) == 0 {
		return nil
	}
	e, err := decodeEpoch(env.Prepared)
	if err != nil {
		return err
	}
	if i := slices.Index(o.Transactions, e.ID); i >= 0 {
		o.Untouched = e.ID
		o.Transactions = append(o.Transactions[i+1:len(o.Transactions):len(o.Transactions)], o.Transactions[:i+1]...)
	}
	return e.commit(ctx, c)
}

func decodeEpoch(state []byte) (e epoch, err error) {
	if err := json.Unmarshal(state, &e); err != nil || e.ID == "" {
		return e, fmt.Errorf("the checkpoint has %q for this sink, which names no transaction: it was written by a sink of another kind; start without it", state)
	}
	return e, nil
}

// commit makes the epoch's records visible. Doing it again is harmless.
func (e epoch) commit(ctx context.Context, c *client.Client) error {
	err := e.End(ctx, c, true)
	var fenced *client.FencedError
	var rolledBack *client.StateError
	if errors.As(err, &fenced) || errors.As(err, &rolledBack) {
		return &LostError{Topic: e.Topic, Records: e.Records, At: e.At, err: err}
	}
	return err
}

// LostError says that records of a transaction that was prepared can't be committed any more.
type LostError struct {
	Topic string
	// Records is their number, At the time at which they were prepared.
	Records int64
	At      time.Time
	err     error
}

// Error says what is lost, why and what to do.
func (e *LostError) Error() string {
	return fmt.Sprintf("lost %s for topic %q, of the checkpoint at %s: %v; write from an earlier point again, and make transaction_timeout longer than checkpoints and a restart take",
		client.Counted(e.Records, "record", "records"), e.Topic, e.At.UTC().Format(time.RFC3339), e.err)
}

// Unwrap gives the cause.
func (e *LostError) Unwrap() error { return e.err }

// WriteRecord implements [connector.RecordSink].
func (o *exactlyOnce) WriteRecord(r *connector.Record) error {
	return o.explain(o.writer.WriteRecord(r))
}

// Flush implements [connector.Output].
func (o *exactlyOnce) Flush() error { return o.explain(o.writer.Flush()) }

// explain says what the loss of a transaction that is still being written means.
func (o *exactlyOnce) explain(err error) error {
	var fenced *client.FencedError
	if !errors.As(err, &fenced) {
		return err
	}
	return fmt.Errorf("what was written to topic %q since the last checkpoint was taken back: %w; run one process a pipeline, make transaction_timeout longer than checkpoints take, and resume from the last one",
		o.topic, err)
}

// Prepare implements [connector.TwoPhase]. What was prepared before has to be committed first.
func (o *exactlyOnce) Prepare(ctx context.Context) ([]byte, error) {
	if o.prepared.ID != "" {
		return nil, fmt.Errorf("transaction %q of topic %q waits to be committed: that comes before the next checkpoint", o.prepared.ID, o.topic)
	}
	done, err := o.producer.Prepare(ctx)
	if err != nil || !done.Begun {
		return nil, o.explain(err)
	}
	o.prepared = epoch{done, o.topic, o.env.Now()}
	return json.Marshal(o.prepared)
}

// CommitPrepared implements [connector.TwoPhase]. A [*LostError] says that it is too late.
func (o *exactlyOnce) CommitPrepared(ctx context.Context, state []byte) error {
	if len(state) == 0 {
		return nil
	}
	e, err := decodeEpoch(state)
	if err != nil {
		return err
	}
	return o.commit(ctx, e)
}

func (o *exactlyOnce) commit(ctx context.Context, e epoch) error {
	if err := e.commit(ctx, o.client); err != nil {
		return err
	}
	if e.ID == o.prepared.ID {
		o.prepared = epoch{}
	}
	return nil
}

// Commit implements [connector.Output]: it commits all that is prepared and all that is not.
func (o *exactlyOnce) Commit() error {
	ctx := context.Background()
	if o.prepared.ID != "" {
		if err := o.commit(ctx, o.prepared); err != nil {
			return err
		}
	}
	state, err := o.Prepare(ctx)
	if err == nil {
		err = o.CommitPrepared(ctx, state)
	}
	if err != nil {
		return err
	}
	return o.finish()
}

// rollBackTimeout keeps Abort quick while the cluster is away.
const rollBackTimeout = 2 * time.Second

// Abort implements [connector.Output]. It leaves what is prepared, which a run that resumes will commit.
func (o *exactlyOnce) Abort() error {
	if o.over {
		return nil
	}
	o.giveUp()
	defer o.client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), rollBackTimeout)
	defer cancel()
	if err := o.producer.RollBack(ctx); err != nil && o.env.Warn != nil {
		o.env.Warn(fmt.Sprintf("%s: the transaction could not be rolled back (%v): readers of topic %q wait until the next run does, or its transaction_timeout ends",
			o.env.Node, err, o.topic))
	}
	return nil
}
