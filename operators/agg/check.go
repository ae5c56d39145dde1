package agg

import "tidemark/stream"

// Failure is a row whose argument an aggregate can't use.
type Failure struct {
	Row     int32
	Message string
}

// acceptance says which values an aggregate can use as its first argument.
type acceptance uint8

const (
	anything   acceptance = iota
	numbers               // int, float
	comparable            // what min and max can order
)

// Check appends a failure for each of the rows whose arguments the aggregate can't use, in the order of rows.
// Where a column's kind fits and has no odd values that costs nothing. args are as in Input.
func (k *Kind) Check(args []*stream.Column, rows []int32, failures []Failure) []Failure {
	return failures
}
