package oracle

import (
	"fmt"
	"slices"
	"sort"

	"pgregory.net/rapid"
)

// Generate draws a pipeline that lint accepts, with its input.
func Generate(t *rapid.T) *Pipeline {
	g := &generator{t: t, p: &Pipeline{Schema: once(t, 3, "schema")}, outputs: map[string]*output{}}
	g.p.CSV = g.p.Schema && once(t, 2, "csv")
	g.mixed = !g.p.Schema && once(t, 4, "mixed")
	at := rapid.SampledFrom(moments).Draw(t, "base")
	base := at.base
	g.zone = at.zone
	for i := range rapid.IntRange(1, 2).Draw(t, "sources") {
		g.source(fmt.Sprintf("s%d", i+1), base)
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "transforms") {
		g.transform(i + 1)
	}
	g.sinks()
	return g.p
}

// once draws true once in n.
func once(t *rapid.T, n int, label string) bool { return rapid.IntRange(0, n-1).Draw(t, label) == n-1 }

// moments are times at which input begins, each with a zone in which a day of note begins then or a little later.
var moments = []struct {
	base int64
	zone string
}{
	{1_700_000_000_000, "Europe/Berlin"}, {0, "UTC"}, {1_700_000_000_123, "Australia/Lord_Howe"},
	{1_711_835_990_000, "Asia/Beirut"}, {1_541_300_390_000, "America/Sao_Paulo"}, // days without midnight
	{1_325_239_190_000, "Pacific/Apia"},     // a date is left out
	{1_289_096_990_000, "America/St_Johns"}, // the clocks are set back when the day has begun
}

// generator keeps what is known of each output so far.
type generator struct {
	t       *rapid.T
	p       *Pipeline
	mixed   bool
	zone    string
	names   []string
	outputs map[string]*output
}

// output is what a reader may count on.
type output struct {
	// ints are the fields that are integers, whole those of them that are never nil; keys what may be a key.
	ints, whole, keys []string
	// refined says that a window may be written more than once, dirty that these are dirty records.
	refined, dirty bool
	// list says that there is a field e, to be exploded.
	list bool
}

func (g *generator) add(name string, o *output) {
	g.names = append(g.names, name)
	g.outputs[name] = o
}

func (g *generator) source(name string, base int64) {
	t := g.t
	s := Source{Name: name, Watermark: g.watermark()}
	in := input{
		seed: rapid.Uint64().Draw(t, "seed"), base: base, mixed: g.mixed, spaced: once(t, 4, "spaced"),
		step:     rapid.SampledFrom([]int64{100, 1000, 10, 3000, 20_000_000}).Draw(t, "step"),
		disorder: rapid.SampledFrom([]int64{0, 500, 2000, 5000}).Draw(t, "disorder"),
		outliers: rapid.SampledFrom([]int64{1000, 4, 10, 30}).Draw(t, "outliers"),
		gaps:     rapid.SampledFrom([]int{0, 5, 30}).Draw(t, "gaps"),
		broken:   rapid.SampledFrom([]int{0, 0, 3, 20}).Draw(t, "broken"),
	}
	in.csv = g.p.CSV
	s.Partitions = in.lines(t)
	s.Chained, s.Packed = once(t, 5, "chained"), once(t, 5, "packed")
	g.p.Sources = append(g.p.Sources, s)
	g.add(name, &output{ints: []string{"g", "p", "v"}, whole: []string{"g", "p"}, keys: []string{"g", "k"}, list: !g.p.CSV})
	g.add(name+".dirty", &output{dirty: true})
}

func (g *generator) watermark() Watermark {
	t := g.t
	w := Watermark{Strategy: rapid.SampledFrom([]Strategy{Bounded, Bounded, Bounded, Monotonous, Punctuated, None}).Draw(t, "strategy")}
	w.Delay = rapid.SampledFrom([]int64{0, 1000, 2500, 6000}).Draw(t, "delay")
	w.Every = rapid.Int64Range(1, 3).Draw(t, "marker")
	w.Greatest = rapid.Bool().Draw(t, "greatest")
	if once(t, 5, "max ahead") {
		w.MaxAhead = rapid.SampledFrom([]int64{500, 3000, 60_000}).Draw(t, "ahead")
	}
	switch per := rapid.IntRange(0, 9).Draw(t, "per"); {
	case per == 9:
		w.PerSource = true
	case per == 8 && w.Strategy != Punctuated:
		w.PerValue = true
		w.Idle = rapid.SampledFrom([]int64{1000, 10_000, 3_600_000}).Draw(t, "idle")
	}
	w.Regress = w.Strategy == Monotonous && once(t, 3, "regress")
	return w
}

// from draws what a reader reads: an output that suits, or a union of up to three.
func (g *generator) from(label string, suits func(*output) bool) ([]string, *output) {
	var names []string
	for _, name := range g.names {
		if suits(g.outputs[name]) {
			names = append(names, name)
		}
	}
	count := rapid.SampledFrom([]int{1, 1, 1, 2, 2, 3}).Draw(g.t, label+" inputs")
	names = rapid.Permutation(names).Draw(g.t, label+" from")
	names = names[:min(count, len(names))]
	var all *output
	for _, name := range names {
		all = all.and(g.outputs[name])
	}
	return names, all
}

// and gives what a reader of both may count on.
func (o *output) and(other *output) *output {
	if o == nil {
		return other
	}
	return &output{
		ints: common(o.ints, other.ints), whole: common(o.whole, other.whole), keys: common(o.keys, other.keys),
		refined: o.refined || other.refined, dirty: o.dirty || other.dirty, list: o.list && other.list,
	}
}

func common(a, b []string) []string {
	var both []string
	for _, name := range a {
		if slices.Contains(b, name) {
			both = append(both, name)
		}
	}
	return both
}

func (g *generator) transform(number int) {
	t := g.t
	name := fmt.Sprintf("t%d", number)
	windowed := rapid.IntRange(0, 9).Draw(t, "windowed") < 6
	from, in := g.from(name, func(o *output) bool { return !o.dirty && !(windowed && o.refined) })
	tr := Transform{Name: name, From: from, Where: g.condition("where", in.ints, in.whole, 3)}
	out := *in
	if len(in.whole) > 0 && once(t, 3, "set") {
		field := fmt.Sprintf("x%d", number)
		tr.Set = []Assignment{{field, rapid.SampledFrom(in.whole).Draw(t, "set field"), rapid.Int64Range(0, 5).Draw(t, "plus")}}
		out.ints, out.whole = with(out.ints, field), with(out.whole, field)
	}
	entered := *in // what a late record has
	if out.list && once(t, 4, "explode") {
		tr.Explode = fmt.Sprintf("el%d", number)
		out.ints, out.whole = with(out.ints, tr.Explode), with(out.whole, tr.Explode)
	}
	if names := with(out.ints, out.keys...); len(names) > 0 && once(t, 4, "select") {
		g.choose(&tr, &out, names)
	}
	result := &out
	if windowed {
		result = g.window(&tr, &out)
		g.add(name+".late", &output{ints: entered.ints, whole: entered.whole, keys: entered.keys, list: entered.list})
	}
	g.split(&tr, result, windowed)
	g.p.Transforms = append(g.p.Transforms, tr)
	g.add(name+".dirty", &output{dirty: true})
}

// choose draws a select.
func (g *generator) choose(tr *Transform, out *output, names []string) {
	names = rapid.Permutation(names).Draw(g.t, "select fields")
	names = names[:rapid.IntRange(1, len(names)).Draw(g.t, "selected")]
	for _, name := range names {
		a := Assignment{Name: name, Field: name}
		if slices.Contains(out.whole, name) && once(g.t, 4, "selected sum") {
			a.Plus = rapid.Int64Range(1, 9).Draw(g.t, "plus")
		}
		tr.Select = append(tr.Select, a)
	}
	out.list = false
	out.ints, out.whole, out.keys = common(out.ints, names), common(out.whole, names), common(out.keys, names)
}

// with gives a sorted set with more names.
func with(names []string, more ...string) []string {
	all := append(slices.Clone(names), more...)
	sort.Strings(all)
	return slices.Compact(all)
}

// condition draws a condition once in n. On a field that may be nil it makes records dirty, at times.
func (g *generator) condition(label string, ints, whole []string, n int) *Condition {
	t := g.t
	if len(ints) == 0 || !once(t, n, label) {
		return nil
	}
	fields := ints
	if len(whole) > 0 && rapid.Bool().Draw(t, label+" whole") {
		fields = whole
	}
	c := &Condition{Field: rapid.SampledFrom(fields).Draw(t, label+" field"), Op: rapid.SampledFrom([]string{">", "!=", ">=", "<", "<=", "=="}).Draw(t, "op")}
	c.Value = rapid.Int64Range(0, 3).Draw(t, "value")
	if once(t, 3, "modulo") {
		c.Modulo = rapid.Int64Range(2, 4).Draw(t, "by")
	}
	return c
}
