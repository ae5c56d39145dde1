package connector

import "context"

// Padding is the number of bytes behind the end of loaded lines that may be read and overwritten. The first
// of them is a newline, the others are 0.
const Padding = 64

// DefaultChunkSize is the size of a chunk in bytes unless an [Environment] says otherwise.
const DefaultChunkSize = 512 << 10

// Source is the decoded options of a source kind.
type Source interface {
	// Validate gives what is wrong with the options by themselves, without looking at the world.
	Validate() []Problem
	// Open gives the partitions in the order of their names. It opens as little as it can: what is wrong
	// with a single partition may show at its first Next.
	Open(ctx context.Context, env Environment) ([]Partition, error)
}

// Reader is a source that can tell whether it reads what a [Targeted] sink writes.
type Reader interface {
	// Reads reports whether a target is among what is read, or would be if it existed.
	Reads(target string) bool
}

// Located is a source that can tell beforehand which of its inputs are not there.
type Located interface {
	// Missing gives the names that lead to no input, such as a glob that matches nothing, each with the
	// reason. It opens nothing.
	Missing() []Missing
}

// Missing is the name of an input as the options have it, and why there is none.
type Missing struct {
	Name string
	Err  error
}

// LineLimited is a source of lines whose length has a limit. Longer ones are loaded so that they still are too
// long, and whoever parses lines reports them.
type LineLimited interface {
	// LongestLine is the greatest number of bytes that a line may have without its end.
	LongestLine() int
}

// Partition is a part of a source with an order of its own: a file, a pipe.
type Partition interface {
	// Name is the partition's name, by which partitions are ordered.
	Name() string
	// Next claims the next chunk. One goroutine at a time may call it. It blocks while a pipe has no
	// complete line. At the end of the input it gives io.EOF.
	Next(ctx context.Context) (Chunk, error)
	// Load gives the complete lines that start in a chunk; the last line of an input may lack its newline.
	// It takes buf over, so the caller must not use it any more, and uses it if it is large enough; the
	// lines belong to the caller. [Padding] bytes follow them within their capacity.
	// Load may be called for several chunks at once.
	Load(ctx context.Context, c Chunk, buf []byte) (lines []byte, err error)
	// Close ends the partition and what it runs in the background. It makes a blocked Next return an
	// error, which is never io.EOF.
	Close() error
}

// Chunk is a piece of a partition.
type Chunk struct {
	// Index counts the chunks of the partition from 0.
	Index int64
	// File is the file that the chunk is of, where that is not what the partition is called by.
	File string
	// Offset and End are the piece of the input, in bytes from its start, that the chunk stands for. In a partition of
	// several files they count in the chunk's own, so that with an Offset of 0 the numbers of lines begin again.
	Offset, End int64
	// Line is the number of the chunk's first line in its file, from 1, where files are read in turns; else 0.
	Line int
	// Data is the lines themselves where they had to be read to cut the chunk; else nil.
	Data []byte
	// Head is the beginning of the input, or of the chunk's file where there are several, up to the end of the record that
	// names the columns, where there is one. The chunk with Offset 0 begins with it.
	Head []byte
	// Live says that the input comes as it is made, so that nobody knows how much more of it there will be.
	Live bool
	// Fetch is what the partition, or the loader of a [RecordPartition], keeps of the chunk until it is loaded, such as
	// its records; nil where that is nothing.
	Fetch any
}

// Pad puts the padding behind lines, which it copies only if their capacity is too small.
func Pad(lines []byte) []byte {
	n := len(lines)
	lines = append(lines, padding[:]...)
	return lines[:n]
}

var padding = [Padding]byte{'\n'}
