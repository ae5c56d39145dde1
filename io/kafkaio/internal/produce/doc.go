// Package produce writes records to a topic, each stored once.
//
// # What is promised
//
// Every batch carries the producer's identity and a sequence number (Kafka: enable.idempotence), and is confirmed by all
// in-sync replicas (acks=all). A batch of which nobody knows whether it was stored is sent again under the same number, and
// the broker stores it once. A partition has one batch on the wire and one that is being filled, so records keep the order
// of [Producer.Send], and keys always go to the partition to which Java's producers send them.
//
// # Time
//
// A batch leaves when it is full, when its first record has waited for the linger time, or on [Producer.Hasten], which does
// not wait, and [Producer.Flush], which waits until what was sent before is stored.
// Partitions that are ready at the same time and have one leader travel in one request. When both batches of a partition
// are full, Send waits: that is the back-pressure.
//
// # Failure
//
// A record that the broker refuses, since it is too large or not valid, is given to Options.Refused and the others of its
// batch are sent again. What may pass is repeated until Options.DeliveryTimeout. Everything else ends the producer: all
// calls then give the same error.
//
// # Transactions
//
// With Options.Transactions all records belong to a transaction. [Producer.Prepare] sends what there is and names the
// transaction, so that [Prepared.End] can end it, from another process too; what is sent then belongs to a transaction
// under the next of the ids.
package produce
