// Package recordbatch reads and writes Kafka's record batches (message format v2, Kafka 0.11 and later).
//
// # Reading
//
// What a broker answers to a fetch is a record set: whole batches one after the other, the last of them perhaps cut
// off. [Decoder.Walk] goes over the records of a set without copying them: keys and values are pieces of the set, or,
// in a compressed batch, of the decoder's own buffer.
//
// The walk gives what a consumer should see. Commit and abort markers are never records. At read_committed the broker
// sends along which transactions of the set were aborted, and their records are left out. Compaction leaves holes in a
// batch and may empty it, so the walk goes on behind the last offset that a batch covers, never behind its last record.
//
// A null value (a tombstone) is a nil slice, an empty one is an empty slice that is not nil; keys and header values are
// the same.
//
// # Writing
//
// A [Builder] collects records and gives a batch; [Stamp] puts in the producer's id, epoch and sequence number and the
// checksum. So a batch that is sent again under a new id is not encoded again.
package recordbatch
