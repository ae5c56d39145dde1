package agg

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidemark/stream"
)

func boxed[T any](values ...T) *rapid.Generator[any] {
	return rapid.Map(rapid.SampledFrom(values), func(v T) any { return v })
}

var (
	absent     = rapid.Just[any](nil)
	someInts   = boxed[int64](0, 1, -1, 2, 7, 1<<53, 1<<53+1, -1<<53-1, math.MaxInt64, math.MaxInt64-1, math.MinInt64)
	smallInts  = rapid.Map(rapid.Int64Range(-5, 5), func(v int64) any { return v })
	someFloats = boxed(0, math.Copysign(0, -1), 1, -1, 0.1, 0.7, 1e16, -1e16, 1<<53, 1<<63, -1<<63, 1e300, math.MaxFloat64)
	anyFloats  = rapid.OneOf(someFloats, boxed(math.NaN(), math.Inf(1), math.Inf(-1)))
	someTexts  = rapid.Map(rapid.SampledFrom([]string{"", "a", "b", "ab", "é", "a long text", "a long textile", "a long\x00", "a\x00"}),
		func(v string) any { return v })
	someTimes = rapid.Map(rapid.Int64Range(-3, 3), func(ms int64) any { return time.UnixMilli(ms).UTC() })
	fineTimes = rapid.Map(rapid.Int64Range(-3, 3), func(ns int64) any { return time.Unix(0, ns*999_999).UTC() })
	someBools = boxed(true, false)
	numberish = rapid.OneOf(someInts, someFloats, smallInts)
	instants  = rapid.OneOf(someTimes, fineTimes)
	lists     = rapid.SampledFrom([]any{[]any{}, []any{int64(1), "x"}, map[string]any{"a": nil}})
	anyValues = rapid.OneOf(numberish, anyFloats, someTexts, instants, someBools, lists, absent)
)

// columnValues draws what a column is made of: values of one sort, with and without nulls, or of all sorts.
var columnValues = rapid.Custom(func(t *rapid.T) *rapid.Generator[any] {
	g := rapid.SampledFrom([]*rapid.Generator[any]{
		someInts, smallInts, someFloats, anyFloats, someTexts, someTimes, instants, someBools, numberish, anyValues,
	}).Draw(t, "values")
	if rapid.Bool().Draw(t, "nullable") {
		return rapid.OneOf(g, absent)
	}
	return g
})

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

const entries = 5

// bound gives a kind with constants.
func bound(t *rapid.T, k *Kind) *Kind {
	var constants []any
	switch {
	case strings.Contains(k.Name, "quantile"):
		constants = []any{rapid.SampledFrom([]float64{0, 0.1, 0.25, 0.5, 0.75, 0.99, 1}).Draw(t, "level")}
	case strings.HasPrefix(k.Name, "string_join") && rapid.Bool().Draw(t, "separated"):
		constants = []any{rapid.SampledFrom([]string{"", "-", ", "}).Draw(t, "separator")}
	}
	bound, err := k.Bind(constants)
	if err != nil {
		t.Fatal(err)
	}
	return bound
}

// machine is accumulators of one aggregate beside what they should hold.
type machine struct {
	kind  *Kind
	accs  Accumulators
	want  [entries]naive
	draws *rapid.Generator[any]
}

func newMachine(k *Kind) *machine {
	m := &machine{kind: k, accs: k.New(make([]stream.Type, k.MaxArgs))}
	m.accs.Grow(2)
	m.accs.Grow(entries)
	return m
}

// add draws a batch and adds the rows that pass Check.
func (m *machine) add(t *rapid.T, ordinal uint64) {
	n := rapid.IntRange(0, 10).Draw(t, "rows")
	values, rankings, conditions := make([]any, n), make([]any, n), make([]any, n)
	draws := m.draws
	if rapid.IntRange(0, 3).Draw(t, "other sort") == 0 {
		draws = columnValues.Draw(t, "sort")
	}
	truths := rapid.SampledFrom([]*rapid.Generator[any]{someBools, rapid.OneOf(someBools, absent), anyValues}).Draw(t, "conditions")
	beside := rapid.SampledFrom([]*rapid.Generator[any]{smallInts, anyValues, anyFloats}).Draw(t, "beside")
	for i := range n {
		values[i], conditions[i] = draws.Draw(t, "value"), truths.Draw(t, "condition")
	}
	args := []*stream.Column{columnOf(values)}
	if m.kind.Values() == 2 {
		for i := range n {
			values[i], rankings[i] = beside.Draw(t, "beside"), values[i]
		}
		args = []*stream.Column{columnOf(values), columnOf(rankings)}
	}
	if m.kind.Conditional {
		args = append(args, columnOf(conditions))
	}
	in := &Input{Args: args, Ordinal: ordinal}
	for r := range int32(n) {
		if rapid.IntRange(0, 5).Draw(t, "selected") == 0 {
			continue
		}
		taken := !m.kind.Conditional || conditions[r] == true
		judged := values[r]
		if m.kind.Values() == 2 {
			judged = rankings[r]
		}
		broken := m.broken(judged, conditions[r])
		failures := m.kind.Check(args, []int32{r}, nil)
		if broken != (len(failures) == 1) {
			t.Fatalf("%s of %v if %v: failures %v", m.kind.Name, judged, conditions[r], failures)
		}
		if broken {
			continue
		}
		id := rapid.Uint32Range(0, entries-1).Draw(t, "entry")
		in.Rows, in.IDs = append(in.Rows, r), append(in.IDs, id)
		if taken {
			m.want[id].add(item{ordinal + uint64(r), values[r], rankings[r]})
		}
	}
	m.accs.Add(in)
}

// broken reports whether a row must fail its check.
func (m *machine) broken(v, condition any) bool {
	if m.kind.Conditional && condition != true {
		return condition != nil && condition != false
	}
	return !usable(m.plainName(), v)
}

func (m *machine) plainName() string { return strings.TrimSuffix(m.kind.Name, "_if") }

func (m *machine) check(t *rapid.T) {
	for id := range m.want {
		out := &stream.Column{}
		err := m.accs.Append(uint32(id), out)
		want, fails := m.want[id].result(m.plainName(), m.kind.Constants)
		if fails != (err != nil) {
			t.Fatalf("%s of %v: error %v, want one: %v", m.kind.Name, m.want[id].items, err, fails)
		}
		if err != nil {
			if out.Len() > 0 || !strings.HasPrefix(err.Error(), m.kind.Name+": ") {
				t.Fatalf("after the error %q the column has %d rows", err, out.Len())
			}
			continue
		}
		got := out.Value(0)
		if m.plainName() == "approx_quantile" && near(got, want) {
			continue
		}
		if spelled(got) != spelled(want) {
			t.Fatalf("%s %v of %v is %v, want %v", m.kind.Name, m.kind.Constants, m.want[id].items, spelled(got), spelled(want))
		}
	}
}

// TestAgainstNaive adds, merges, clears and resets at random, on two accumulators of each kind.
func TestAgainstNaive(t *testing.T) {
	for _, k := range Kinds() {
		t.Run(k.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				k := bound(t, k)
				machines := []*machine{newMachine(k), newMachine(k)}
				draws := columnValues.Draw(t, "sort")
				ordinal := uint64(0)
				for range rapid.IntRange(1, 8).Draw(t, "steps") {
					m := machines[rapid.IntRange(0, 1).Draw(t, "machine")]
					m.draws = draws
					id := rapid.Uint32Range(0, entries-1).Draw(t, "entry")
					switch rapid.IntRange(0, 9).Draw(t, "step") {
					case 0:
						m.accs.Clear(id)
						m.want[id] = naive{}
					case 1:
						m.accs.Reset()
						m.accs.Grow(entries)
						m.want = [entries]naive{}
					case 2, 3:
						from := machines[rapid.IntRange(0, 1).Draw(t, "from")]
						src := rapid.Uint32Range(0, entries-1).Draw(t, "src")
						if from == m && src == id {
							continue
						}
						m.accs.Merge(id, from.accs, src)
						m.want[id].merge(&from.want[src])
					default:
						m.add(t, ordinal)
						ordinal += 10
					}
				}
				for _, m := range machines {
					m.check(t)
				}
			})
		})
	}
}
