package connector

import "context"

// Growing is a source of lines that may have no end of its own, and whose partitions may become more while it is read.
type Growing interface {
	Source
	// Bounded reports whether the source ends by itself. One that does is opened by Open.
	Bounded() bool
	// OpenGrowing begins to read a source without an end. As with a [RecordPartition], Next of its partitions gives a
	// chunk without lines at least every second, which says that the partition was looked at and had nothing.
	OpenGrowing(ctx context.Context, env Environment) (GrowingReader, error)
}

// GrowingReader is an open [Growing] source.
type GrowingReader interface {
	// Partitions gives those that there were when it was opened, by name.
	Partitions() []Partition
	// Added waits for partitions that have come since. It gives io.EOF where none will come. One goroutine calls it.
	Added(ctx context.Context) ([]Partition, error)
	// Close ends all partitions.
	Close() error
}
