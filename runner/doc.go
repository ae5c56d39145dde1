// Package runner runs a plan on one machine.
//
// # How a run flows
//
// Workers take chunks of partitions and do everything with them that needs no other chunk: they scan the lines
// into columns, read event times, and evaluate the expressions of every transform up to its window. That is a
// [work], and there are always some of them ahead.
//
// The sequencer puts the works in the source order: the next row is that of the partition with the lowest
// watermark, then the lowest source and partition number. This order depends on the data alone, and under it a
// record's watermark is that of its own partition, so where chunks are cut and who decodes what when cannot be
// seen in the result. What the sequencer hands on is a piece: consecutive rows of one chunk, with the steps of
// the watermark among them.
//
// Whichever worker completes the next chunk takes the token and applies pieces, one after the other, to the
// operators and sinks. Nodes call each other directly; a node with several inputs gathers what a piece brings
// and merges it by cause when the piece is through.
//
// With many workers the rows of a window are dealt to [Lanes] by the hash of their key, and the lanes run side
// by side. What they give is merged into the order that one lane alone would have given.
package runner
