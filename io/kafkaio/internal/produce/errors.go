package produce

import (
	"errors"
	"fmt"
	"time"

	"tidemark/io/kafkaio/internal/client"
)

// ErrClosed is given by calls after Close.
var ErrClosed = errors.New("the producer is closed")

// RefusedError says why a broker refuses a record.
type RefusedError struct {
	client.Code
	// Bytes is the size of the record in its batch.
	Bytes int
	// Message is the broker's explanation; it may be empty.
	Message string
}

// Error says what is wrong, and what to do about it where that is known.
func (e *RefusedError) Error() string {
	switch {
	case e.Code == client.MessageTooLarge || e.Code == client.RecordListTooLarge:
		return fmt.Sprintf("record of %d bytes is larger than the broker takes (max.message.bytes of the topic)", e.Bytes)
	case e.Message != "":
		return fmt.Sprintf("record is refused by the broker: %s (%v)", e.Message, e.Code)
	}
	return fmt.Sprintf("record is refused by the broker: %v", e.Code)
}

// Unwrap gives the cause.
func (e *RefusedError) Unwrap() error { return e.Code }

// TimeoutError says that records could not be delivered in time. Nobody knows whether they were stored.
type TimeoutError struct {
	client.TopicPartition
	Records int
	After   time.Duration
	err     error
}

// Error says what is wrong, and what to do about it where that is known.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s could not be written to %s within %s: %v", client.Counted(e.Records, "record", "records"), e.TopicPartition, e.After.Round(time.Second), e.err)
}

// Unwrap gives the cause.
func (e *TimeoutError) Unwrap() error { return e.err }

// UnsentError says how many records were given up at Close.
type UnsentError struct {
	Topic   string
	Records int
	err     error
}

// Error says what is wrong, and what to do about it where that is known.
func (e *UnsentError) Error() string {
	return fmt.Sprintf("%s not written to topic %q before it was closed: %v", client.Counted(e.Records, "record", "records"), e.Topic, e.err)
}

// Unwrap gives the cause.
func (e *UnsentError) Unwrap() error { return e.err }
