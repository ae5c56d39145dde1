package client

import (
	"context"
	"io"
	"time"

	"github.com/segmentio/kafka-go/protocol"

	"tidemark/io/kafkaio/internal/wire"
)

// ProduceRequest gives batches to the leader of their partitions.
type ProduceRequest struct {
	// Broker leads all the partitions.
	Broker int32
	// Transaction is the id of the transaction that the batches belong to; empty for none.
	Transaction string
	// Timeout is how long the broker may wait for the replicas.
	Timeout time.Duration
	// Batches has at most one batch for each partition, stamped.
	Batches []ProduceBatch
}

// ProduceBatch is a batch on its way to a partition.
type ProduceBatch struct {
	TopicPartition
	Batch []byte
}

// ProduceAnswer is what became of a batch.
type ProduceAnswer struct {
	TopicPartition
	// Code is 0 where all in-sync replicas have the batch.
	Code Code
	// Message may say more about the code.
	Message string
	// Offset is that of the batch's first record.
	Offset int64
	// Refused are the records that are to blame, by their index in the batch, where the broker names them.
	Refused []RefusedRecord
}

// RefusedRecord is a record for which a broker refused a batch.
type RefusedRecord struct {
	Index   int32
	Message string
}

// Produce sends batches once and waits until all in-sync replicas have them. The error is about the request as a whole,
// after which nobody knows what became of the batches.
func (c *Client) Produce(ctx context.Context, p ProduceRequest) (answers []ProduceAnswer, err error) {
	err = c.exchange(ctx, p.Timeout+requestTimeout/2, protocol.Produce, p.Broker, func(conn io.ReadWriter, version int16) error {
		if version < 3 {
			return errOldBroker
		}
		q := wire.Request{Key: int16(protocol.Produce), Version: version, ID: requestID.Add(1), ClientID: c.options.ClientID}
		if err := writeProduce(conn, q, p); err != nil {
			return err
		}
		r, err := q.ReadFrame(conn, nil, 0, smallAnswer)
		if err != nil {
			return err
		}
		answers = readProduce(&r, version)
		return r.Err()
	})
	return answers, err
}

// copied is the size up to which batches are copied so that a request is one write.
const copied = 32 << 10

// writeProduce writes the request; large batches are not copied.
func writeProduce(conn io.Writer, q wire.Request, p ProduceRequest) error {
	apart := 0
	for _, b := range p.Batches {
		if len(b.Batch) > copied {
			apart += len(b.Batch)
		}
	}
	var frame wire.Writer
	q.Start(&frame)
	frame.Nullable(p.Transaction)
	frame.Int16(-1) // all in-sync replicas
	frame.Int32(int32(p.Timeout.Milliseconds()))
	partitions := make([]TopicPartition, len(p.Batches))
	batches := make(map[TopicPartition][]byte, len(p.Batches))
	for i, b := range p.Batches {
		partitions[i], batches[b.TopicPartition] = b.TopicPartition, b.Batch
	}
	topics, by := byTopic(partitions)
	var cuts []int // where in the frame, and which batch, one that is not copied belongs
	var aside [][]byte
	frame.Array(len(topics))
	for _, topic := range topics {
		frame.String(topic)
		frame.Array(len(by[topic]))
		for _, number := range by[topic] {
			batch := batches[TopicPartition{topic, number}]
			frame.Int32(number)
			frame.Int32(int32(len(batch)))
			if len(batch) <= copied {
				frame.Raw(batch)
				continue
			}
			cuts, aside = append(cuts, len(frame.B)), append(aside, batch)
		}
	}
	q.Finish(&frame, apart)
	return writePieces(conn, frame.B, cuts, aside)
}

// writePieces writes a frame with pieces put in at cuts.
func writePieces(conn io.Writer, frame []byte, cuts []int, pieces [][]byte) error {
	from := 0
	for i, cut := range cuts {
		if _, err := conn.Write(frame[from:cut]); err != nil {
			return err
		}
		if _, err := conn.Write(pieces[i]); err != nil {
			return err
		}
		from = cut
	}
	if from == len(frame) {
		return nil
	}
	_, err := conn.Write(frame[from:])
	return err
}

func readProduce(r *wire.Reader, version int16) (answers []ProduceAnswer) {
	for range r.Array() {
		topic := r.String()
		for range r.Array() {
			a := ProduceAnswer{TopicPartition: TopicPartition{topic, r.Int32()}}
			a.Code = Code(r.Int16())
			a.Offset = r.Int64()
			r.Int64() // time of appending
			if version >= 5 {
				r.Int64() // start of the log
			}
			if version >= 8 {
				for range r.Array() {
					a.Refused = append(a.Refused, RefusedRecord{r.Int32(), r.String()})
				}
				a.Message = r.String()
			}
			answers = append(answers, a)
		}
	}
	return answers
}
