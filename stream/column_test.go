package stream

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// anyValue draws a value as records have it.
func anyValue() *rapid.Generator[any] {
	return rapid.OneOf(
		rapid.Just[any](nil),
		rapid.Map(rapid.Int64(), func(v int64) any { return v }),
		rapid.Map(rapid.Float64(), func(v float64) any { return v }),
		rapid.Map(rapid.Bool(), func(v bool) any { return v }),
		rapid.Map(rapid.String(), func(v string) any { return v }),
		rapid.Map(rapid.Int64Range(int64(FirstTime), int64(LastTime)), func(v int64) any { return Time(v).Std() }),
		rapid.Just[any](time.Unix(0, 1500).UTC()), // no whole milliseconds
		rapid.Just[any]([]any{int64(1), "two"}),
		rapid.Just[any](map[string]any{"a": nil}),
	)
}

var kinds = []Kind{Any, Int, Float, Bool, String, Instant}

// TestColumnSetValue says that a column of any kind holds any value, and that the last one set counts.
func TestColumnSetValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c Column
		c.Reset(rapid.SampledFrom(kinds).Draw(t, "former kind"), rapid.IntRange(0, 5).Draw(t, "former rows"))
		n := rapid.IntRange(1, 8).Draw(t, "rows")
		c.Reset(rapid.SampledFrom(kinds).Draw(t, "kind"), n)
		want := make([]any, n)
		for i := range want {
			want[i] = anyValue().Draw(t, "first")
			c.SetValue(i, want[i])
		}
		for range rapid.IntRange(0, 8).Draw(t, "changes") {
			row := rapid.IntRange(0, n-1).Draw(t, "row")
			want[row] = anyValue().Draw(t, "next")
			c.SetValue(row, want[row])
		}
		compare(t, &c, want)
	})
}

// TestColumnAppend says that a builder column gives back what was appended, in whatever way, whatever the kinds of
// the columns were that it came from.
func TestColumnAppend(t *testing.T) {
	var c Column // used again, as builders are
	rapid.Check(t, func(t *rapid.T) {
		c.Reset(c.Kind, 0)
		var want []any
		for range rapid.IntRange(0, 12).Draw(t, "rows") {
			v := anyValue().Draw(t, "value")
			want = append(want, v)
			if rapid.Bool().Draw(t, "from a column") {
				var src Column
				src.Reset(rapid.SampledFrom(kinds).Draw(t, "kind"), 2)
				src.SetValue(0, anyValue().Draw(t, "other"))
				src.SetValue(1, v)
				c.AppendRow(&src, 1)
				continue
			}
			appendValue(&c, v)
		}
		compare(t, &c, want)
	})
}

func appendValue(c *Column, v any) {
	switch x := v.(type) {
	case nil:
		c.AppendNull()
	case int64:
		c.AppendInt(x)
	case float64:
		c.AppendFloat(x)
	case bool:
		c.AppendBool(x)
	case string:
		c.AppendText([]byte(x))
	case time.Time:
		if KindOf(x) == Instant {
			c.AppendInstant(Time(x.UnixMilli()))
			return
		}
		c.AppendBoxed(x)
	default:
		c.AppendBoxed(x)
	}
}

// compare compares values, the number of odd rows, and what Boxed and Tags promise.
func compare(t *rapid.T, c *Column, want []any) {
	if c.Len() != len(want) {
		t.Fatalf("%d rows, wants %d", c.Len(), len(want))
	}
	odd := 0
	for row, v := range want {
		if got := c.Value(row); !reflect.DeepEqual(got, v) {
			t.Fatalf("row %d is %#v, wants %#v", row, got, v)
		}
		if c.Tag(row) != TagOK {
			odd++
		}
		if v == nil && !c.Tag(row).Absent() {
			t.Fatalf("row %d is nil and tagged %d", row, c.Tag(row))
		}
	}
	if c.Odd != odd || odd > 0 && len(c.Tags) != len(want) {
		t.Fatalf("%d odd rows and %d tags, wants %d of %d", c.Odd, len(c.Tags), odd, len(want))
	}
}

// TestColumnKind says that the first value that is not null decides the kind, so that columns of one kind stay fast.
func TestColumnKind(t *testing.T) {
	var c Column
	for _, first := range []any{int64(1), 1.5, true, "text", Time(5).Std(), []any{}} {
		for nulls := range 3 {
			c.Reset(String, 0)
			for range nulls {
				c.AppendNull()
			}
			appendValue(&c, first)
			if c.Kind != KindOf(first) || c.Odd != nulls {
				t.Errorf("%d nulls, then %v: kind %v, %d odd rows", nulls, first, c.Kind, c.Odd)
			}
		}
	}
}

// TestColumnParents says that tags of paths survive being appended, with the value that has no fields.
func TestColumnParents(t *testing.T) {
	var src, c Column
	src.Reset(Int, 4)
	src.Ints[0] = 7
	src.SetTag(1, TagParentNil+2)
	src.SetBoxed(2, TagParentOther+1, "flat")
	src.SetTag(3, TagMissing)
	for row := range 4 {
		c.AppendRow(&src, row)
	}
	for row := range 4 {
		if c.Tag(row) != src.Tag(row) || c.Value(row) != src.Value(row) {
			t.Errorf("row %d: tag %d, value %v", row, c.Tag(row), c.Value(row))
		}
	}
	if c.Boxed[2] != "flat" || c.Value(2) != nil {
		t.Errorf("the parent is %v, the value %v", c.Boxed[2], c.Value(2))
	}
}

// TestColumnText says that text is copied: what it was made from may change.
func TestColumnText(t *testing.T) {
	text := []byte("abc")
	src := Column{Kind: String, Refs: []Ref{{0, 3}}, Data: text}
	var c Column
	c.AppendRow(&src, 0)
	c.AppendText(text)
	c.Reset(String, 0)
	c.AppendRow(&src, 0)
	copy(text, "xyz")
	if got := string(c.Bytes(0)); got != "abc" {
		t.Errorf("%s", got)
	}
	if b := c.Bytes(0); cap(b) != len(b) {
		t.Error("appending to a value would write over the next one")
	}
}

// TestColumnSteady says that a builder that is used again doesn't allocate.
func TestColumnSteady(t *testing.T) {
	var c Column
	text := []byte("a text")
	if n := testing.AllocsPerRun(50, func() {
		for _, kind := range kinds[1:] {
			c.Reset(kind, 0)
			for range 100 {
				c.AppendNull()
				c.AppendText(text)
				c.AppendInt(1000) // boxed
			}
		}
	}); n > 5*100+5 { // an allocation for each boxed value
		t.Errorf("%v allocations", n)
	}
}
