// Package stream holds what flows through a pipeline: time, columns, batches and the watermark's steps
// inside them. It is the leaf that everything else imports, and imports nothing of ours.
//
// # Time
//
// Event time is a signed count of milliseconds since 1970-01-01T00:00Z, the unit of Apache Flink and Apache
// Beam. It is never a count of nanoseconds (those wrap in the year 2262) and never a time.Time on the hot
// path. A watermark W says that no record with a time ≤ W is expected any more (Flink's convention), so a
// window [start, end) is complete when W ≥ end − 1.
//
// # Batches
//
// A [Batch] is some thousand rows in columns. A [Column] has one kind in one batch; a row whose value is of
// another kind, null or missing has a [Tag], and tags are only looked at when the column has any. Text is
// kept as references into the bytes that were read, so nothing is copied until it must be.
//
// A filter does not move rows: it only writes the selection [Batch.Sel].
//
// # Causes
//
// Every row has a cause: the number, in the source order, of the record that brought it about. Rows of a
// source are their own cause; a row that a window fires is caused by the record that moved the watermark.
// Wherever two streams meet they are merged by cause, which makes the result a function of the input alone.
package stream
