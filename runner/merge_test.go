package runner

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestMerge: a merge visits what a stable sort of all sequences behind each other gives, however often it is used.
func TestMerge(t *testing.T) {
	var m merge
	rapid.Check(t, func(t *rapid.T) {
		sequences := rapid.SliceOfN(rapid.SliceOf(rapid.IntRange(0, 9)), 0, 6).Draw(t, "sequences")
		var want, got []element
		for i, s := range sequences {
			slices.Sort(s)
			for at := range s {
				want = append(want, element{i, at})
			}
		}
		value := func(p element) int { return sequences[p.sequence][p.index] }
		slices.SortStableFunc(want, func(a, b element) int { return value(a) - value(b) })
		m.each(len(sequences), func(i int) int { return len(sequences[i]) },
			func(a, b element) bool { return value(a) < value(b) },
			func(p element) { got = append(got, p) })
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}
