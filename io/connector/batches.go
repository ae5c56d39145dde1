package connector

import (
	"context"

	"tidemark/io/codec"
	"tidemark/stream"
)

// Columnar is a source whose files hold columns, which it reads straight into batches.
type Columnar interface {
	Source
	// Fields gives the columns that the files have, merged over all of them, without reading any rows. It is
	// called before Open, and may fail where a file is not there yet.
	Fields(ctx context.Context, env Environment) ([]stream.Field, error)
	// OpenColumns gives the partitions in the order of their names. columns are the paths that will be asked
	// for; a path that a file lacks gives missing values.
	OpenColumns(ctx context.Context, env Environment, columns []codec.Column) ([]ColumnPartition, error)
}

// ColumnPartition is a partition of a columnar source. Next and Close are as for a [Partition]; a chunk is a range
// of rows, Offset up to End, cut by a constant that never depends on the machine.
type ColumnPartition interface {
	Name() string
	Next(ctx context.Context) (Chunk, error)
	Close() error
	// Reader gives what decodes chunks of the source's partitions. Several may be in use at once.
	Reader() ColumnReader
}

// Statistical is a [ColumnPartition] that knows something of the values of a chunk without reading them.
type Statistical interface {
	// Statistics gives the least and the greatest value of the column at path in all rows of a chunk: both an
	// int64, a float64, a string or a stream.Time, which may lie further apart than the values do. It reports
	// false where it does not know, or where a row has no value.
	Statistics(c Chunk, path stream.Path) (least, greatest any, ok bool)
}

// ColumnReader decodes chunks, one at a time, of any partition of one source.
type ColumnReader interface {
	// Load decodes a chunk of p into b, whose columns are then those of OpenColumns, in order. What it gives is
	// valid until the next Load. bad are rows with a value that cannot be given, such as an instant that no
	// milliseconds hold; they are left out of b.Sel.
	Load(ctx context.Context, p ColumnPartition, c Chunk, b *stream.Batch) (bad []codec.Bad, err error)
}

// TypedSink is a [RowSink] that has to know the types of its columns before the first row.
type TypedSink interface {
	RowSink
	// SetFields says what the columns are called and what is known of their types. It is called once, before
	// WriteRows.
	SetFields(fields []stream.Field) error
}

// WithSchema is a sink whose block in a pipeline file may fix the types of columns, under schema.
type WithSchema interface {
	Sink
	// SetSchema hands over what schema says. It is called at most once, before Open.
	SetSchema(fields []stream.Field)
}
