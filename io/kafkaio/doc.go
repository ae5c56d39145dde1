// Package kafkaio reads and writes topics of Kafka clusters.
//
// # Reading
//
// Each partition of the topics is read by itself, from an offset on, without the membership of a group: brokers never
// assign partitions, and who commits offsets of a group does so only to make known how far it is and to begin there the
// next time. Partitions and, with a pattern, topics that come later are found by asking the cluster again and again, and
// begin at their earliest record.
//
// A bounded read ends at the offsets that stop stood for when the source was opened. At read_committed the end is behind
// the last transaction that has ended, so an open one can not hold the read up.
//
// # Losses
//
// Offsets that are wanted and do not exist (retention was faster, a topic was made anew) end the run, unless
// on_offset_out_of_range says where to go on. Then a warning says how many records that concerns; they are never left
// out in silence.
//
// # Writing
//
// Records keep the order of their keys and are confirmed by all in-sync replicas, and a record that is sent again after
// an error is stored once. With delivery at_least_once, records are visible as soon as they are stored, and a run that is
// repeated writes them again. With exactly_once they belong to a transaction for each epoch of the run, which readers at
// read_committed see when it is committed.
//
// # Transactions
//
// Three transactional ids are used in turn, so that writing goes on in the next transaction while one waits to be
// committed. Two would not do: the id of an epoch that was committed would be written to again before the following
// epoch is safe, and a run that resumes from the former would commit what is open under its id then.
//
// A run that resumes commits first what its checkpoint names, and rolls back what is open under the other ids. The id of
// the checkpoint is taken over only when its turn comes, so that a run that fails once more can commit it again.
package kafkaio
