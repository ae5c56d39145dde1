// Package agg holds the aggregate functions: count, sum, min and the others, each with a form whose last
// argument is a condition (count_if, sum_if, …).
//
// # Model
//
// A [Kind] describes one function and makes its [Accumulators]: the state of many groups, as columns. Groups
// are known by dense ids, which the caller hands out. A batch is added in one call: row Rows[i] goes into
// entry IDs[i]; the loop inside runs over plain slices, by the kind of the argument's column.
//
// The life of an argument's value has two steps. [Kind.Check] finds the values that the function can't use
// (the sum of a text); it needs only the batch, so it runs before grouping, and such rows never get here.
// What only the whole group can tell, such as a sum beyond 64 bits, is an error of Append.
//
// # Rules
//
// Nulls are skipped as in SQL: the count of nothing is 0, all else of nothing is null. count() counts rows.
// Sums of integers are exact, judged at the result, and so is their variance. Floats are added in the order of
// Add and Merge. NaN makes sum, avg, stddev and variance NaN; min, max and quantiles skip it. What goes by the
// order of the input (first, last, lists, ties of min_by and max_by) goes by the number of the row, which Input
// gives, so it doesn't depend on the order of calls: slices and merged sessions are not in that order. What is
// approximate is a function of the set of values alone.
//
// Arguments that are the same for all records, such as the level of quantile, are not columns: [Kind.Bind] makes
// a kind of its own of them.
//
// collect, string_join, quantile and median keep every value of an entry; Accumulators.Bytes tells what that takes.
//
// Results never depend on how rows were cut into batches, nor on the kind that a column happened to have.
package agg
