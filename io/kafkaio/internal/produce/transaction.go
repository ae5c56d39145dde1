package produce

import (
	"context"

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

// Prepare sends what there is and names the transaction. Nothing may be sent until the transaction has ended.
func (p *Producer) Prepare(ctx context.Context) (Prepared, error) {
	if err := p.Flush(ctx); err != nil {
		return Prepared{}, err
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	done := Prepared{ID: p.options.Transaction, ProducerID: p.identity.ID, Epoch: p.identity.Epoch, Records: p.written, Begun: p.offsets}
	for _, part := range p.partitions {
		if part.joined {
			done.Partitions, done.Begun = append(done.Partitions, part.Partition), true
			part.joined = false
		}
	}
	p.written, p.offsets = 0, false
	return done, nil
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
	return p.client.CommitOffsets(ctx, p.current(), group, offsets)
}

// current names the transaction that is open.
func (p *Producer) current() client.Transaction {
	return client.Transaction{ID: p.options.Transaction, Producer: p.identity}
}

// join takes the partitions of flights into the transaction, if they are not in it.
func (p *Producer) join(flights []flight) error {
	if p.options.Transaction == "" {
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
	if err := p.client.AddPartitions(p.ctx, p.current(), news); err != nil {
		return err
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, f := range flights {
		f.joined = true
	}
	return nil
}
