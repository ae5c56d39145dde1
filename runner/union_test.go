package runner

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tidemark/runner/plan"
	"tidemark/stream"
)

// listener is a reader that writes down what it is handed.
type listener struct {
	rows  []heardRow
	marks []stream.Mark
}

// heardRow is a row of a union: what it was merged by, and the number of the input that it came from.
type heardRow struct {
	cause uint64
	order stream.Order
	time  stream.Time
	value any
	input int64
}

func (l *listener) take(_ int, b *stream.Batch) {
	each(b, func(row int32) {
		r := int(row)
		l.rows = append(l.rows, heardRow{b.Cause(r), orderOf(b, r), timeOf(b, r), b.Columns[0].Value(r), b.Columns[1].Value(r).(int64)})
	})
	for _, m := range b.Marks {
		l.marks = append(l.marks, stream.Mark{Cause: b.Base + m.Cause, Watermark: m.Watermark})
	}
}

func (l *listener) flush() {}

// testUnion makes a union of n inputs with a value column and the number of the input.
func testUnion(n int, readers ...target) *union {
	p := &plan.Union{Inputs: make([]*plan.Output, n), Columns: [][]int{make([]int, n), make([]int, n)}}
	for i := range n {
		p.Columns[1][i] = plan.FromNumber
	}
	return newUnion(p, readers)
}

// feed is what one input of a union brings with a piece.
type feed struct {
	input int
	batch stream.Batch
}

// drawFeed draws a batch whose causes are from base on and lie in [base, base+span).
func drawFeed(t *rapid.T, input int, base uint64, span int, watermark *stream.Time) feed {
	f := feed{input: input, batch: stream.Batch{Base: base, Columns: make([]stream.Column, 1)}}
	b := &f.batch
	b.Causes = rapid.SliceOfN(rapid.Uint64Range(0, uint64(span-1)), 0, 6).Draw(t, "causes")
	slices.Sort(b.Causes)
	b.N = len(b.Causes)
	b.Columns[0].Reset(stream.Any, 0)
	ofWindows := rapid.Bool().Draw(t, "of windows")
	for row := range b.N {
		appendAny(&b.Columns[0], rapid.SampledFrom([]any{int64(1), "text", nil, 1.5}).Draw(t, "value"))
		b.Times = append(b.Times, stream.Time(row))
		if ofWindows {
			b.Orders = append(b.Orders, stream.Order{End: stream.Time(b.Causes[row]) * 10, Start: stream.Time(row), First: uint64(row)})
		} else if rapid.IntRange(0, 3).Draw(t, "selected") > 0 {
			b.Sel = append(b.Sel, int32(row))
		}
	}
	if !ofWindows && b.Sel == nil {
		b.Sel = []int32{}
	}
	for c := range span {
		if rapid.IntRange(0, 3).Draw(t, "mark") == 0 {
			*watermark += stream.Time(rapid.IntRange(1, 5).Draw(t, "step"))
			b.Marks = append(b.Marks, stream.Mark{Cause: uint64(c), Watermark: *watermark})
		}
	}
	return f
}

func appendAny(c *stream.Column, v any) {
	var box stream.Column
	box.Reset(stream.KindOf(v), 1)
	box.SetValue(0, v)
	c.AppendRow(&box, 0)
}

// TestUnion compares a union with a sort of all rows and with the least of all watermarks, cause by cause.
func TestUnion(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, l := rapid.IntRange(2, 4).Draw(t, "inputs"), &listener{}
		u := testUnion(n, target{node: l, input: 0})
		watermarks := make([]stream.Time, n)
		var fed []feed
		base := uint64(0)
		for range rapid.IntRange(1, 4).Draw(t, "pieces") {
			span := rapid.IntRange(1, 6).Draw(t, "span")
			var piece []feed
			for i := range n {
				piece = append(piece, drawFeed(t, i, base, span, &watermarks[i]))
			}
			for _, i := range rapid.Permutation(upTo(n)).Draw(t, "order of arrival") {
				u.take(i, &piece[i].batch)
			}
			u.flush()
			fed = append(fed, piece...)
			base += uint64(span)
		}
		if want := mergedRows(fed); !slices.Equal(l.rows, want) {
			t.Fatalf("got  %v\nwants %v", l.rows, want)
		}
		if want := mergedMarks(fed, n, base); !slices.Equal(l.marks, want) {
			t.Fatalf("marks %v\nwants %v", l.marks, want)
		}
	})
}

func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

func mergedRows(fed []feed) (rows []heardRow) {
	for _, f := range fed {
		each(&f.batch, func(row int32) {
			r := int(row)
			rows = append(rows, heardRow{f.batch.Cause(r), orderOf(&f.batch, r), timeOf(&f.batch, r), f.batch.Columns[0].Value(r), int64(f.input)})
		})
	}
	slices.SortStableFunc(rows, func(a, b heardRow) int {
		return cmp.Or(cmp.Compare(a.cause, b.cause), cmp.Compare(a.order.End, b.order.End),
			cmp.Compare(a.order.Start, b.order.Start), cmp.Compare(a.input, b.input))
	})
	return rows
}

func mergedMarks(fed []feed, inputs int, causes uint64) (marks []stream.Mark) {
	current := make([]stream.Time, inputs)
	for i := range current {
		current[i] = stream.MinTime
	}
	was := stream.MinTime
	for cause := range causes {
		for _, f := range fed {
			for _, m := range f.batch.Marks {
				if f.batch.Base+m.Cause == cause {
					current[f.input] = m.Watermark
				}
			}
		}
		if w := slices.Min(current); w > was {
			marks, was = append(marks, stream.Mark{Cause: cause, Watermark: w}), w
		}
	}
	return marks
}

// TestUnionNested reads the same output twice, once through another union: rows come in the order of inputs.
func TestUnionNested(t *testing.T) {
	l := &listener{}
	outer := testUnion(2, target{node: l, input: 0})
	inner := testUnion(2, target{node: outer, input: 1})
	b := &stream.Batch{N: 3, Base: 5, Columns: make([]stream.Column, 1), Marks: []stream.Mark{{Cause: 1, Watermark: 7}}}
	b.Columns[0].Reset(stream.Int, 3)
	push([]target{{node: outer}, {node: inner}, {node: inner, input: 1}}, b)
	inner.flush()
	outer.flush()
	var got []string
	for _, r := range l.rows {
		got = append(got, fmt.Sprint(r.cause, "/", r.input))
	}
	if want := []string{"5/0", "5/1", "5/1", "6/0", "6/1", "6/1", "7/0", "7/1", "7/1"}; !slices.Equal(got, want) {
		t.Errorf("got %v, wants %v", got, want)
	}
	if want := []stream.Mark{{Cause: 6, Watermark: 7}}; !slices.Equal(l.marks, want) {
		t.Errorf("marks %v, wants %v", l.marks, want)
	}
}
