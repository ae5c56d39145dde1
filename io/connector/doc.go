// Package connector is the contract between the engine and what it reads from and writes to.
//
// # Sources
//
// A source is partitions, and a partition is chunks. The engine claims chunks in order with
// [Partition.Next] and loads them, several at once, with [Partition.Load]. Chunks are cut by a constant that
// never depends on the machine, and a line belongs to the chunk in which it starts, so that who loads what
// when can not be seen in the result.
//
// A [Growing] source may have no end of its own; its partitions wait for more, and new ones join. The partitions of a
// [RecordSource] do so too.
//
// # Line numbers
//
// Every line is in exactly one chunk and comes with its newline, so the first line of a chunk has the number
// (from 0) of all newlines in the lines that the earlier chunks of its partition gave. That stays true for
// lines that are longer than allowed: such a line is given as a part of it, longer than the limit, and its
// newline, so nothing may depend on how much of it there is. A chunk that lies inside a long line gives no lines
// and no newlines. In a partition of several files the numbers begin again with each file.
//
// # Sinks
//
// A sink gives an [Output], which is a [ByteSink] (it takes encoded lines) or a [RowSink] (it takes batches),
// or both. What was written counts only after Commit; Abort takes back what can be taken back.
//
// # Kinds
//
// A [Kind] registers itself under the name that a pipeline file uses as type. Its New gives a pointer to an
// options struct, with the defaults filled in, whose exported fields carry the tags spec (the option's name
// and flags) and doc (one sentence). The struct implements [Source], [RecordSource] or
// [Sink].
// What stands beside the options in a file and is the same for all kinds is not in the struct: from, type,
// format, schema, timestamp, watermark, mode, key, time_format, with_meta.
package connector
