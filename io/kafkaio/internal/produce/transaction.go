package produce

import (
	"context"
	"errors"
	"time"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/recordbatch"
)

// Prepared names a transaction all of whose records are stored, and that waits to be committed or rolled back. It holds
// all that another process needs to do that.
type Prepared struct {
	ID         string `json:"id"`
	ProducerID int64  `json:"producer_id"`
	Epoch      int16  `json:"epoch"`
	// Records is the number of records in it.
	Records int64 `json:"records"`
	// Partitions are those of the topic that have records in it.
	Partitions []int32 `json:"partitions"`
	// Begun tells that brokers know of it. A transaction in which nothing was done is unknown to them.
	Begun bool `json:"begun"`
}

// session is what a producer is under one of its transactional ids, or without one.
type session struct {
	client.Transaction
	known     bool    // it has an identity
	sequences []int32 // of the partitions, while it is another session's turn
}

// begin gets identities.
func (p *Producer) begin(ctx context.Context) error {
	ids := p.options.Transactions
	if len(ids) == 0 {
		ids = []string{""}
	}
	for _, id := range ids {
		s := session{Transaction: client.Transaction{ID: id}, sequences: make([]int32, len(p.partitions))}
		if id == "" || id != p.options.Untouched {
			if err := p.identify(ctx, &s); err != nil {
				return err
			}
		}
		p.sessions = append(p.sessions, s)
	}
	return p.use(ctx, 0)
}

// identify gets the identity of a session, which rolls back what was open under its id.
func (p *Producer) identify(ctx context.Context, s *session) (err error) {
	timeout := p.options.TransactionTimeout
	if s.ID == "" {
		timeout = time.Minute // without a meaning, but it has to be allowed
	}
	s.Producer, err = p.client.InitProducer(ctx, s.ID, timeout)
	s.known = err == nil
	return err
}

// use makes it a session's turn. Nothing is on its way.
func (p *Producer) use(ctx context.Context, turn int) error {
	next := &p.sessions[turn]
	if !next.known {
		if err := p.identify(ctx, next); err != nil {
			return err
		}
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for i, part := range p.partitions {
		p.sessions[p.turn].sequences[i] = part.sequence
		part.identity, part.sequence, part.joined = next.Producer, next.sequences[i], false
	}
	p.turn = turn
	return nil
}

// Prepare sends what there is, names the transaction and, where there are several ids, goes on in the next one's. Nothing
// may be sent meanwhile, nor before the transaction that was last prepared under the next id has ended.
func (p *Producer) Prepare(ctx context.Context) (Prepared, error) {
	if err := p.Flush(ctx); err != nil {
		return Prepared{}, err
	}
	p.mutex.Lock()
	t := p.sessions[p.turn].Transaction
	done := Prepared{ID: t.ID, ProducerID: t.Producer.ID, Epoch: t.Epoch, Records: p.written, Begun: p.offsets}
	for _, part := range p.partitions {
		if part.joined {
			done.Partitions, done.Begun = append(done.Partitions, part.Partition), true
		}
	}
	turn := (p.turn + 1) % len(p.sessions)
	p.mutex.Unlock()
	if !done.Begun {
		return done, nil
	}
	if err := p.use(ctx, turn); err != nil {
		return Prepared{}, err
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.written, p.offsets = 0, false
	return done, nil
}

// RollBack takes back what was sent since the last Prepare, of a producer that is closed.
func (p *Producer) RollBack(ctx context.Context) error {
	err := p.client.EndTransaction(ctx, p.transaction(), false)
	var none *client.StateError // nothing was sent
	var fenced *client.FencedError
	if errors.As(err, &none) || errors.As(err, &fenced) {
		return nil
	}
	return err
}

// End commits a transaction or rolls it back. See [client.Client.EndTransaction] for the errors.
func (t Prepared) End(ctx context.Context, c *client.Client, commit bool) error {
	if !t.Begun {
		return nil
	}
	return c.EndTransaction(ctx, t.Transaction(), commit)
}

// Transaction gives the name that the client knows it by.
func (t Prepared) Transaction() client.Transaction {
	return client.Transaction{ID: t.ID, Producer: recordbatch.Producer{ID: t.ProducerID, Epoch: t.Epoch}}
}

// CommitOffsets makes the offsets of a group a part of the transaction.
func (p *Producer) CommitOffsets(ctx context.Context, group string, offsets map[client.TopicPartition]int64) error {
	p.mutex.Lock()
	p.offsets = true
	p.mutex.Unlock()
	return p.client.CommitOffsets(ctx, p.transaction(), group, offsets)
}

// transaction names the transaction that records are sent in; its ID is empty where there is none.
func (p *Producer) transaction() client.Transaction {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.sessions[p.turn].Transaction
}

// join takes the partitions of flights into the transaction, if they are not in it.
func (p *Producer) join(flights []flight) error {
	transaction := p.transaction()
	if transaction.ID == "" {
		return nil
	}
	var news []client.TopicPartition
	p.mutex.Lock()
	for _, f := range flights {
		if !f.joined {
			news = append(news, f.TopicPartition)
		}
	}
	p.mutex.Unlock()
	if len(news) == 0 {
		return nil
	}
	if err := p.client.AddPartitions(p.ctx, transaction, news); err != nil {
		return err
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, f := range flights {
		f.joined = true
	}
	return nil
}
