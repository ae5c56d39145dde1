package window

import (
	"fmt"

	"tidemark/operators/agg"
	"tidemark/operators/state"
	"tidemark/stream"
)

// Aggregate is an aggregate function with the types of its arguments.
type Aggregate struct {
	Kind *agg.Kind
	Args []stream.Type
}

// Input is rows of a batch for an operator, with the watermark's steps in Batch.Marks. Causes ascend from one
// input to the next, and so do watermarks.
type Input struct {
	// Batch has Times, Causes and Marks; its columns are not looked at. Global windows need no Times.
	Batch *stream.Batch
	// Rows are the rows to take, ascending. It is never nil because of a selection: nil means no rows.
	Rows []int32
	// Keys are the grouping keys of these rows; not looked at where there are no rows.
	Keys *state.Keys
	// Args are the arguments' columns, by aggregate. They passed Kind.Check.
	Args [][]*stream.Column
	// ArgKeys are the grouping keys of the first arguments, by aggregate, for kinds that can use them; nil, or
	// nil for an aggregate, where there are none.
	ArgKeys []*state.Keys
	// Ordinal is the number, in the node's input, of batch row 0.
	Ordinal uint64
	// Quiet says that the marks are not to be passed on. It is for lanes, whose merge passes them on once.
	Quiet bool
}

// Rows is a bunch of result rows, in the order in which they follow from the input, with the marks that were
// taken meanwhile: a mark comes after the rows that it caused. It is the operator's, until Output.Rows returns.
//
// The columns are the key's, then window_start and window_end (not for Global), then the aggregates'. Times
// are end − 1 (empty for Global), Causes are absolute.
type Rows struct {
	stream.Batch
	// Triggers has, for each row, what brought it about: 2·n+1 for the input row with ordinal n, 2·n for a mark
	// that follows the input row with ordinal n−1. Lanes are merged by it, then by Orders.
	Triggers []uint64
}

// Output takes what an operator gives. Rows of the input are named by their batch row, and come in order.
type Output interface {
	// Rows takes finished rows, marks, or both: at most BunchRows rows.
	Rows(r *Rows)
	// Late takes a record that entered no window, with the watermark before it and the end of the last window
	// that it would have been in (MinTime when no window covers it).
	Late(row int32, watermark, windowEnd stream.Time)
	// Uncovered takes a record that no window covers and that is not late.
	Uncovered(row int32)
	// Failed takes a result row that can't be given because one of its aggregates failed. It is not in r.Sel;
	// its key, bounds and other aggregates are there. It is called before Rows(r), once for each such row and in
	// their order; aggregate is the first that failed.
	Failed(r *Rows, row int32, aggregate int, message string)
}

// BunchRows is the most rows that Output.Rows is given at once.
const BunchRows = 4096

// Operator is one window transform, or one lane of it. It is not safe for concurrent use.
type Operator interface {
	// Process takes rows and steps of the watermark in order, and gives what follows from them.
	Process(in *Input, out Output)
	// Watermark gives the watermark after the last step, MinTime before the first.
	Watermark() stream.Time
	// NextFire gives the watermark at which the next window fires, MaxTime when none is open.
	NextFire() stream.Time
	// Entries counts what is held: keys in open windows, slices or sessions.
	Entries() int
	// Unwritten gives what would be lost if the input stopped without an end: the records in windows that have
	// not fired yet (one that is in several counts once), and the number of these windows, each key having its own.
	Unwritten() (records, windows int)
	// Oldest gives the least ordinal of a record that is held, in windows that have fired and wait for late records
	// too; ok is false where nothing is held. It may look at every entry.
	Oldest() (ordinal uint64, ok bool)
	// Bytes gives the memory held, in bytes.
	Bytes() int64
}

// New makes an operator. lateness is the allowed lateness in milliseconds. keyColumns is the number of columns
// that keys have; aggregates of the result come in the order given. The error says what setting is refused.
func New(spec Spec, lateness int64, aggregates []Aggregate, keyColumns int) (Operator, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	if lateness < 0 {
		return nil, fmt.Errorf("allowed_lateness is %d ms, must not be negative", lateness)
	}
	return spec.open(min(lateness, maxSpan), newLayout(aggregates, keyColumns)), nil
}
