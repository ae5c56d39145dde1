// Package oracle works out what a pipeline must write, as plainly as it can be written down.
//
// It is a second reading of the rules, for tests alone: one record at a time, every window as the list of its
// records, sorts in place of indexes. It shares no code with the engine and imports nothing of ours, so that
// a mistake has to be made twice, in two very different ways, to go unseen.
//
// # Order
//
// All records of all sources have one order: next comes the record of the partition with the lowest watermark;
// where several are lowest, that of the source that stands first in the file, then of the file that is first by
// name. A partition's end counts as one more record, after which its watermark is +∞. The place of a record in
// this order is its cause, and whatever it brings about has the same cause.
//
// Everything happens cause by cause. The rows of a cause pass through the transforms under the watermark as it
// was; then the watermark rises and windows fire. Where outputs meet, rows of one cause that no window wrote
// come first, then those of windows by the window's end, its start and the number of the row with which the key
// first appeared there; the place of the output in `from` decides between equals. A row's number counts the rows
// that came into the transform, dirty and filtered ones too.
package oracle
