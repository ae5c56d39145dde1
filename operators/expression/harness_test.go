package expression

import (
	"fmt"
	"math"
	"reflect"
	"time"

	"tidemark/stream"
)

// odd stands in test data for a row with a tag of its own.
type oddRow struct {
	tag   stream.Tag
	boxed any
}

var missing = oddRow{tag: stream.TagMissing}

func parentNil(depth int) oddRow { return oddRow{tag: stream.TagParentNil + stream.Tag(depth)} }
func parentOther(depth int, v any) oddRow {
	return oddRow{stream.TagParentOther + stream.Tag(depth), v}
}

// columnOf makes a column of a kind; values of other kinds become tagged, as a scanner does it.
func columnOf(kind stream.Kind, values []any) stream.Column {
	var c stream.Column
	c.Reset(kind, len(values))
	data := []byte("«")
	for i, v := range values {
		switch v := v.(type) {
		case oddRow:
			if v.tag >= stream.TagParentOther {
				c.SetBoxed(i, v.tag, v.boxed)
			} else {
				c.SetTag(i, v.tag)
			}
		case string:
			if kind != stream.String {
				c.SetValue(i, v)
				continue
			}
			c.Refs[i] = stream.Ref{Off: uint32(len(data)), Len: uint32(len(v))}
			data = append(data, v...)
		default:
			c.SetValue(i, v)
		}
	}
	if kind == stream.String {
		c.Data = data
	}
	return c
}

// table is test data: columns by path.
type table map[string]stream.Column

// batchFor gives a batch with the columns that p uses, in another order than it asks for them.
func (d table) batchFor(p *Program, n int) (*stream.Batch, []int) {
	b := &stream.Batch{N: n}
	b.Columns = make([]stream.Column, len(p.Uses())+1)
	b.Columns[0].Reset(stream.Int, n)
	var where []int
	for i, u := range p.Uses() {
		at := len(p.Uses()) - i
		c, ok := d[u.String()]
		if !ok {
			c.Reset(stream.Any, n)
			for r := range n {
				c.SetTag(r, stream.TagMissing)
			}
		}
		b.Columns[at] = c
		where = append(where, at)
	}
	return b, where
}

// outcome is what a row gave.
type outcome struct {
	value   any
	failure string
}

func outcomes(c *stream.Column, failures []Failure, rows []int32) map[int32]outcome {
	out := map[int32]outcome{}
	for _, f := range failures {
		out[f.Row] = outcome{failure: f.Message}
	}
	for _, r := range rows {
		if _, failed := out[r]; !failed {
			out[r] = outcome{value: c.Value(int(r))}
		}
	}
	return out
}

// machineOnly gives an evaluator that uses no kernel.
func machineOnly(p *Program, where []int) *Evaluator {
	e := p.NewEvaluator(where)
	e.root, e.bare = nil, -1
	return e
}

// equalValues is DeepEqual with NaN equal to itself and times by instant.
func equalValues(a, b any) bool {
	switch x := a.(type) {
	case float64:
		y, ok := b.(float64)
		return ok && (x == y && math.Signbit(x) == math.Signbit(y) || math.IsNaN(x) && math.IsNaN(y))
	case time.Time:
		y, ok := b.(time.Time)
		return ok && x.Equal(y) && x.Location() == y.Location()
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !equalValues(x[i], y[i]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}

// differ compares kernels with the virtual machine on rows and words the first difference.
func differ(p *Program, kernels *Evaluator, b *stream.Batch, where []int, rows []int32) string {
	asked := rows
	if rows == nil {
		for i := range b.N {
			asked = append(asked, int32(i))
		}
	}
	c, failed := kernels.Eval(b, rows)
	got := outcomes(c, failed, asked)
	for i := 1; i < len(failed); i++ {
		if failed[i-1].Row >= failed[i].Row {
			return fmt.Sprintf("%s: failures are out of order: %v", p.Source(), failed)
		}
	}
	if problem := invariant(c, b.N, asked, got); problem != "" {
		return p.Source() + ": " + problem
	}
	c, failed = machineOnly(p, where).Eval(b, rows)
	want := outcomes(c, failed, asked)
	for _, r := range asked {
		if g, w := got[r], want[r]; g.failure != w.failure || g.failure == "" && !equalValues(g.value, w.value) {
			return fmt.Sprintf("%s: row %d: kernels give %#v %q, the machine %#v %q", p.Source(), r, g.value, g.failure, w.value, w.failure)
		}
	}
	return ""
}

// invariant checks that a result is a column as others expect it: no tags of our own, and tags for each row.
func invariant(c *stream.Column, n int, rows []int32, got map[int32]outcome) string {
	if c.Len() < n {
		return fmt.Sprintf("column has %d of %d rows", c.Len(), n)
	}
	if c.Odd == 0 {
		return ""
	}
	if len(c.Tags) < n {
		return fmt.Sprintf("column has %d of %d tags", len(c.Tags), n)
	}
	for _, r := range rows {
		if got[r].failure == "" && c.Tags[r] >= tagWhole {
			return fmt.Sprintf("row %d has tag %d", r, c.Tags[r])
		}
	}
	return ""
}
