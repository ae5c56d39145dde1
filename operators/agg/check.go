package agg

import (
	"fmt"

	"tidemark/stream"
)

// Failure is a row whose argument an aggregate can't use.
type Failure struct {
	Row     int32
	Message string
}

// acceptance says which values an aggregate can use as its first argument. Null it can always use.
type acceptance uint8

const (
	anything  acceptance = iota
	numbers              // int, float
	orderable            // what min and max can compare
)

// all reports whether every value of a column's kind can be used.
func (a acceptance) all(kind stream.Kind) bool {
	switch a {
	case numbers:
		return kind == stream.Int || kind == stream.Float
	case orderable:
		return kind != stream.Any
	}
	return true
}

// problem says what is wrong with a value, or nothing.
func (a acceptance) problem(name string, v value) string {
	switch {
	case v.class == empty || v.class == integer || v.class == float:
		return ""
	case a == numbers && v.class == text:
		return fmt.Sprintf("%s wants numbers, found %s; convert it with int() or float()", name, v.describe())
	case a == numbers:
		return fmt.Sprintf("%s wants numbers, found %s", name, v.describe())
	case a == orderable && v.class == other:
		return fmt.Sprintf("%s can't compare %s", name, v.describe())
	}
	return ""
}

// Check appends a failure for each of the rows whose arguments the aggregate can't use, in the order of rows.
// Where a column's kind fits and has no odd values that costs nothing. args are as in Input.
func (k *Kind) Check(args []*stream.Column, rows []int32, failures []Failure) []Failure {
	var condition, first *stream.Column
	if k.Conditional {
		condition, args = args[len(args)-1], args[:len(args)-1]
		if condition.Kind == stream.Bool && condition.Odd == 0 && (len(args) == 0 || k.fits(args[0])) {
			return failures
		}
	} else if len(args) == 0 || k.fits(args[0]) {
		return failures
	}
	if len(args) > 0 {
		first = args[0]
	}
	for _, r := range rows {
		if message := k.problem(first, condition, r); message != "" {
			failures = append(failures, Failure{r, message})
		}
	}
	return failures
}

// Accepts reports whether the aggregate can use values of a known type as its first argument. A condition alone
// is no such argument.
func (k *Kind) Accepts(t stream.Type) bool {
	if t.Kind == stream.Any && t.Shape == stream.Unknown || k.Conditional && k.MaxArgs == 1 {
		return true
	}
	return k.accepts.all(t.Kind)
}

// fits reports that a column needs no look at its values.
func (k *Kind) fits(c *stream.Column) bool {
	return k.accepts == anything || c.Odd == 0 && k.accepts.all(c.Kind)
}

// problem says what is wrong with a row, or nothing. Where the condition isn't true, anything goes.
func (k *Kind) problem(first, condition *stream.Column, row int32) string {
	if condition != nil {
		v := valueAt(condition, row)
		if v.class != boolean && v.class != empty {
			return fmt.Sprintf("the condition of %s gives %s, wants true or false", k.Name, v.describe())
		}
		if v.bits == 0 {
			return ""
		}
	}
	if first == nil {
		return ""
	}
	return k.accepts.problem(k.Name, valueAt(first, row))
}
