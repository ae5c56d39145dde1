package state

import (
	"fmt"
	"math"
	"sort"
	"strings"
	"time"

	"pgregory.net/rapid"

	"tidemark/stream"
)

// identity gives a text that is the same for values that are the same key; the naive counterpart of the
// canonical encoding.
func identity(v any) string {
	switch x := v.(type) {
	case float64:
		if x == math.Floor(x) && math.Abs(x) <= 1<<53 {
			return fmt.Sprintf("number %d", int64(x))
		}
		return fmt.Sprintf("float %v", x)
	case int64:
		return fmt.Sprintf("number %d", x)
	case time.Time:
		return "time " + x.Format(time.RFC3339Nano)
	case []any:
		var b strings.Builder
		for _, item := range x {
			fmt.Fprintf(&b, "%q,", identity(item))
		}
		return "list " + b.String()
	case map[string]any:
		var fields []string
		for name, item := range x {
			fields = append(fields, fmt.Sprintf("%q:%q", name, identity(item)))
		}
		sort.Strings(fields)
		return "object " + strings.Join(fields, ",")
	}
	return fmt.Sprintf("%T %v", v, v)
}

// written gives a text that is the same for values that are spelled alike.
func written(v any) string {
	switch x := v.(type) {
	case float64:
		return fmt.Sprintf("float %v %v", x, math.Signbit(x) && x == x)
	case []any:
		texts := make([]string, len(x))
		for i := range x {
			texts[i] = written(x[i])
		}
		return fmt.Sprintf("%q", texts)
	case map[string]any:
		texts := map[string]string{}
		for name := range x {
			texts[name] = written(x[name])
		}
		return fmt.Sprintf("%q", texts)
	}
	return fmt.Sprintf("%T %v", v, v)
}

var someInts = rapid.OneOf(rapid.Int64Range(-2, 3), rapid.SampledFrom([]int64{
	math.MinInt64, math.MaxInt64, 1 << 53, 1<<53 + 1, -1 << 53,
}))

var someFloats = rapid.SampledFrom([]float64{
	0, math.Copysign(0, -1), 1, 2, -2, 0.5, 1 << 53, -1 << 53, 1 << 60, 1e300, math.NaN(), math.Inf(1), math.Inf(-1),
})

var someTexts = rapid.SampledFrom([]string{"", "a", "1", "true", "null", "a longer text than sixteen bytes", "é\x00\xff"})

func asAny[T any](g *rapid.Generator[T]) *rapid.Generator[any] {
	return rapid.Map(g, func(v T) any { return v })
}

var (
	someTimes = rapid.Map(rapid.Int64Range(-2, 2), func(ms int64) any { return time.UnixMilli(ms).UTC() })
	someFine  = rapid.Map(rapid.Int64Range(-2, 2), func(ns int64) any { return time.Unix(0, ns).UTC() })
	scalars   = []*rapid.Generator[any]{
		asAny(someInts), asAny(someFloats), asAny(someTexts), asAny(rapid.Bool()), someTimes, someFine, rapid.Just[any](nil),
	}
	nested = rapid.OneOf(
		asAny(rapid.SliceOfN(rapid.OneOf(scalars...), 0, 2)),
		asAny(rapid.MapOfN(rapid.SampledFrom([]string{"", "x", "xy"}), rapid.OneOf(scalars...), 0, 2)),
	)
	anyValue = rapid.OneOf(append(scalars, nested)...)
	// columnValues draws what one column of a batch is made of: mostly of one kind.
	columnValues = rapid.OneOf(
		rapid.SampledFrom(append(scalars, nested)),
		rapid.SampledFrom([]*rapid.Generator[any]{rapid.OneOf(asAny(someInts), asAny(someFloats)), anyValue}),
	)
)

// columnOf builds a column as a source without schema does: the first value that is not null decides.
func columnOf(values []any) *stream.Column {
	c := &stream.Column{}
	for _, v := range values {
		one := &stream.Column{}
		one.Reset(stream.KindOf(v), 1)
		one.SetValue(0, v)
		c.AppendRow(one, 0)
	}
	return c
}

// drawBatch draws the rows of a batch as values by row and as columns.
func drawBatch(t *rapid.T, columns, rows int) (values [][]any, built []*stream.Column) {
	values = make([][]any, rows)
	for range columns {
		draw := columnValues.Draw(t, "column")
		column := make([]any, rows)
		for r := range column {
			column[r] = draw.Draw(t, "value")
			values[r] = append(values[r], column[r])
		}
		built = append(built, columnOf(column))
	}
	return values, built
}

// drawRows draws an ascending selection of n rows.
func drawRows(t *rapid.T, n int) []int32 {
	rows := []int32{}
	for r := range n {
		if rapid.IntRange(0, 3).Draw(t, "selected") > 0 {
			rows = append(rows, int32(r))
		}
	}
	return rows
}
