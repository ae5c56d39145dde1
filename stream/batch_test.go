package stream

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestCauses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Batch{N: rapid.IntRange(0, 20).Draw(t, "rows"), Base: rapid.Uint64Range(0, 1000).Draw(t, "base")}
		if rapid.Bool().Draw(t, "explicit") {
			b.Causes = rapid.SliceOfN(rapid.Uint64Range(0, 10), b.N, b.N).Draw(t, "causes")
			slices.Sort(b.Causes)
		}
		upTo := rapid.Uint64Range(0, 25).Draw(t, "up to")
		want := 0
		for row := range b.N {
			if b.Cause(row)-b.Base <= upTo {
				want++
			}
		}
		if got := b.RowsUpTo(upTo); got != want {
			t.Fatalf("%d rows up to %d, wants %d", got, upTo, want)
		}
	})
}

// TestOrder says that Less is a strict order by end, start and first appearance.
func TestOrder(t *testing.T) {
	sorted := []Order{{MinTime, 0, 0}, {1, 0, 5}, {1, 1, 0}, {1, 1, 1}, {2, -5, 0}, {MaxTime, 0, 0}}
	for i, a := range sorted {
		for j, b := range sorted {
			if a.Less(b) != (i < j) {
				t.Errorf("%v before %v: %v", a, b, a.Less(b))
			}
		}
	}
}

func TestBatchReset(t *testing.T) {
	var b Batch
	b.Reset(2)
	b.Columns[1].Reset(Int, 3)
	b.Columns[1].SetTag(0, TagNull)
	b.N, b.Base, b.Sel, b.Causes, b.Kinds = 3, 9, []int32{1}, []uint64{0, 1, 2}, make([]RowKind, 3)
	b.Times, b.Marks, b.Orders = make([]Time, 3), make([]Mark, 1), make([]Order, 3)
	if b.Selected() != 1 {
		t.Errorf("%d selected", b.Selected())
	}
	b.Reset(3)
	if b.N != 0 || b.Base != 0 || len(b.Columns) != 3 || len(b.Times)+len(b.Marks) != 0 || b.Selected() != 0 {
		t.Errorf("%+v", b)
	}
	if b.Sel != nil || b.Causes != nil || b.Kinds != nil || b.Orders != nil {
		t.Error("something is left")
	}
	for i := range b.Columns {
		if b.Columns[i].Len() != 0 || b.Columns[i].Odd != 0 {
			t.Errorf("column %d has %d rows", i, b.Columns[i].Len())
		}
	}
}

func TestWords(t *testing.T) {
	for typ, want := range map[Type]string{
		{}: "any", {Kind: Int}: "int", {Kind: Float, Null: true}: "float|null", {Shape: List}: "list", {Shape: Object}: "object",
		{Null: true}: "any", {Kind: Instant}: "timestamp", {Kind: Bool}: "bool", {Kind: String}: "string",
	} {
		if typ.String() != want {
			t.Errorf("%s, wants %s", typ, want)
		}
	}
	if p := (Path{"a", "b"}); p.String() != "a.b" || !p.Equal(Path{"a", "b"}) || p.Equal(Path{"a"}) || p.Equal(Path{"a", "c"}) {
		t.Error("paths")
	}
}
