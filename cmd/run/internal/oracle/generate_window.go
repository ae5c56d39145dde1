package oracle

import (
	"pgregory.net/rapid"
)

var lengths = []int64{5000, 1000, 10_000, 3000, 700, 2000}

// window draws the clauses of a window and gives what its rows have.
func (g *generator) window(tr *Transform, in *output) *output {
	t := g.t
	w := &Window{Kind: rapid.SampledFrom([]Kind{Tumbling, Sliding, Session}).Draw(t, "kind")}
	w.Size = rapid.SampledFrom(lengths).Draw(t, "size")
	step := w.Size
	if w.Kind == Sliding {
		w.Every = rapid.SampledFrom(lengths).Draw(t, "every")
		step = w.Every
	}
	if w.Kind != Session && once(t, 3, "offset") {
		w.Offset = rapid.Int64Range(1-step, step-1).Draw(t, "by")
	}
	tr.Window = w
	if keys := rapid.Permutation(in.keys).Draw(t, "keys"); len(keys) > 0 {
		tr.Key = keys[:min(len(keys), rapid.SampledFrom([]int{1, 1, 2, 0}).Draw(t, "key fields"))]
	}
	if once(t, 3, "late") {
		tr.Lateness = rapid.SampledFrom([]int64{1000, 1, 4000, 20_000}).Draw(t, "lateness")
	}
	out := &output{refined: tr.Lateness > 0, keys: tr.Key}
	g.aggregates(tr, in, out)
	if len(out.whole) > 0 {
		tr.Having = g.condition("having", out.whole, out.whole, 5)
	}
	for _, name := range tr.Key {
		if name == "g" {
			out.ints, out.whole = with(out.ints, name), with(out.whole, name)
		}
	}
	return out
}

// aggregates draws one to four; a name stands for a function, so that it has one type in the whole pipeline.
func (g *generator) aggregates(tr *Transform, in, out *output) {
	t := g.t
	all := []Aggregate{{Name: "n", Function: "count"}}
	whole := []string{"n"}
	if len(in.ints) > 0 {
		field := func(label string) string { return rapid.SampledFrom(in.ints).Draw(t, label) }
		all = append(all,
			Aggregate{"c", "count", field("count")}, Aggregate{"s", "sum", field("sum")},
			Aggregate{"lo", "min", field("min")}, Aggregate{"hi", "max", field("max")},
			Aggregate{"f", "first", field("first")}, Aggregate{"l", "last", field("last")},
			Aggregate{"d", "count_distinct", field("count_distinct")}, Aggregate{"m", "avg", field("avg")},
		)
		whole = append(whole, "c", "d")
	}
	all = rapid.Permutation(all).Draw(t, "aggregates")
	tr.Aggregates = all[:rapid.IntRange(1, min(4, len(all))).Draw(t, "number of aggregates")]
	for _, a := range tr.Aggregates {
		if a.Name != "m" {
			out.ints = with(out.ints, a.Name)
		}
		if len(common([]string{a.Name}, whole)) > 0 {
			out.whole = with(out.whole, a.Name)
		}
	}
}
