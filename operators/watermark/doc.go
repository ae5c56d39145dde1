// Package watermark says how far event time has come.
//
// A watermark W promises that no record with a time ≤ W is expected any more (Flink's convention). It only
// rises. Three questions are answered here:
//
//   - When did a record happen? An [Extractor] reads event times from a column of numbers, text or instants.
//   - What does one partition promise? A [Strategy] maps the greatest time seen in it to a watermark. As that
//     is a function of a prefix maximum, watermarks of bounded input can be computed in parallel.
//   - What do several partitions promise together? The minimum of those that are not idle ([Minimum]). A
//     [Combiner] is the live machine: partitions with their strategy, idleness, periodic or immediate emission.
//
// Nothing here reads a clock: processing time is passed in.
package watermark
