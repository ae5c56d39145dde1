package produce

import (
	"cmp"
	"time"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/recordbatch"
)

// Options say how to write.
type Options struct {
	Topic       string
	Compression recordbatch.Compression
	// Linger is how long a record waits for others; 0 stands for 5 ms.
	Linger time.Duration
	// BatchBytes is the size of a batch before compression; 0 stands for 1,000,000, which every broker takes unless it
	// was told not to, and for less where a topic has very many partitions. It becomes less when a broker refuses so much.
	BatchBytes int
	// DeliveryTimeout is how long a batch may take from when it is sent first, failures included; 0 stands for 2 m.
	DeliveryTimeout time.Duration
	// Transactions are the transactional ids, which are used in turn; none for no transactions.
	Transactions []string
	// Untouched is one of the ids, or empty. What an earlier process has left open under the others is rolled back at
	// once; under this one only when its turn comes, so that what was prepared under it can be committed until then.
	Untouched string
	// TransactionTimeout is how long a transaction may be open before brokers roll it back; 0 stands for 15 m, the most
	// that they allow by default.
	TransactionTimeout time.Duration
	// Refused is told of records that a broker does not take. Other partitions go on meanwhile. Nil: the producer ends
	// with the error.
	Refused func(Refused)
}

// bufferBytes is how much memory the batches of a topic should need at most, two for each partition.
const bufferBytes = 128 << 20

// withDefaults gives the options for a topic of so many partitions.
func (o Options) withDefaults(partitions int) Options {
	o.BatchBytes = cmp.Or(o.BatchBytes, max(min(1_000_000, bufferBytes/(2*max(partitions, 1))), smallBatch))
	o.Linger = cmp.Or(o.Linger, 5*time.Millisecond)
	o.DeliveryTimeout = cmp.Or(o.DeliveryTimeout, 2*time.Minute)
	o.TransactionTimeout = cmp.Or(o.TransactionTimeout, 15*time.Minute)
	return o
}

// Message is a record to be written. What it points to is copied.
type Message struct {
	// Key chooses the partition; records without one (nil) go wherever there is room.
	Key []byte
	// Value is nil for a tombstone.
	Value   []byte
	Headers []recordbatch.Header
	// Timestamp is in milliseconds since 1970.
	Timestamp int64
}

// Refused is a record that a broker did not take. Its slices belong to the callee.
type Refused struct {
	client.TopicPartition
	Message
	// Err says why.
	Err error
}
