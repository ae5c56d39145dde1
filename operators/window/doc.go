// Package window groups the records of a stream by key and by time, and gives each group's aggregates when the
// watermark says that the group is complete. It follows Apache Flink's window operator with the event-time
// trigger.
//
// # Model
//
// A window is a span [start, end) of event time. It fires, that is, its rows are written, when the watermark
// reaches end − 1, and it is dropped at end − 1 + allowed lateness. A record that comes between the two makes
// the window fire again at once, for its key alone. A record all of whose windows were dropped is late.
//
//   - [Tumbling] windows follow each other without gaps. Each open window has a table of its keys.
//   - [Calendar] windows are the days, weeks, months, quarters or years of a time zone, of different lengths.
//   - [Sliding] windows overlap. Time is cut into slices at the starts and ends of windows; a record is added
//     to one slice, and a window that fires combines its slices from left to right.
//   - [Session] windows end when a key was silent for a gap. Sessions that overlap or touch become one.
//   - [Global] is one window over everything. It fires at the end of the input.
//
// # Steps
//
// An [Operator] has no goroutines, channels or clocks: it is a function of the batches given to it. The steps
// of the watermark come inside a batch ([stream.Batch.Marks]); rows that come before a step are taken under
// the watermark as it was. How rows are cut into batches has no influence on the result.
//
// Results leave in the order of what caused them, the rows of one cause by window end, window start and first
// appearance of the key in the window. Because each operator keeps to that order, the rows of one stream may
// be split by key over several operators: merged by [Rows.Triggers] and [stream.Order] their results are
// those of one operator.
//
// # Speed
//
// Between two points where a window fires or is dropped the set of closed windows is the same, so a batch is
// cut into few segments, in which lateness is one comparison a row, and the rows of a window are added to
// columns of accumulators in one call. Tables and accumulators are used again; nothing is allocated per row.
package window
