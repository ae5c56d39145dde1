package agg

import (
	"strings"

	"tidemark/stream"
)

// conditionalForm gives the form of a kind that takes a condition as its last argument.
func conditionalForm(k Kind) Kind {
	plain := k
	k.Name += "_if"
	k.Doc = "Like " + plain.Name + ", of the records where the last argument, a condition, is true."
	k.Args = strings.Replace(plain.Args+", condition", "[x], ", "[x, ]", 1)
	open := strings.TrimSuffix(plain.Example.Call, ")")
	if !strings.HasSuffix(open, "(") {
		open += ", "
	}
	k.Example = Example{Call: strings.Replace(open, "(", "_if(", 1) + exampleCondition + ")", Result: plain.Example.If}
	k.MinArgs++
	k.MaxArgs++
	k.Conditional = true
	k.ResultType = func(args []stream.Type) stream.Type {
		t := plain.ResultType(args[:len(args)-1])
		t.Null = t.Null || !plain.total
		return t
	}
	if plain.bind == nil {
		k.New = conditionally(plain.New)
		return k
	}
	k.bind = func(constants []any) (opener, error) {
		open, err := plain.bind(constants)
		return conditionally(open), err
	}
	return k
}

func conditionally(open opener) opener {
	return func(args []stream.Type) Accumulators { return &conditional{inner: open(args[:len(args)-1])} }
}

// conditional leaves out the rows whose condition isn't true and hands the others on.
type conditional struct {
	inner Accumulators
	in    Input
	rows  []int32
	ids   []uint32
}

func (c *conditional) Grow(n int) { c.inner.Grow(n) }

func (c *conditional) Add(in *Input) {
	last := len(in.Args) - 1
	c.rows, c.ids = c.rows[:0], c.ids[:0]
	condition := in.Args[last]
	if condition.Kind == stream.Bool && condition.Odd == 0 {
		for i, r := range in.Rows {
			if condition.Bools[r] {
				c.rows, c.ids = append(c.rows, r), append(c.ids, in.IDs[i])
			}
		}
	} else {
		for i, r := range in.Rows {
			if holds(condition, r) {
				c.rows, c.ids = append(c.rows, r), append(c.ids, in.IDs[i])
			}
		}
	}
	c.in = *in
	c.in.Rows, c.in.IDs, c.in.Args = c.rows, c.ids, in.Args[:last]
	c.inner.Add(&c.in)
	c.in = Input{}
}

// holds reports whether a row's condition is true. Null is not.
func holds(c *stream.Column, row int32) bool {
	v := valueAt(c, row)
	return v.class == boolean && v.bits != 0
}

func (c *conditional) Merge(dst uint32, from Accumulators, src uint32) {
	c.inner.Merge(dst, from.(*conditional).inner, src)
}

func (c *conditional) Clear(id uint32) { c.inner.Clear(id) }

func (c *conditional) Append(id uint32, out *stream.Column) error {
	err := c.inner.Append(id, out)
	if e, ok := err.(*resultError); ok {
		return &resultError{e.aggregate + "_if", e.problem}
	}
	return err
}

func (c *conditional) Reset() { c.inner.Reset() }

func (c *conditional) Bytes() int64 {
	return c.inner.Bytes() + int64(4*cap(c.rows)+4*cap(c.ids))
}

// resultError says why an aggregate has no result.
type resultError struct{ aggregate, problem string }

func (e *resultError) Error() string { return e.aggregate + ": " + e.problem }
