// Package expression compiles and evaluates the expressions of a pipeline: conditions, new fields, keys,
// timestamps and the arguments of aggregates.
//
// The language is expr-lang. Its parser, checker and optimiser are used as they are, and its virtual machine
// is the definition of what an expression gives. What runs most of the time is something else: [Compile]
// turns the syntax tree into kernels, loops over the columns of a batch, which choose their loop by the kind
// that a column has in that batch. So they are fast with a schema and without one.
//
// # Kernels and redo rows
//
// A kernel computes a vector, a value for each row. Wherever it is not sure (a null in a sum, a number among
// texts, a zero divisor, a kind without a loop), it tags the row, and every kernel above passes the tag on.
// Rows that are tagged in the end are evaluated by the virtual machine, on boxed values: it gives the value,
// or the error that sends the record to the dirty output. Expressions that have no kernel run there wholly.
//
// # Names
//
// A name is a field of the record. [Program.Uses] lists the columns that an expression reads; a chain of
// constant names a.b.c is one column, so that a scanner may pick it without building objects. row is the whole
// record, meta what the connector knows. A field that hides a function (max, date) is the field where it
// stands alone and the function where it is called.
package expression
