package expression

import (
	"reflect"
	"sync"
	"testing"
	"time"

	"tidemark/stream"
)

// evaluate gives the values of an expression over rows of data, or the messages where there are none.
func evaluate(t *testing.T, src string, scope Scope, d table, n int) []any {
	t.Helper()
	p, err := Compile(src, scope)
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	b, where := d.batchFor(p, n)
	if problem := differ(p, p.NewEvaluator(where), b, where, nil); problem != "" {
		t.Error(problem)
	}
	c, failed := p.NewEvaluator(where).Eval(b, nil)
	out := make([]any, n)
	for i := range out {
		out[i] = c.Value(i)
	}
	for _, f := range failed {
		out[f.Row] = failing(f.Message)
	}
	return out
}

func TestFilter(t *testing.T) {
	d := table{
		"b": columnOf(stream.Bool, []any{true, false, oddRow{tag: stream.TagNull}, int64(1), "text", true}),
		"i": columnOf(stream.Int, []any{int64(1), int64(5), missing, "x", 9.5, int64(9)}),
	}
	tests := []struct {
		src  string
		rows []int32
		keep []int32
		fail []Failure
	}{
		{"b", nil, []int32{0, 5}, []Failure{{2, "gives nil, wants true or false"}, {3, "gives 1 (int), wants true or false"}, {4, `gives "text", wants true or false`}}},
		{"b", []int32{0, 1, 5}, []int32{0, 5}, nil},
		{"i > 3", nil, []int32{1, 4, 5}, []Failure{{2, "i is nil: nil > int; use i ?? 0"}, {3, "i > 3: cannot compute string > int"}}},
		{"i > 3", []int32{}, nil, nil},
		{"(i ?? 4) > 3", []int32{0, 2}, []int32{2}, nil},
		{"i", []int32{0}, nil, []Failure{{0, "gives 1 (int), wants true or false"}}},
		{"b and i > 3", []int32{0, 1, 2, 5}, []int32{5}, []Failure{{2, "b is nil, wants true or false; use b ?? false"}}},
		{"true", nil, []int32{0, 1, 2, 3, 4, 5}, nil},
	}
	for _, test := range tests {
		p, err := Compile(test.src, Scope{Open: true})
		if err != nil {
			t.Fatal(err)
		}
		b, where := d.batchFor(p, 6)
		for _, e := range []*Evaluator{p.NewEvaluator(where), machineOnly(p, where)} {
			keep, fail := e.Filter(b, test.rows, []int32{77})
			if !reflect.DeepEqual(keep, append([]int32{77}, test.keep...)) || len(fail)+len(test.fail) > 0 && !reflect.DeepEqual(fail, test.fail) {
				t.Errorf("%s of %v: kept %v, failed %v; want %v, %v", test.src, test.rows, keep, fail, test.keep, test.fail)
			}
		}
	}
}

// TestInputIsKept checks that evaluation changes nothing of the batch, whose columns may be shared.
func TestInputIsKept(t *testing.T) {
	d := bids(64, true)
	for _, src := range append(benchmarked, "amount", "amount + price", "-amount", "amount in [1]", "amount == nil ? price : amount") {
		p, err := Compile(src, Scope{Open: true})
		if err != nil {
			t.Fatal(err)
		}
		b, where := d.batchFor(p, 64)
		before, _ := bids(64, true).batchFor(p, 64)
		e := p.NewEvaluator(where)
		e.Eval(b, nil)
		e.Eval(b, []int32{1, 3, 5})
		if !reflect.DeepEqual(b, before) {
			t.Errorf("%s changed its input", src)
		}
	}
}

func TestNames(t *testing.T) {
	d := table{
		"max": columnOf(stream.Int, []any{int64(5)}), "date": columnOf(stream.String, []any{"2024-01-02"}), "i": columnOf(stream.Int, []any{int64(3)}),
		"x-y": columnOf(stream.Int, []any{int64(8)}), "row": columnOf(stream.Int, []any{int64(1)}), "time": columnOf(stream.Int, []any{int64(4)}),
		"":      columnOf(stream.Any, []any{map[string]any{"i": int64(3), "k": "v"}}),
		"a.b":   columnOf(stream.Int, []any{int64(2)}),
		"a.c.d": columnOf(stream.Any, []any{parentNil(1)}),
		"a.c.e": columnOf(stream.Any, []any{parentNil(1)}),
		"x.y.z": columnOf(stream.Any, []any{parentOther(0, "text")}),
	}
	tests := []struct {
		src  string
		want any
	}{
		{"max > 3", true}, {"max(max, i)", int64(5)}, {"date(date).Year()", int64(2024)}, {"let m = max; m + max", int64(10)},
		{`row["x-y"] + i`, int64(11)}, {"row.row", int64(1)}, {"row", map[string]any{"i": int64(3), "k": "v"}},
		{`"k" in row`, true}, {"row[i == 3 ? 'k' : 'i']", "v"}, {"row.i + row['x-y']", int64(11)}, {"time(time, 's')", time.UnixMilli(4000).UTC()},
		{"a.b + 1", int64(3)}, {"a.c.d", failing("a.c is nil and has no field d; use a.c?.d")}, {"a.c?.d", nil}, {"a.c?.d ?? a.b", int64(2)},
		{"[a.b, a.c?.d]", []any{int64(2), nil}}, {"x.y.z", failing("x is text or a list and has no field y")},
		{"fromJSON('{\"a\": 1}')[0]", failing(`fromJSON("{\"a\": 1}") is an object and no list, wants the name of a field for 0`)},
		{"[a.b, a.c.e][0]", failing("a.c is nil and has no field e; use a.c?.e")}, {"unheard.of", failing("unheard is nil and has no field of; use unheard?.of")},
	}
	d["unheard.of"] = columnOf(stream.Any, []any{parentNil(0)})
	for _, test := range tests {
		if got := evaluate(t, test.src, Scope{Open: true}, d, 1)[0]; !equalValues(got, test.want) {
			t.Errorf("%s gives %#v, want %#v", test.src, got, test.want)
		}
	}
}

// TestMixedNumbers checks that ints among floats keep their type, and stay right beyond what floats hold.
func TestMixedNumbers(t *testing.T) {
	big := int64(1<<53 + 1)
	d := table{"m": columnOf(stream.Int, []any{int64(10), 10.5, big, missing, int64(0)})}
	tests := []struct {
		src  string
		want []any
	}{
		{"m", []any{int64(10), 10.5, big, nil, int64(0)}},
		{"m * 2", []any{int64(20), 21.0, 2 * big, failing("m is nil: nil * int; use m ?? 0"), int64(0)}},
		{"m / 2", []any{5.0, 5.25, float64(big) / 2, failing("m is nil: nil / int; use m ?? 0"), 0.0}},
		{"(m ?? 0) + 1", []any{int64(11), 11.5, big + 1, int64(1), int64(1)}},
		{"m > 10", []any{false, true, true, failing("m is nil: nil > int; use m ?? 0"), false}},
		{"m == 10", []any{true, false, false, false, false}},
		{"1 / -(m ?? 1)", []any{-0.1, 1 / -10.5, 1 / -float64(big), -1.0, 1 / zero}},
		{"string(m ?? 0)", []any{"10", "10.5", "9007199254740993", "0", "0"}},
	}
	for _, test := range tests {
		if got := evaluate(t, test.src, Scope{Open: true}, d, 5); !equalValues(got, test.want) {
			t.Errorf("%s gives %#v, want %#v", test.src, got, test.want)
		}
	}
}

var zero = 0.0

// TestSharedProgram runs evaluators of one program at the same time.
func TestSharedProgram(t *testing.T) {
	d := bids(128, true)
	p, err := Compile(`lower(channel) matches "^b" or amount > 10 and regex_extract(at, "T(..)") > "11"`, Scope{Open: true})
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			b, where := d.batchFor(p, 128)
			if problem := differ(p, p.NewEvaluator(where), b, where, nil); problem != "" {
				t.Error(problem)
			}
		})
	}
	wait.Wait()
}
