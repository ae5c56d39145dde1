package connector

import (
	"context"

	"tidemark/io/codec"
	"tidemark/stream"
)

// RecordSource is a source of records that come with more than a text: with a key, headers, a timestamp and an offset,
// as Kafka's do. Its partitions may become more while it is read, and how far it was read can be committed.
type RecordSource interface {
	// Validate gives what is wrong with the options by themselves, without looking at the world.
	Validate() []Problem
	// Bounded reports whether the source ends by itself.
	Bounded() bool
	// Facts are the names below meta that expressions may ask for. Of a name that ends in a dot, such as "headers.",
	// any name may follow; without the dot it is the whole object.
	Facts() []string
	// TimeFact is the fact that gives the event time where the pipeline names none.
	TimeFact() string
	// OpenRecords connects and finds out where to begin. facts are those that will be asked for. What is wrong with a
	// single partition may show at its first Next.
	OpenRecords(ctx context.Context, env Environment, facts []string) (RecordReader, error)
}

// RecordReader is an open [RecordSource].
type RecordReader interface {
	// Partitions gives those that there were when it was opened, by topic and number.
	Partitions() []RecordPartition
	// Added waits for partitions that have come since. It gives io.EOF where none will come. One goroutine calls it.
	Added(ctx context.Context) ([]RecordPartition, error)
	// Loader makes what decodes chunks of any partition. Several may be in use at once.
	Loader() RecordLoader
	// Commit makes known how far the source was read: for each partition the offset of the first record that is still
	// needed. It does nothing where the pipeline has nobody to tell.
	Commit(ctx context.Context, positions map[RecordPartition]int64) error
	// Close ends all partitions and connections.
	Close() error
}

// RecordPartition is a partition of a [RecordReader]. Its comparable value is its identity.
type RecordPartition interface {
	// Name is for messages and metrics, such as "orders/3".
	Name() string
	// Next waits for records. One goroutine at a time calls it. A chunk's Offset and End are the offsets from the
	// first one wanted to that behind the last one covered, whether or not records have all of them; its Fetch is for
	// the loader. A chunk without records says that the partition was looked at and had nothing; it comes at least
	// every second while all is well, and not while the partition can't be reached. At the end of a bounded source
	// Next gives io.EOF.
	Next(ctx context.Context) (Chunk, error)
	// Lag gives the number of offsets between a position and the end of the partition as far as it is known, −1 before.
	// It may be called by any goroutine.
	Lag(position int64) int64
	// Start is the offset at which the reading begins.
	Start() int64
	// Close ends the partition. It makes a blocked Next return an error.
	Close() error
}

// RecordLoader decodes chunks, one at a time. What it gives is valid until Release. Values are counted from 0, as
// lines.
type RecordLoader interface {
	// Load gives the values of a chunk's records as pieces of data, with a line feed behind each, as
	// [codec.JSONScanner.ScanValues] and those of other formats want them; data ends behind the last one, and has
	// [Padding] within its capacity unless there are none. A value that is null is so in its span.
	Load(p RecordPartition, c Chunk) (data []byte, values []codec.Span, err error)
	// Release gives back the memory of the chunk: what Load gave is not used any more.
	Release()
	// Skipped gives the number of records of the chunk that are left out on purpose, such as tombstones.
	Skipped() int
	// Offset gives the offset of a line.
	Offset(line int) int64
	// Fact fills a column with a fact of each of n lines.
	Fact(name string, n int, column *stream.Column)
	// Place names a line for messages, such as "orders/3 offset 42"; Meta does so for the dirty output.
	Place(line int) string
	Meta(line int) map[string]any
}

// RecordSink is an output that takes records with a key, headers and a time of their own, encoded.
type RecordSink interface {
	Output
	// WriteRecord takes a record on its way. What it points to is copied. It waits while there is no room.
	WriteRecord(r *Record) error
}

// Record is a record for a [RecordSink].
type Record struct {
	// Key is nil for none.
	Key []byte
	// Value is nil for a tombstone, which deletes what the key stands for.
	Value   []byte
	Headers []Header
	// Time is the event time; MinTime where there is none.
	Time stream.Time
}

// Header is a name and a value that go along with a record; a nil value is null.
type Header struct {
	Name  string
	Value []byte
}

// Refusing is an output whose receiver may refuse single records.
type Refusing interface {
	// TakeRefused gives the records that were refused since the last call. It may be called after Commit too.
	TakeRefused() []RefusedRecord
}

// RefusedRecord is a record that its receiver did not take, and why.
type RefusedRecord struct {
	Record
	Reason string
}

// Settler is an output that can make safe what it was given while the run goes on. How far sources were read is
// committed only behind it, and after a Flush; where a sink is no Settler that waits for the end of the run.
type Settler interface {
	// Settle returns when everything that was written before the call is stored, or refused. Unlike the other methods
	// it may be called by another goroutine while writing goes on.
	Settle(ctx context.Context) error
}

// Pressured is an output that knows how long writing had to wait for its receiver.
type Pressured interface {
	// Waited gives the seconds since it was opened. It may be called by any goroutine.
	Waited() float64
}

// TwoPhase is an output that keeps what it was given from its readers until an epoch is over.
type TwoPhase interface {
	// Prepare stores everything that was written since the last call, and gives what another process needs to commit
	// it; nil where nothing was written. Writing may go on at once. What it gave before has to be committed by then.
	Prepare(ctx context.Context) (state []byte, err error)
	// CommitPrepared makes visible what Prepare has named, once a checkpoint has it for good. Doing it again is harmless.
	// A run that goes on from a checkpoint has Open do it, by [Environment.Prepared].
	CommitPrepared(ctx context.Context, state []byte) error
}
