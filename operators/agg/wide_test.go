package agg

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// TestWide compares sums, their rounding and their quotients with those of math/big.
func TestWide(t *testing.T) {
	terms := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{math.MaxInt64, math.MinInt64, 0, -1, 1 << 53, 1<<53 + 1}))
	rapid.Check(t, func(t *rapid.T) {
		var w, half wide
		exactly := new(big.Int)
		for _, v := range rapid.SliceOfN(terms, 0, 6).Draw(t, "terms") {
			half.add(v)
			exactly.Add(exactly, big.NewInt(v))
		}
		for range rapid.IntRange(0, 60).Draw(t, "doublings") {
			half.addWide(half)
			exactly.Lsh(exactly, 1)
		}
		w.addWide(half)
		if w.big().Cmp(exactly) != 0 {
			t.Fatalf("the sum is %s, want %s", w.big(), exactly)
		}
		if v, fits := w.narrow(); fits != exactly.IsInt64() || fits && v != exactly.Int64() {
			t.Fatalf("%s is narrowed to %d, %v", exactly, v, fits)
		}
		if f, want := w.float(), nearest(exactly); f != want {
			t.Fatalf("%s as a float is %v, want %v", exactly, f, want)
		}
		n := rapid.OneOf(rapid.Int64Range(1, 10), rapid.Int64Range(1, math.MaxInt64)).Draw(t, "n")
		want, _ := new(big.Rat).SetFrac(exactly, big.NewInt(n)).Float64()
		if f := w.divide(n); f != want {
			t.Fatalf("%s / %d is %v, want %v", exactly, n, f, want)
		}
	})
}

func TestCompareIntFloat(t *testing.T) {
	ints := rapid.OneOf(rapid.Int64(), rapid.SampledFrom([]int64{math.MaxInt64, math.MinInt64, 0, 1<<53 + 1}))
	rapid.Check(t, func(t *rapid.T) {
		i := ints.Draw(t, "int")
		f := rapid.OneOf(rapid.Float64(), rapid.Just(float64(i)), rapid.Just(float64(i)+0.5)).Draw(t, "float")
		if math.IsNaN(f) {
			return
		}
		if got, want := compareIntFloat(i, f), numeric(i).Cmp(numeric(f)); got != want {
			t.Fatalf("%d against %v is %d, want %d", i, f, got, want)
		}
		bits := int64(math.Float64bits(f))
		if floatOf(rankOf(bits)) != bits {
			t.Fatalf("the rank of %v does not lead back", f)
		}
		g := rapid.Float64().Draw(t, "other")
		if !math.IsNaN(g) && f < g != (rankOf(bits) < rankOf(int64(math.Float64bits(g)))) && f != g {
			t.Fatalf("%v and %v rank the other way round", f, g)
		}
	})
}
