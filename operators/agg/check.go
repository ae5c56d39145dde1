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

// acceptance says which values an aggregate can use as its argument. Null it can always use.
type acceptance uint8

const (
	anything  acceptance = iota
	numbers              // int, float
	orderable            // what min and max can compare
	boolish              // true, false
	textual              // text
)

// all reports whether every value of a column's kind can be used.
func (a acceptance) all(kind stream.Kind) bool {
	switch a {
	case numbers:
		return kind == stream.Int || kind == stream.Float
	case orderable:
		return kind != stream.Any
	case boolish:
		return kind == stream.Bool
	case textual:
		return kind == stream.String
	}
	return true
}

// one reports whether a value of a class can be used.
func (a acceptance) one(c class) bool {
	switch a {
	case numbers:
		return c == integer || c == float
	case orderable:
		return c != other
	case boolish:
		return c == boolean
	case textual:
		return c == text
	}
	return true
}

// problem says what is wrong with a value, or nothing.
func (a acceptance) problem(name string, v value) string {
	if v.class == empty || a.one(v.class) {
		return ""
	}
	switch {
	case a == numbers && v.class == text:
		return fmt.Sprintf("%s wants numbers, found %s; convert it with int() or float()", name, v.describe())
	case a == numbers:
		return fmt.Sprintf("%s wants numbers, found %s", name, v.describe())
	case a == boolish:
		return fmt.Sprintf("%s wants true or false, found %s; write a comparison", name, v.describe())
	case a == textual && v.class != other:
		return fmt.Sprintf("%s wants texts, found %s; convert it with string()", name, v.describe())
	case a == textual:
		return fmt.Sprintf("%s wants texts, found %s; convert it with json()", name, v.describe())
	}
	return fmt.Sprintf("%s can't compare %s", name, v.describe())
}

// Check appends a failure for each of the rows whose arguments the aggregate can't use, in the order of rows.
// Where a column's kind fits and has no odd values that costs nothing. args are as in Input.
func (k *Kind) Check(args []*stream.Column, rows []int32, failures []Failure) []Failure {
	var condition, judged *stream.Column
	if k.Conditional {
		condition, args = args[len(args)-1], args[:len(args)-1]
		if condition.Kind == stream.Bool && condition.Odd == 0 && (len(args) == 0 || k.fits(args[k.judged])) {
			return failures
		}
	} else if len(args) == 0 || k.fits(args[k.judged]) {
		return failures
	}
	if len(args) > 0 {
		judged = args[k.judged]
	}
	for _, r := range rows {
		if message := k.problem(judged, condition, r); message != "" {
			failures = append(failures, Failure{r, message})
		}
	}
	return failures
}

// Accepts reports whether the aggregate can use values of a known type as an argument, counted from 0.
func (k *Kind) Accepts(argument int, t stream.Type) bool {
	if t.Kind == stream.Any && t.Shape == stream.Unknown || argument != k.judged || argument >= k.Values() {
		return true
	}
	return k.accepts.all(t.Kind)
}

// fits reports that a column needs no look at its values.
func (k *Kind) fits(c *stream.Column) bool {
	return k.accepts == anything || c.Odd == 0 && k.accepts.all(c.Kind)
}

// problem says what is wrong with a row, or nothing. Where the condition isn't true, anything goes.
func (k *Kind) problem(judged, condition *stream.Column, row int32) string {
	if condition != nil {
		v := valueAt(condition, row)
		if v.class != boolean && v.class != empty {
			return fmt.Sprintf("the condition of %s gives %s, wants true or false", k.Name, v.describe())
		}
		if v.bits == 0 {
			return ""
		}
	}
	if judged == nil {
		return ""
	}
	return k.accepts.problem(k.Name, valueAt(judged, row))
}
