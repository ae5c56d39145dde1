package oracle

import (
	"slices"
	"testing"
)

// TestRun is one pipeline worked out by hand.
//
// Both files of s stand at −∞, so a-0 gives its first record, then b-0, and so on by the lowest watermark
// (greatest − 1): 0:1000, 1:1500, 0:bad, 0:7000 (a-0's watermark is lowest), 1:2500 and 1:1400 (late for w only
// when [0, 2000) has gone), the end of file 1, then 0:6000 and the end of file 0.
func TestRun(t *testing.T) {
	p := &Pipeline{
		Sources: []Source{{
			Name: "s", Watermark: Watermark{Strategy: Monotonous},
			Partitions: [][]string{
				{`{"ts":1000,"k":"b","g":1}`, `oops`, `{"ts":7000,"k":"a","g":2}`, `{"ts":6000,"k":"a","g":3}`},
				{`{"ts":1500,"k":"a","g":4}`, `{"ts":2500,"k":"a","g":5}`, `{"ts":1400, "k":"a","g":6}`},
			},
		}},
		Transforms: []Transform{
			{Name: "few", From: []string{"s"}, Where: &Condition{Field: "g", Op: "<", Value: 6}, Set: []Assignment{{"x", "g", 1}}},
			{
				Name: "w", From: []string{"s"}, Key: []string{"k"}, Window: &Window{Kind: Tumbling, Size: 2000},
				Aggregates: []Aggregate{{Name: "n", Function: "count"}, {Name: "s", Function: "sum", Field: "g"}, {Name: "m", Function: "avg", Field: "g"}},
			},
			{
				Name: "all", From: []string{"w"}, Window: &Window{Kind: Tumbling, Size: 4000, Offset: -500},
				Aggregates: []Aggregate{{Name: "n", Function: "sum", Field: "n"}},
			},
		},
		Sinks: []Sink{
			{Name: "few_out", From: []string{"few"}}, {Name: "w_out", From: []string{"w"}},
			{Name: "all_out", From: []string{"all"}, Milliseconds: true},
			{Name: "late", From: []string{"w.late"}}, {Name: "dirty", From: []string{"s.dirty"}},
		},
	}
	result := Run(p)
	expect := map[string][]string{
		"few_out": {
			`{"ts":1000,"k":"b","g":1,"x":2}`, `{"ts":1500,"k":"a","g":4,"x":5}`, `{"ts":7000,"k":"a","g":2,"x":3}`,
			`{"ts":2500,"k":"a","g":5,"x":6}`, `{"ts":6000,"k":"a","g":3,"x":4}`,
		},
		"w_out": {
			`{"k":"b","window_start":"1970-01-01T00:00:00Z","window_end":"1970-01-01T00:00:02Z","n":1,"s":1,"m":1}`,
			`{"k":"a","window_start":"1970-01-01T00:00:00Z","window_end":"1970-01-01T00:00:02Z","n":1,"s":4,"m":4}`,
			`{"k":"a","window_start":"1970-01-01T00:00:02Z","window_end":"1970-01-01T00:00:04Z","n":1,"s":5,"m":5}`,
			`{"k":"a","window_start":"1970-01-01T00:00:06Z","window_end":"1970-01-01T00:00:08Z","n":2,"s":5,"m":2.5}`,
		},
		"all_out": {
			`{"window_start":-500,"window_end":3500,"n":2}`, `{"window_start":3500,"window_end":7500,"n":1}`,
			`{"window_start":7500,"window_end":11500,"n":2}`,
		},
		"late":  {`{"ts":1400, "k":"a","g":6}`},
		"dirty": {`{"node":"s","raw":"oops"}`},
	}
	for sink, want := range expect {
		if got := result.Lines[sink]; !slices.Equal(got, want) {
			t.Errorf("%s:\n%q\nwants\n%q", sink, got, want)
		}
	}
	counts := map[string]Counts{
		"s": {In: 7, Out: 6, Dirty: 1, Used: 6}, "few": {In: 6, Out: 5, Filtered: 1, Used: 5},
		"w": {In: 6, Out: 4, Late: 1, Used: 5}, "all": {In: 4, Out: 3, Used: 4},
	}
	for node, want := range counts {
		if got := *result.Counts[node]; got != want {
			t.Errorf("%s: %+v, wants %+v", node, got, want)
		}
	}
}

// TestUnion merges rows of one cause: plain ones, then those of windows by end and start, then by input.
func TestUnion(t *testing.T) {
	at := func(text string, end int64, first int) Row {
		return Row{base: text, place: &place{end: end, first: first}}
	}
	g := &graph{outputs: map[string][]Row{
		"a": {at("a1", 20, 3), at("a2", 30, 9)}, "b": {{base: "b1"}}, "c": {at("c1", 20, 2), at("c2", 30, 9)},
	}}
	var got []string
	for _, row := range g.union([]string{"a", "b", "c"}) {
		got = append(got, row.base)
	}
	if want := []string{"b1", "a1", "c1", "a2", "c2"}; !slices.Equal(got, want) {
		t.Errorf("%q, wants %q", got, want)
	}
}
