// Package kafkaio writes to topics of a Kafka cluster.
//
// # What is promised
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
