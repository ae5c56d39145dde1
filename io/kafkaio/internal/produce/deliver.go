package produce

import (
	"errors"
	"time"

	"tidemark/io/kafkaio/internal/client"
)

// find asks for the leader of a partition, and puts its batch back so that it is sent there.
func (p *Producer) find(f flight) {
	_, err := p.client.Leader(p.ctx, f.TopicPartition)
	if err != nil {
		p.failed(f, err)
	} else {
		p.mutex.Lock()
		p.putBack(f)
		p.mutex.Unlock()
	}
	p.look()
}

// putBack makes the batch the first to be sent.
func (p *Producer) putBack(f flight) {
	f.flying = nil
	f.again = append([]*batch{f.batch}, f.again...)
}

// answerTimeout is how long a broker may wait for the replicas.
const answerTimeout = 15 * time.Second

// deliver sends batches to a broker, and sees to what becomes of them.
func (p *Producer) deliver(broker int32, flights []flight) {
	request := client.ProduceRequest{Broker: broker, Transaction: p.transaction().ID, Timeout: answerTimeout}
	for _, f := range flights {
		f.prepare(p.options.Compression, request.Transaction != "")
		request.Batches = append(request.Batches, client.ProduceBatch{TopicPartition: f.TopicPartition, Batch: f.encoded})
	}
	if err := p.join(flights); err != nil {
		p.fail(err)
		return
	}
	answers, err := p.client.Produce(p.ctx, request)
	if p.ctx.Err() != nil {
		return
	}
	by := make(map[client.TopicPartition]client.ProduceAnswer, len(answers))
	for _, a := range answers {
		by[a.TopicPartition] = a
	}
	for _, f := range flights {
		switch a, ok := by[f.TopicPartition]; {
		case err != nil:
			p.failed(f, err)
		case !ok:
			p.failed(f, client.UnknownServerError)
		default:
			p.answered(f, a)
		}
	}
}

// answered sees to the broker's answer about a batch.
func (p *Producer) answered(f flight, a client.ProduceAnswer) {
	switch a.Code {
	case 0, client.DuplicateSequence: // a duplicate is one that was stored before
		p.stored(f)
	case client.MessageTooLarge, client.RecordListTooLarge, client.InvalidRecord, client.InvalidTimestamp, client.UnsupportedForMessageFormat:
		p.refused(f, a)
	case client.InvalidTxnState, client.TransactionAbortable, client.ProducerFenced:
		p.fail(&client.FencedError{ID: p.transaction().ID})
	case client.OutOfOrderSequence, client.UnknownProducerID, client.InvalidProducerEpoch, client.InvalidProducerIDMapping:
		p.forgotten(f, a.Code)
	case client.TopicAuthorizationFailed:
		p.fail(&client.TopicError{Topic: f.Topic, Code: a.Code})
	default:
		p.failed(f, a.Code)
	}
}

// stored takes note of a batch that is where it should be.
func (p *Producer) stored(f flight) {
	p.client.Trouble(p.what(f), nil)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	n := f.builder.Len()
	f.partition.sequence = after(f.batch.sequence, n)
	f.flying, f.failures = nil, 0
	f.done += f.closes
	p.pending -= n
	p.written += int64(n)
	p.give(f.batch)
	p.changed.Broadcast()
}

func (p *Producer) what(f flight) string { return "write to " + f.TopicPartition.String() }

// failed sends a batch again after a pause, under the same number, unless the error will not pass or the time is over.
func (p *Producer) failed(f flight, err error) {
	if p.ctx.Err() != nil {
		return
	}
	var code client.Code
	if !errors.As(err, &code) || code.MovesLeader() {
		p.client.Moved(f.TopicPartition)
	}
	if !client.Retriable(err) {
		p.fail(&client.PartitionError{TopicPartition: f.TopicPartition, Err: err})
		return
	}
	if took := time.Since(f.sent); took > p.options.DeliveryTimeout {
		p.fail(&TimeoutError{f.TopicPartition, f.builder.Len(), took, err})
		return
	}
	p.client.Trouble(p.what(f), err)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	f.failures++
	f.pause = time.Now().Add(client.Pause(f.failures))
	p.putBack(f)
}

// patience is how often a batch is sent as it is to a broker that does not know what this producer wrote last. By then
// an earlier attempt that may still wait in the broker has come to its end.
const patience = 3

// forgotten sees to a broker that does not know what this producer wrote last: it lost it, or the records have passed
// their retention. A batch that was stored would have been recognised as a duplicate, so it was not, and is written under
// a new identity, which a transaction can not have.
func (p *Producer) forgotten(f flight, code client.Code) {
	if id := p.transaction().ID; id != "" {
		p.fail(&client.FencedError{ID: id})
		return
	}
	if f.strange++; f.strange <= patience {
		p.failed(f, passing{code})
		return
	}
	identity, err := p.client.InitProducer(p.ctx, "", time.Minute)
	if err != nil {
		p.failed(f, err)
		return
	}
	p.mutex.Lock()
	f.partition.identity, f.partition.sequence = identity, 0
	f.stamped, f.strange = false, 0
	for _, b := range f.again {
		b.stamped = false
	}
	p.mutex.Unlock()
	p.failed(f, passing{code})
}

// passing is a code of which the cause has been seen to.
type passing struct{ code client.Code }

func (e passing) Error() string { return e.code.Error() }

// Timeout is for net.Error: the batch may be sent again.
func (e passing) Timeout() bool { return true }

// Temporary is for net.Error.
func (e passing) Temporary() bool { return true }
