// Package plan turns a pipeline file into a Plan: what is read, computed and written, and in what order,
// without a word about goroutines. It knows the types of every stream and holds all rules that look at more
// than the shape of the YAML.
//
// # Outputs and columns
//
// An [Output] is a stream of records between nodes. Nobody lists its columns beforehand: whoever reads it asks
// for a path by [Output.Column] and gets the column's place in the batches of that output; the question
// travels upstream until it reaches a source, which adds the path to its projection. So exactly what the file
// speaks of is read, and a field that is computed and never looked at costs nothing.
//
// # Stages
//
// A [Stage] is the stateless part of a node: a list of slots (the columns of the batches that it makes) and a
// list of steps that fill them. A transform with a window has two, one before it (where, set, key, aggregate
// arguments) and one after it (expressions over aggregates, having).
package plan
