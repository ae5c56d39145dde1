package oracle

import (
	"maps"
	"slices"

	"pgregory.net/rapid"
)

var lengths = []int64{5000, 1000, 10_000, 3000, 700, 2000}

// window draws the clauses of a window and gives what its rows have.
func (g *generator) window(tr *Transform, in *output) *output {
	t := g.t
	w := &Window{Kind: rapid.SampledFrom([]Kind{Tumbling, Sliding, Session, Calendar}).Draw(t, "kind")}
	if w.Kind == Calendar {
		w.Unit, w.Zone = rapid.SampledFrom([]string{"day", "day", "week", "month", "quarter", "year"}).Draw(t, "unit"), g.zone
	}
	w.Size = rapid.SampledFrom(lengths).Draw(t, "size")
	step := w.Size
	if w.Kind == Sliding {
		w.Every = rapid.SampledFrom(lengths).Draw(t, "every")
		step = w.Every
	}
	if w.Kind != Session && w.Kind != Calendar && once(t, 3, "offset") {
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

// integers are the functions whose result is an integer, over integers, by the name of their column. A name stands
// for a function, so that it has one type in the whole pipeline.
var integers = map[string]string{
	"c": "count", "s": "sum", "lo": "min", "hi": "max", "f": "first", "l": "last", "d": "count_distinct",
	"da": "approx_count_distinct", "lb": "min_by", "hb": "max_by",
}

// others are those whose result is none. Those of texts and truths are over fields that are never nil.
var others = map[string]string{
	"m": "avg", "q": "quantile", "md": "median", "qa": "approx_quantile", "va": "variance", "sd": "stddev",
	"co": "collect", "cs": "collect_set", "sj": "string_join", "ba": "bool_and", "bo": "bool_or",
}

// aggregates draws one to four.
func (g *generator) aggregates(tr *Transform, in, out *output) {
	t := g.t
	names := []string{"n"}
	if len(in.ints) > 0 {
		names = append(slices.Sorted(maps.Keys(integers)), "n", "m", "q", "md", "qa", "va", "sd", "co", "cs")
	}
	if len(in.whole) > 0 {
		names = append(names, "sj", "ba", "bo")
	}
	names = rapid.Permutation(names).Draw(t, "aggregates")
	for _, name := range names[:rapid.IntRange(1, min(4, len(names))).Draw(t, "number of aggregates")] {
		a := g.aggregate(name, in)
		tr.Aggregates = append(tr.Aggregates, a)
		if others[name] == "" {
			out.ints = with(out.ints, name)
		}
		if slices.Contains([]string{"n", "c", "d", "da"}, name) {
			out.whole = with(out.whole, name)
		}
	}
}

// aggregate draws what the function of a name is given.
func (g *generator) aggregate(name string, in *output) Aggregate {
	t := g.t
	a := Aggregate{Name: name, Function: integers[name] + others[name]}
	field := func(label string) string { return rapid.SampledFrom(in.ints).Draw(t, label) }
	switch name {
	case "n":
		a.Function = "count"
	case "sj", "ba", "bo":
		a.Field = rapid.SampledFrom(in.whole).Draw(t, a.Function)
	case "lb", "hb":
		a.Field, a.By = field(a.Function), field("by")
	default:
		a.Field = field(a.Function)
	}
	if len(in.whole) > 0 {
		a.If = g.condition("if", in.whole, in.whole, 4)
	}
	return a
}
