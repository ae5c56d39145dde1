package client

import (
	"context"
	"io"
	"math"
	"time"

	"github.com/segmentio/kafka-go/protocol"

	"tidemark/io/codec"
	"tidemark/io/kafkaio/internal/recordbatch"
	"tidemark/io/kafkaio/internal/wire"
)

// FetchRequest asks a partition for records.
type FetchRequest struct {
	TopicPartition
	Offset int64
	// MaxBytes limits the answer, but one batch always comes whole.
	MaxBytes int32
	// MaxWait is how long the broker may wait for the first record.
	MaxWait time.Duration
	// Committed leaves out what is in a transaction that has not ended (Kafka: isolation.level=read_committed).
	Committed bool
}

// FetchAnswer is what the leader of a partition gave.
type FetchAnswer struct {
	// Set is the records: whole batches, the last perhaps cut off. Padding for scanners follows within its capacity.
	Set []byte
	// Frame is the memory that Set is part of, to be given to another Fetch when Set is not used any more.
	Frame []byte
	// Aborted are the transactions of the set that were rolled back, at read_committed.
	Aborted []recordbatch.Aborted
	// HighWatermark is the offset behind the last record that all replicas have; LastStable that up to which all
	// transactions have ended.
	HighWatermark, LastStable int64
}

// maxFetch is the greatest answer that is taken. A batch may be larger than what was asked for.
const maxFetch = 1 << 30

// Fetch asks the leader of a partition once. The answer is read into buf or, where that is too small, into a new buffer.
// An error the broker gave is a *PartitionError.
func (c *Client) Fetch(ctx context.Context, f FetchRequest, buf []byte) (answer FetchAnswer, err error) {
	broker, err := c.Leader(ctx, f.TopicPartition)
	if err != nil {
		return FetchAnswer{}, err
	}
	var code Code
	err = c.exchange(ctx, f.MaxWait+requestTimeout, protocol.Fetch, broker, func(conn io.ReadWriter, version int16) (err error) {
		if version < 4 {
			return errOldBroker
		}
		answer, code, err = c.speakFetch(conn, version, f, buf)
		return err
	})
	if err == nil && code == 0 {
		return answer, nil
	}
	if err == nil {
		err = &PartitionError{f.TopicPartition, code}
	}
	if code == 0 || code.MovesLeader() {
		c.Moved(f.TopicPartition)
	}
	return FetchAnswer{}, err
}

// speakFetch sends the request and reads the answer.
func (c *Client) speakFetch(conn io.ReadWriter, version int16, f FetchRequest, buf []byte) (FetchAnswer, Code, error) {
	q := wire.Request{Key: int16(protocol.Fetch), Version: version, ID: requestID.Add(1), ClientID: c.options.ClientID}
	var w wire.Writer
	q.Start(&w)
	writeFetch(&w, version, f)
	q.Finish(&w, 0)
	if _, err := conn.Write(w.B); err != nil {
		return FetchAnswer{}, 0, err
	}
	r, err := q.ReadFrame(conn, buf, codec.Padding, maxFetch)
	if err != nil {
		return FetchAnswer{}, 0, err
	}
	return readFetch(&r, version)
}

func writeFetch(w *wire.Writer, version int16, f FetchRequest) {
	w.Int32(-1) // not a replica
	w.Int32(int32(f.MaxWait.Milliseconds()))
	w.Int32(1)             // answer as soon as there is something
	w.Int32(math.MaxInt32) // the limit of the only partition is enough
	w.Bool(f.Committed)
	if version >= 7 {
		w.Int32(0)  // no session
		w.Int32(-1) // and none to begin
	}
	w.Array(1)
	w.String(f.Topic)
	w.Array(1)
	w.Int32(f.Partition)
	if version >= 9 {
		w.Int32(-1) // leader epoch
	}
	w.Int64(f.Offset)
	if version >= 5 {
		w.Int64(-1) // of replicas
	}
	w.Int32(f.MaxBytes)
	if version >= 7 {
		w.Array(0) // topics that a session forgets
	}
	if version >= 11 {
		w.String("") // rack
	}
}

func readFetch(r *wire.Reader, version int16) (a FetchAnswer, code Code, err error) {
	a.Frame = r.Frame
	r.Int32() // throttle time
	if version >= 7 {
		if code := Code(r.Int16()); code != 0 {
			return a, code, nil
		}
		r.Int32() // session
	}
	if topics := r.Array(); topics != 1 {
		return a, 0, noPartition(r)
	}
	_ = r.String()
	if partitions := r.Array(); partitions != 1 {
		return a, 0, noPartition(r)
	}
	r.Int32()
	code = Code(r.Int16())
	a.HighWatermark, a.LastStable = r.Int64(), r.Int64()
	if version >= 5 {
		r.Int64() // the first offset that there still is
	}
	for range r.Array() {
		a.Aborted = append(a.Aborted, recordbatch.Aborted{ProducerID: r.Int64(), FirstOffset: r.Int64()})
	}
	if version >= 11 {
		r.Int32() // a replica to read from
	}
	a.Set = r.Bytes()
	return a, code, r.Err()
}

func noPartition(r *wire.Reader) error {
	if err := r.Err(); err != nil {
		return err
	}
	return errNoAnswer
}
