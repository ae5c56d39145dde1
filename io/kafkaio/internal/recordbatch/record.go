package recordbatch

// TimestampType says who set a record's timestamp.
type TimestampType int8

// The timestamp types (Kafka: message.timestamp.type).
const (
	CreateTime    TimestampType = 0 // the producer
	LogAppendTime TimestampType = 1 // the broker, when it wrote the record
)

// String gives the type as Kafka spells it.
func (t TimestampType) String() string {
	if t == LogAppendTime {
		return "LogAppendTime"
	}
	return "CreateTime"
}

// Record is a record of a set. Its slices are valid until the walk goes on to the next batch, and, where the batch is
// not compressed, as long as the set is.
type Record struct {
	Offset int64
	// Timestamp is in milliseconds since 1970; -1 where the producer gave none.
	Timestamp     int64
	TimestampType TimestampType
	// Key and Value are nil where they are null.
	Key, Value []byte
	// At is where the value begins in the set; -1 where it is not in the set, since the batch is compressed.
	At int
	// HeaderCount is the number of headers.
	HeaderCount int
	headers     []byte
	// Where value and key begin among the records of the batch.
	valueAt, keyAt int
}

// Header is a name and a value that go along with a record. Names may repeat; a nil value is null.
type Header struct {
	Name  string
	Value []byte
}

// EachHeader calls f with each header in order, until f returns false. The slices are valid as long as the record is.
func (r *Record) EachHeader(f func(name, value []byte) bool) {
	c := cursor{b: r.headers}
	for range r.HeaderCount {
		name := c.bytes()
		if !f(name, c.bytes()) {
			return
		}
	}
}

// AppendHeaders appends copies of the headers to dst.
func (r *Record) AppendHeaders(dst []Header) []Header {
	r.EachHeader(func(name, value []byte) bool {
		h := Header{Name: string(name)}
		if value != nil {
			h.Value = append([]byte{}, value...)
		}
		dst = append(dst, h)
		return true
	})
	return dst
}

// Aborted is a transaction that was rolled back, as a broker tells it with a fetch at read_committed.
type Aborted struct {
	ProducerID int64
	// FirstOffset is that of the transaction's first record in the partition.
	FirstOffset int64
}
