// Package client speaks with a Kafka cluster: who leads which partition, which offsets there are, fetches, produce
// requests, committed offsets of groups, and transactions. Connections, TLS and logins are kafka-go's Transport; what
// travels on them is ours wherever records or their leaders are concerned, so no type of kafka-go shows.
//
// # Requests
//
// Every request has a deadline. What may be asked again is asked again, with growing pauses, while the error is one
// that passes (a leader that moves, a broker that restarts); [Options.Patience] limits that, and [Options.Notify] is told
// of it. A cancelled request has ended, and what it was given may be used again, when the call returns.
//
// # Errors
//
// [*AccessError] says why a broker can not be spoken to and which option to change. [Code] is an error that a broker
// answered; [*TopicError] and [*PartitionError] say where. [Retriable] tells those that may pass.
package client
