package watermark

import (
	"fmt"

	"tidemark/stream"
)

// Kind is the way in which a partition's watermark follows from its records.
type Kind uint8

// The kinds of strategies.
const (
	// Bounded promises that a record is at most Delay behind the greatest time before it (Flink:
	// BoundedOutOfOrdernessWatermarks).
	Bounded Kind = iota
	// Monotonous is Bounded with a delay of 0 (Flink: AscendingTimestampsWatermarks).
	Monotonous
	// Punctuated takes the watermark from markers in the records.
	Punctuated
	// None gives no watermark before the end of the input (Flink: NoWatermarksGenerator).
	None
)

var kindNames = [...]string{"bounded", "monotonous", "punctuated", "none"}

// String gives the word of a pipeline file.
func (k Kind) String() string { return kindNames[k] }

// Strategy says how a partition's watermark follows from the greatest time, or marker, so far.
type Strategy struct {
	Kind Kind
	// Delay is for Bounded, in milliseconds.
	Delay int64
}

// Validate refuses a negative delay.
func (s Strategy) Validate() error {
	if s.Kind == Bounded && s.Delay < 0 {
		return fmt.Errorf("bounded is %d ms, must not be negative", s.Delay)
	}
	return nil
}

// At gives the partition's watermark when the greatest time so far is greatest (MinTime: none yet). For
// Punctuated greatest is the greatest marker. It never falls as greatest rises.
func (s Strategy) At(greatest stream.Time) stream.Time {
	switch s.Kind {
	case Bounded:
		return before(greatest, s.Delay)
	case Monotonous:
		return before(greatest, 0)
	case Punctuated:
		return greatest
	}
	return stream.MinTime
}

// AppendMarks appends the steps of the watermark that rows of a partition make (nil: all of times), where
// greatest is the greatest time before them: one for each row that raises it. Causes are row numbers. It gives
// the greatest time after them too.
func (s Strategy) AppendMarks(marks []stream.Mark, times []stream.Time, rows []int32, greatest stream.Time) ([]stream.Mark, stream.Time) {
	if s.Kind == None {
		return marks, greatest
	}
	was := s.At(greatest)
	n := len(times)
	if rows != nil {
		n = len(rows)
	}
	for i := range n {
		row := i
		if rows != nil {
			row = int(rows[i])
		}
		if times[row] <= greatest {
			continue
		}
		greatest = times[row]
		if w := s.At(greatest); w > was {
			marks = append(marks, stream.Mark{Cause: uint64(row), Watermark: w})
			was = w
		}
	}
	return marks, greatest
}

// before gives t − delay − 1, not below MinTime.
func before(t stream.Time, delay int64) stream.Time {
	if floor := stream.MinTime + 1 + stream.Time(delay); t < floor {
		return stream.MinTime
	}
	return t - stream.Time(delay) - 1
}
