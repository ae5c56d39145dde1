package recordbatch

import "fmt"

// CorruptError says that a batch can not be what a broker stored.
type CorruptError struct {
	// Offset is the first offset of the batch, as far as it can be read.
	Offset int64
	Reason string
}

// Error says what is wrong, and what to do about it where that is known.
func (e *CorruptError) Error() string {
	return fmt.Sprintf("the record batch at offset %d is corrupt: %s", e.Offset, e.Reason)
}

// FormatError says that a batch is in a message format from before Kafka 0.11.
type FormatError struct {
	Offset int64
	// Magic is the version of the format: 0 or 1.
	Magic int8
}

// Error says what is wrong, and what to do about it where that is known.
func (e *FormatError) Error() string {
	return fmt.Sprintf("the records at offset %d are in the old message format v%d, which is not read: "+
		"copy the topic with a client of Kafka 0.11 or later, or start behind them", e.Offset, e.Magic)
}
