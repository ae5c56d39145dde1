package client

import (
	"errors"
	"fmt"

	"github.com/segmentio/kafka-go"
)

// Code is an error that a broker answered, by its number in the protocol.
type Code int16

// The codes that somebody here acts on.
const (
	UnknownServerError           Code = -1
	OffsetOutOfRange             Code = 1
	CorruptMessage               Code = 2
	UnknownTopicOrPartition      Code = 3
	LeaderNotAvailable           Code = 5
	NotLeaderOrFollower          Code = 6
	RequestTimedOut              Code = 7
	BrokerNotAvailable           Code = 8
	ReplicaNotAvailable          Code = 9
	MessageTooLarge              Code = 10
	NetworkException             Code = 13
	CoordinatorLoading           Code = 14
	CoordinatorNotAvailable      Code = 15
	NotCoordinator               Code = 16
	InvalidTopic                 Code = 17
	RecordListTooLarge           Code = 18
	NotEnoughReplicas            Code = 19
	NotEnoughReplicasAfterAppend Code = 20
	TopicAuthorizationFailed     Code = 29
	GroupAuthorizationFailed     Code = 30
	ClusterAuthorizationFailed   Code = 31
	InvalidTimestamp             Code = 32
	UnsupportedForMessageFormat  Code = 43
	OutOfOrderSequence           Code = 45
	DuplicateSequence            Code = 46
	InvalidProducerEpoch         Code = 47
	InvalidTxnState              Code = 48
	InvalidProducerIDMapping     Code = 49
	InvalidTransactionTimeout    Code = 50
	ConcurrentTransactions       Code = 51
	TransactionalIDDenied        Code = 53
	StorageError                 Code = 56
	UnknownProducerID            Code = 59
	FencedLeaderEpoch            Code = 74
	UnknownLeaderEpoch           Code = 75
	OffsetNotAvailable           Code = 78
	InvalidRecord                Code = 87
	UnstableOffsetCommit         Code = 88
	ThrottlingQuotaExceeded      Code = 89
	ProducerFenced               Code = 90
	UnknownTopicID               Code = 100
	TransactionAbortable         Code = 120
)

// Error gives the code's name in Kafka and its number, and what to do where only that helps.
func (c Code) Error() string {
	text := fmt.Sprintf("error %d", int16(c))
	if title := kafka.Error(c).Title(); title != "" {
		text = fmt.Sprintf("%s (error %d)", title, int16(c))
	}
	if c.denied() {
		text += ": grant the user access"
	}
	return text
}

// Retriable reports whether the same request may work later.
func (c Code) Retriable() bool {
	switch c {
	case UnknownTopicOrPartition, LeaderNotAvailable, NotLeaderOrFollower, RequestTimedOut, BrokerNotAvailable,
		ReplicaNotAvailable, NetworkException, CoordinatorLoading, CoordinatorNotAvailable, NotCoordinator,
		NotEnoughReplicas, NotEnoughReplicasAfterAppend, ConcurrentTransactions, StorageError, FencedLeaderEpoch,
		UnknownLeaderEpoch, OffsetNotAvailable, UnstableOffsetCommit, ThrottlingQuotaExceeded, UnknownTopicID, CorruptMessage:
		return true
	}
	return false
}

// denied reports whether the code says that a user may not do something.
func (c Code) denied() bool {
	switch c {
	case TopicAuthorizationFailed, GroupAuthorizationFailed, ClusterAuthorizationFailed, TransactionalIDDenied:
		return true
	}
	return false
}

// MovesLeader reports whether the code may mean that another broker leads the partition now.
func (c Code) MovesLeader() bool {
	switch c {
	case UnknownTopicOrPartition, LeaderNotAvailable, NotLeaderOrFollower, ReplicaNotAvailable, FencedLeaderEpoch,
		UnknownLeaderEpoch, StorageError, BrokerNotAvailable, UnknownTopicID:
		return true
	}
	return false
}

// TopicPartition names a partition.
type TopicPartition struct {
	Topic     string
	Partition int32
}

// String gives topic/partition.
func (p TopicPartition) String() string { return fmt.Sprintf("%s/%d", p.Topic, p.Partition) }

// TopicError is what a broker answered about a topic.
type TopicError struct {
	Topic string
	Code  Code
}

// Error says what is wrong, and what to do about it where that is known.
func (e *TopicError) Error() string {
	switch e.Code {
	case UnknownTopicOrPartition, UnknownTopicID:
		return fmt.Sprintf("topic %q does not exist: create it, or correct its name", e.Topic)
	case InvalidTopic:
		return fmt.Sprintf("topic %q can not exist: its name may have letters, digits, '.', '_' and '-'", e.Topic)
	case TopicAuthorizationFailed:
		return fmt.Sprintf("topic %q is not allowed for this user: grant it access", e.Topic)
	}
	return fmt.Sprintf("topic %q: %v", e.Topic, e.Code)
}

// Unwrap gives the cause.
func (e *TopicError) Unwrap() error { return e.Code }

// PartitionError is what went wrong with a partition.
type PartitionError struct {
	TopicPartition
	Err error
}

// Error says what is wrong, and what to do about it where that is known.
func (e *PartitionError) Error() string { return fmt.Sprintf("%s: %v", e.TopicPartition, e.Err) }

// Unwrap gives the cause.
func (e *PartitionError) Unwrap() error { return e.Err }

// codeOf gives the code inside an error.
func codeOf(err error) (code Code, ok bool) {
	ok = errors.As(err, &code)
	return code, ok
}
