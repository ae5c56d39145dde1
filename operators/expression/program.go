package expression

import (
	"time"

	"tidemark/stream"
)

// Scope is the names that an expression may use, and what is known of them.
type Scope struct {
	// Fields are the fields of the record with their types.
	Fields []stream.Field
	// Open allows other names: the record has no schema. A name that a record lacks is nil.
	Open bool
	// Records are names for records within the record, such as the sides of a join.
	Records []Record
	// Now is what now() gives; the start of the process if it is zero.
	Now time.Time
}

// Record is a name for a record of known fields: o in o.amount.
type Record struct {
	Name   string
	Fields []stream.Field
	// Open allows other names than Fields.
	Open bool
	// Null says that there may be no record.
	Null bool
}

// Program is a compiled expression. It is immutable and may be shared between goroutines.
type Program struct {
	source   string
	uses     []stream.Path
	typ      stream.Type
	warnings []Warning
}

// Compile parses, checks and compiles an expression. The error is an *Error.
func Compile(src string, scope Scope) (*Program, error) {
	return &Program{source: src}, nil
}

// Uses gives the columns that an evaluator reads, in order and without duplicates. The empty path is the
// whole record.
func (p *Program) Uses() []stream.Path { return p.uses }

// Type gives what is known of the values.
func (p *Program) Type() stream.Type { return p.typ }

// Source gives the expression as it was written.
func (p *Program) Source() string { return p.source }

// Vectorized reports whether kernels do the work, and the virtual machine only the rows that they leave.
func (p *Program) Vectorized() bool { return false }

// Warnings gives what is allowed and likely not meant.
func (p *Program) Warnings() []Warning { return p.warnings }

// NewEvaluator gives an evaluator for batches in which column columns[i] holds Uses()[i].
func (p *Program) NewEvaluator(columns []int) *Evaluator { return &Evaluator{} }

// Evaluator runs a program over batches. It owns what it needs to do so and serves one goroutine at a time.
type Evaluator struct{}

// Eval evaluates rows of b, all of them if rows is nil. The result has an element for each row of the batch,
// undefined for rows not asked for and for those that failed. It may be a column of b, and is valid until the
// evaluator is used again. Failures are in the order of rows.
func (e *Evaluator) Eval(b *stream.Batch, rows []int32) (*stream.Column, []Failure) { return nil, nil }

// Filter appends to keep the rows whose value is true. A value that is neither true nor false is a failure.
func (e *Evaluator) Filter(b *stream.Batch, rows, keep []int32) (kept []int32, failures []Failure) {
	return keep, nil
}
