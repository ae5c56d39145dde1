package expression

import (
	"fmt"
	"strconv"

	"tidemark/stream"
)

// Evaluator runs a program over batches. It owns what it needs to do so and serves one goroutine at a time.
type Evaluator struct {
	program  *Program
	machine  *machine
	root     kernel // nil: the virtual machine does it all
	bare     int    // column that is the result as it is, or -1
	all      []int32
	result   stream.Column
	faults   faults
	failures []Failure
	judged   []Failure // failures of Filter
}

// NewEvaluator gives an evaluator for batches in which column columns[i] holds Uses()[i].
func (p *Program) NewEvaluator(columns []int) *Evaluator {
	e := &Evaluator{program: p, machine: newMachine(p, columns), bare: -1}
	b := builder{program: p, columns: columns, machine: e.machine, faults: &e.faults}
	e.root = b.build(p.tree)
	if l, ok := e.root.(*leaf); ok {
		l.asIs = true
		if len(l.path.names) <= 1 {
			e.bare = l.column
		}
	}
	if _, ok := e.root.(*opaque); ok {
		e.root = nil
	}
	return e
}

// Eval evaluates rows of b, all of them if rows is nil. The result has an element for each row of the batch,
// undefined for rows not asked for and for those that failed. It may be a column of b, and is valid until the
// evaluator is used again. Failures are in the order of rows.
func (e *Evaluator) Eval(b *stream.Batch, rows []int32) (*stream.Column, []Failure) {
	e.failures = e.failures[:0]
	if e.bare >= 0 {
		return &b.Columns[e.bare], nil
	}
	if rows == nil {
		rows = e.every(b.N)
	}
	if e.root == nil {
		return e.run(b, rows), e.failures
	}
	c := e.root.eval(frame{b, b.N, len(rows) == b.N}, rows)
	if c.Odd == 0 {
		return c, nil
	}
	return e.settle(c, b, rows), e.failures
}

// every gives the rows 0 to n-1.
func (e *Evaluator) every(n int) []int32 {
	for i := len(e.all); i < n; i++ {
		e.all = append(e.all, int32(i))
	}
	return e.all[:n:n]
}

// settle makes a column of a vector with tags: rows that kernels left go to the virtual machine.
func (e *Evaluator) settle(c *stream.Column, b *stream.Batch, rows []int32) *stream.Column {
	known, odd, doubt := false, false, false
	for _, r := range rows {
		t := c.Tags[r]
		known = known || t == stream.TagOK
		odd = odd || t >= stream.TagParentNil
		doubt = doubt || t >= stream.TagParentNil && !failed(t)
	}
	switch {
	case !odd:
		return c
	case doubt && !known:
		return e.run(b, rows)
	}
	out := &e.result
	out.Reset(c.Kind, b.N)
	untag(out, b.N)
	with := copier{out: out}
	for _, r := range rows {
		switch t := c.Tags[r]; {
		case t == stream.TagOK:
			with.copy(c, r)
		case t.Absent():
			tag(out, r, stream.TagNull)
		case t == stream.TagOther:
			out.SetBoxed(int(r), t, c.Boxed[r])
		case t == tagWhole:
			out.SetBoxed(int(r), stream.TagOther, int64(c.Floats[r]))
		case failed(t):
			e.failures = append(e.failures, Failure{r, e.faults.message(t)})
		default:
			if v, ok := e.row(b, r); ok {
				out.SetValue(int(r), v)
			}
		}
	}
	return out
}

// run evaluates all rows by the virtual machine. The first value that is not nil decides the column's kind.
func (e *Evaluator) run(b *stream.Batch, rows []int32) *stream.Column {
	out := &e.result
	out.Reset(stream.Any, b.N)
	first := true
	for i, r := range rows {
		v, ok := e.row(b, r)
		if ok && v != nil && first {
			first = false
			out.Reset(stream.KindOf(v), b.N)
			for _, former := range rows[:i] {
				out.SetTag(int(former), stream.TagNull)
			}
		}
		if ok {
			out.SetValue(int(r), v)
		}
	}
	return out
}

// row evaluates one row by the virtual machine.
func (e *Evaluator) row(b *stream.Batch, row int32) (any, bool) {
	e.machine.load(b, int(row))
	v, problem := e.machine.run(e.program.code)
	if problem != "" {
		e.failures = append(e.failures, Failure{row, problem})
	}
	return v, problem == ""
}

// Filter appends to keep the rows whose value is true. A value that is neither true nor false is a failure.
func (e *Evaluator) Filter(b *stream.Batch, rows, keep []int32) (kept []int32, failures []Failure) {
	c, failed := e.Eval(b, rows)
	if rows == nil {
		rows = e.every(b.N)
	}
	if c.Odd == 0 && c.Kind == stream.Bool && len(failed) == 0 {
		return appendTrue(keep, c.Bools, rows), nil
	}
	e.judged = e.judged[:0]
	for _, r := range rows {
		if len(failed) > 0 && failed[0].Row == r {
			e.judged, failed = append(e.judged, failed[0]), failed[1:]
			continue
		}
		if c.Kind == stream.Bool && c.Tag(int(r)) == stream.TagOK {
			if c.Bools[r] {
				keep = append(keep, r)
			}
			continue
		}
		switch v := c.Value(int(r)).(type) {
		case bool:
			if v {
				keep = append(keep, r)
			}
		default:
			e.judged = append(e.judged, Failure{r, "gives " + describe(v) + ", wants true or false"})
		}
	}
	return keep, e.judged
}

// describe prints a value for a message, with its type where that is not plain to see.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case int64, float64:
		return fmt.Sprintf("%v (%s)", v, typeWord(v))
	case string:
		if len(v) > 40 {
			v = v[:40]
		}
		return strconv.Quote(v)
	}
	return "a " + typeWord(v)
}

// appendTrue appends the rows of which the value is true, without a branch for each.
func appendTrue(keep []int32, values []bool, rows []int32) []int32 {
	n := len(keep)
	keep = stream.Resize(keep, n+len(rows))
	for _, r := range rows {
		keep[n] = r
		n += bit(values[r])
	}
	return keep[:n]
}

// bit is 1 for true; the compiler makes no jump of it.
func bit(b bool) int {
	n := 0
	if b {
		n = 1
	}
	return n
}
