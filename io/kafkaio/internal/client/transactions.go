package client

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/segmentio/kafka-go/protocol/addoffsetstotxn"
	"github.com/segmentio/kafka-go/protocol/addpartitionstotxn"
	"github.com/segmentio/kafka-go/protocol/endtxn"
	"github.com/segmentio/kafka-go/protocol/initproducerid"
	"github.com/segmentio/kafka-go/protocol/txnoffsetcommit"

	"tidemark/io/kafkaio/internal/recordbatch"
)

// Transaction names an open transaction, for any process.
type Transaction struct {
	// ID is the transactional id.
	ID string
	recordbatch.Producer
}

// FencedError says that a transaction can not be ended or written to any more, because another process has taken its
// id over, or because its timeout has passed: the broker has rolled it back.
type FencedError struct {
	ID  string
	err error
}

// Error says what is wrong, and what to do about it where that is known.
func (e *FencedError) Error() string {
	return fmt.Sprintf("transaction %q has been rolled back: its timeout passed, or another process uses its id", e.ID)
}

// Unwrap gives the cause.
func (e *FencedError) Unwrap() error { return e.err }

// TimeoutTooLongError says that brokers do not allow transactions to last as long as was asked for.
type TimeoutTooLongError struct {
	Timeout time.Duration
	err     error
}

// Error says what is wrong, and what to do about it where that is known.
func (e *TimeoutTooLongError) Error() string {
	return fmt.Sprintf("transactions may not last %s: the brokers' transaction.max.timeout.ms is less; raise it, or ask for less", e.Timeout)
}

// Unwrap gives the cause.
func (e *TimeoutTooLongError) Unwrap() error { return e.err }

// StateError says that a transaction is not in a state in which it could be ended so: it was ended the other way.
type StateError struct {
	ID     string
	Commit bool
	err    error
}

// Error says what is wrong, and what to do about it where that is known.
func (e *StateError) Error() string {
	if e.Commit {
		return fmt.Sprintf("transaction %q can not be committed: it has been rolled back", e.ID)
	}
	return fmt.Sprintf("transaction %q can not be rolled back: it has been committed", e.ID)
}

// Unwrap gives the cause.
func (e *StateError) Unwrap() error { return e.err }

// InitProducer gives a new identity to write with. With a transactional id that is one which nobody else has: a transaction
// that is still open under the id is rolled back, and whoever else uses it is fenced off.
func (c *Client) InitProducer(ctx context.Context, transactionalID string, timeout time.Duration) (p recordbatch.Producer, err error) {
	p = recordbatch.NoProducer
	// -1/-1 asks for a new identity; the zero values would claim the identity 0
	request := &initproducerid.Request{
		TransactionalID:      transactionalID,
		TransactionTimeoutMs: int32(min(timeout.Milliseconds(), math.MaxInt32)),
		ProducerID:           -1,
		ProducerEpoch:        -1,
	}
	err = c.repeat(ctx, "start of a producer", func(ctx context.Context) error {
		answer, err := c.call(ctx, request)
		if err != nil {
			return err
		}
		a := answer.(*initproducerid.Response)
		switch code := Code(a.ErrorCode); code {
		case 0:
			p = recordbatch.Producer{ID: a.ProducerID, Epoch: a.ProducerEpoch}
			return nil
		case InvalidTransactionTimeout:
			return &TimeoutTooLongError{timeout, code}
		default:
			return transactionError(transactionalID, code)
		}
	})
	return p, err
}

// transactionError gives the error of a code about a transaction; nil for none.
func transactionError(id string, code Code) error {
	switch code {
	case 0:
		return nil
	// brokers before Kafka 2.7 say that the epoch is invalid; an id that was not used for a week has no mapping any more
	case ProducerFenced, InvalidProducerEpoch, InvalidProducerIDMapping:
		return &FencedError{id, code}
	case TransactionalIDDenied:
		return fmt.Errorf("transactional id %q is not allowed for this user: grant it access: %w", id, code)
	}
	return code
}

// AddPartitions takes partitions into a transaction. They have to be in it before records are produced to them.
func (c *Client) AddPartitions(ctx context.Context, t Transaction, partitions []TopicPartition) error {
	request := &addpartitionstotxn.Request{TransactionalID: t.ID, ProducerID: t.Producer.ID, ProducerEpoch: t.Epoch}
	topics, by := byTopic(partitions)
	for _, topic := range topics {
		request.Topics = append(request.Topics, addpartitionstotxn.RequestTopic{Name: topic, Partitions: by[topic]})
	}
	return c.repeat(ctx, "transaction "+t.ID, func(ctx context.Context) error {
		answer, err := c.call(ctx, request)
		if err != nil {
			return err
		}
		var errs []error
		for _, topic := range answer.(*addpartitionstotxn.Response).Results {
			for _, p := range topic.Results {
				if code := Code(p.ErrorCode); code != 0 && code != operationNotAttempted {
					errs = append(errs, transactionError(t.ID, code))
				}
			}
		}
		return worst(errs)
	})
}

// operationNotAttempted goes along with the code of another partition in the same request.
const operationNotAttempted Code = 55

// EndTransaction commits a transaction or rolls it back. Any process may do that; doing it again is harmless. The errors
// that matter are *FencedError (what was written is lost) and *StateError.
func (c *Client) EndTransaction(ctx context.Context, t Transaction, commit bool) error {
	request := &endtxn.Request{TransactionalID: t.ID, ProducerID: t.Producer.ID, ProducerEpoch: t.Epoch, Committed: commit}
	what := "roll-back of transaction "
	if commit {
		what = "commit of transaction "
	}
	return c.repeat(ctx, what+t.ID, func(ctx context.Context) error {
		answer, err := c.call(ctx, request)
		if err != nil {
			return err
		}
		// while an earlier commit is still being written out the answer is ConcurrentTransactions, which passes
		code := Code(answer.(*endtxn.Response).ErrorCode)
		if code == InvalidTxnState {
			return &StateError{t.ID, commit, code}
		}
		return transactionError(t.ID, code)
	})
}

// CommitOffsets sets the offsets of a group as a part of a transaction: they count when it is committed.
func (c *Client) CommitOffsets(ctx context.Context, t Transaction, group string, offsets map[TopicPartition]int64) error {
	add := &addoffsetstotxn.Request{TransactionalID: t.ID, ProducerID: t.Producer.ID, ProducerEpoch: t.Epoch, GroupID: group}
	err := c.repeat(ctx, "transaction "+t.ID, func(ctx context.Context) error {
		answer, err := c.call(ctx, add)
		if err != nil {
			return err
		}
		return transactionError(t.ID, Code(answer.(*addoffsetstotxn.Response).ErrorCode))
	})
	if err != nil {
		return err
	}
	request := offsetsIn(t, group, offsets)
	return c.repeat(ctx, "transaction "+t.ID, func(ctx context.Context) error {
		answer, err := c.call(ctx, request)
		if err != nil {
			return err
		}
		var errs []error
		for _, topic := range answer.(*txnoffsetcommit.Response).Topics {
			for _, p := range topic.Partitions {
				if code := Code(p.ErrorCode); code != 0 {
					errs = append(errs, c.groupError(group, transactionError(t.ID, code)))
				}
			}
		}
		return worst(errs)
	})
}

func offsetsIn(t Transaction, group string, offsets map[TopicPartition]int64) *txnoffsetcommit.Request {
	request := &txnoffsetcommit.Request{
		TransactionalID: t.ID, ProducerID: t.Producer.ID, ProducerEpoch: t.Epoch, GroupID: group, GenerationID: -1,
	}
	topics, by := byTopic(slices.Collect(maps.Keys(offsets)))
	for _, topic := range topics {
		of := txnoffsetcommit.RequestTopic{Name: topic}
		for _, p := range by[topic] {
			of.Partitions = append(of.Partitions, txnoffsetcommit.RequestPartition{
				Partition: p, CommittedOffset: offsets[TopicPartition{topic, p}], CommittedLeaderEpoch: -1,
			})
		}
		request.Topics = append(request.Topics, of)
	}
	return request
}
