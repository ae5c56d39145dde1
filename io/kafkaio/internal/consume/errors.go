package consume

import (
	"fmt"

	"tidemark/io/kafkaio/internal/client"
)

// OutOfRangeError says that a partition does not have the offset that was asked for: the records there have been
// deleted, or there never were so many.
type OutOfRangeError struct {
	client.TopicPartition
	Asked int64
	// Earliest and Latest are the offsets that there are; the latter is behind the last record.
	Earliest, Latest int64
}

// Records is the number of offsets between the one asked for and the nearest that there is: the records that are lost
// if the reading goes on there.
func (e *OutOfRangeError) Records() int64 {
	if e.Asked < e.Earliest {
		return e.Earliest - e.Asked
	}
	return max(e.Asked-e.Latest, 0)
}

// Error says what is wrong, and what to do about it where that is known.
func (e *OutOfRangeError) Error() string {
	if e.Asked < e.Earliest {
		gone := fmt.Sprintf("the %d records from %d on have", e.Records(), e.Asked)
		if e.Records() == 1 {
			gone = fmt.Sprintf("the record at %d has", e.Asked)
		}
		return fmt.Sprintf("%s begins at offset %d: %s been deleted; set on_offset_out_of_range to go on all the same",
			e.TopicPartition, e.Earliest, gone)
	}
	return fmt.Sprintf("%s ends at offset %d, %d before offset %d, where the reading was to go on: records were lost or the topic "+
		"was made anew; set on_offset_out_of_range to go on", e.TopicPartition, e.Latest, e.Records(), e.Asked)
}

// GoneError says that the topic does not exist any more.
type GoneError struct {
	client.TopicPartition
	// Offset is the one up to which it was read, Unread the number of records behind it that were known.
	Offset, Unread int64
	err            error
}

// Error says what is wrong, and what to do about it where that is known.
func (e *GoneError) Error() string {
	return fmt.Sprintf("topic %q does not exist any more: partition %d was read up to offset %d, %s lost",
		e.Topic, e.Partition, e.Offset, client.Counted(e.Unread, "record behind it is", "records behind it are"))
}

// Unwrap gives the cause.
func (e *GoneError) Unwrap() error { return e.err }

// ReplacedError says that the topic was deleted and another one made under its name, so that offsets of the old one mean
// nothing.
type ReplacedError struct {
	client.TopicPartition
	// ID is that of the topic that has the name now.
	ID client.TopicID
	// Offset is the one up to which the old topic was read, Unread the number of records behind it that were known.
	Offset, Unread int64
}

// Error says what is wrong, and what to do about it where that is known.
func (e *ReplacedError) Error() string {
	return fmt.Sprintf("topic %q was deleted and made anew while it was read: partition %d of the old one was read up to offset %d, "+
		"%s lost", e.Topic, e.Partition, e.Offset, client.Counted(e.Unread, "record behind it is", "records behind it are"))
}
