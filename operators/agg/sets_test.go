package agg

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tidemark/stream"
)

// TestSetsAgainstMaps lets sets go through all their forms, with universes from tiny to sparse.
func TestSetsAgainstMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const n = 3
		var s sets
		s.heads = grow(s.heads, n, head{})
		want := [n]map[uint32]bool{{}, {}, {}}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			id := rapid.Uint32Range(0, n-1).Draw(t, "set")
			switch rapid.IntRange(0, 6).Draw(t, "step") {
			case 0:
				s.clear(id)
				want[id] = map[uint32]bool{}
			case 1:
				from := rapid.Uint32Range(0, n-1).Draw(t, "from")
				if from != id {
					s.union(id, from)
					for m := range want[from] {
						want[id][m] = true
					}
				}
			default:
				s.universe = max(s.universe, 1<<rapid.IntRange(0, 17).Draw(t, "universe"))
				start := rapid.IntRange(0, s.universe-1).Draw(t, "start")
				step := rapid.IntRange(1, 300).Draw(t, "step")
				var ids, members []uint32
				for i := range rapid.IntRange(1, 200).Draw(t, "members") {
					m := uint32((start + i*step) % s.universe)
					ids, members = append(ids, id), append(members, m)
					want[id][m] = true
				}
				s.addAll(ids, members)
			}
			checkSets(t, &s, want[:])
		}
	})
}

func checkSets(t *rapid.T, s *sets, want []map[uint32]bool) {
	total := 0
	for id := range want {
		got := s.members(uint32(id), nil)
		slices.Sort(got)
		expected := []uint32{}
		for m := range want[id] {
			expected = append(expected, m)
		}
		slices.Sort(expected)
		if !slices.Equal(got, expected) || int(s.heads[id].n) != len(expected) {
			t.Fatalf("set %d (form %d, n %d) has %v, want %v", id, s.heads[id].form, s.heads[id].n, got, expected)
		}
		total += len(expected)
	}
	if total != s.total {
		t.Fatalf("the sets' total is %d, want %d", s.total, total)
	}
}

// TestDistinctForgets keeps few of many values: the dictionary must not keep the rest, nor the counts change.
func TestDistinctForgets(t *testing.T) {
	d, slices := new(distinct), new(distinct)
	d.Grow(4)
	slices.Grow(1)
	for round := range 50 {
		c := &stream.Column{}
		in := &Input{Args: []*stream.Column{c}}
		for i := range 1000 {
			c.AppendText(fmt.Appendf(nil, "value-%d", round*1000+i))
			in.Rows, in.IDs = append(in.Rows, int32(i)), append(in.IDs, uint32(round%3))
		}
		d.Clear(uint32(round % 3))
		d.Add(in)
		slices.Clear(0)
		slices.Merge(0, d, uint32(round%3))
		for id := range uint32(min(round+1, 3)) {
			if n := d.sets.heads[id].n; n != 1000 {
				t.Fatalf("round %d: entry %d has %d values", round, id, n)
			}
		}
		if n := slices.sets.heads[0].n; n != 1000 {
			t.Fatalf("round %d: the merged entry has %d values", round, n)
		}
	}
	for _, table := range []*dictionary{&d.dictionary, &slices.dictionary} {
		if table.Len() > 13_000 {
			t.Errorf("the dictionary has %d values", table.Len())
		}
	}
}

// TestManySmallSets bounds the memory of a million groups with a value or two.
func TestManySmallSets(t *testing.T) {
	const groups = 1_000_000
	var s sets
	s.heads = grow(s.heads, groups, head{})
	s.universe = groups
	for id := range uint32(groups) {
		s.add(id, id)
		s.add(id, id/2)
	}
	if perGroup := s.bytes() / groups; perGroup > 30 {
		t.Errorf("a group of two values takes %d bytes", perGroup)
	}
}
