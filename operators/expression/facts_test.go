package expression

import (
	"math"
	"testing"

	"tidemark/stream"
)

// factColumns are the values of the table below, each a column of one row.
func factColumns() (table, []stream.Field) {
	values := []struct {
		name string
		kind stream.Kind
		v    any
	}{
		{"i", stream.Int, int64(7)}, {"j", stream.Int, int64(2)}, {"z", stream.Int, int64(0)}, {"n", stream.Int, int64(7)},
		{"f", stream.Float, 2.5}, {"big", stream.Int, int64(math.MaxInt64)}, {"low", stream.Int, int64(math.MinInt64)},
		{"s", stream.String, "abc"}, {"t", stream.String, "é日"}, {"b", stream.Bool, true}, {"nan", stream.Float, math.NaN()},
		{"nul", stream.Any, nil}, {"m", stream.Any, map[string]any{"a": int64(1)}},
		{"arr", stream.Any, []any{int64(1), int64(2), "x"}},
	}
	d := table{}
	var fields []stream.Field
	for _, v := range values {
		d[v.name] = columnOf(v.kind, []any{v.v})
		fields = append(fields, stream.Field{Name: v.name, Type: stream.Type{Kind: v.kind}})
	}
	d["m.a"] = columnOf(stream.Int, []any{int64(1)})
	d["m.zz"] = columnOf(stream.Any, []any{missing})
	d["m.zz.q"] = columnOf(stream.Any, []any{parentNil(1)})
	d["nul.a"] = columnOf(stream.Any, []any{parentNil(0)})
	return d, fields
}

// fault marks an expected failure in the table of facts.
type failing string

// facts is what expr-lang gives, expression by expression. rejected ones do not compile with a schema.
var facts = []struct {
	src      string
	want     any
	rejected bool
}{
	{"i", int64(7), false}, {"i + j", int64(9), false}, {"i - j", int64(5), false}, {"i * j", int64(14), false},
	{"i / j", 3.5, false}, {"n / 2", 3.5, false}, {"7 / 2", 3.5, false}, {"i % j", int64(1), false},
	{"-7 % 3", int64(-1), false}, {"i % z", failing("division by zero in i % z"), false},
	{"i / z", math.Inf(1), false}, {"1 / 0", math.Inf(1), false}, {"i ** j", 49.0, false}, {"2 ** 3", 8.0, false},
	{"2 ^ 3", 8.0, false}, {"2 ** -1", 0.5, false}, {"i + f", 9.5, false}, {"i * 0.908", 7 * 0.908, false},
	{"big + 1", int64(math.MinInt64), false}, {"big * 2", int64(-2), false}, {"low - 1", int64(math.MaxInt64), false},
	{"-low", int64(math.MinInt64), false}, {"9223372036854775807", int64(math.MaxInt64), false},
	{"1e3", 1000.0, false}, {"1_000", int64(1000), false}, {"0x10", int64(16), false}, {"7 == 7.0", true, false},
	{"i == 7", true, false}, {"i == 7.0", true, false}, {`i == "7"`, false, true}, {"i > 6.5", true, false},
	{"big == 9223372036854775807.0", true, false}, {"big > 9223372036854775000.0", true, false},
	{"9007199254740993 == 9007199254740992.0", true, false}, {"nan == nan", false, false}, {"nan != nan", true, false},
	{"nan < 1", false, false}, {"i > s", failing("i > s: cannot compute int > string"), true}, {`s < "abd"`, true, false},
	{`"Z" < "a"`, true, false}, {"s > 1", failing("s > 1: cannot compute string > int"), true}, {`t == "é日"`, true, false},
	{"len(t)", int64(2), false}, {"t[0:1]", "\xc3", false}, {"t[0]", int64(195), true}, {"s[1]", int64(98), true},
	{"nul == nil", true, false}, {"nul > 1", failing("nul is nil: nil > int; use nul ?? 0"), false},
	{"nul + 1", failing("nul is nil: nil + int; use nul ?? 0"), false}, {"nul ?? 5", int64(5), false},
	{"missing", nil, true}, {"missing ?? 5", int64(5), true}, {"m.a", int64(1), false}, {"m.zz", nil, false},
	{"m.zz.q", failing("m.zz is nil and has no field q; use m.zz?.q"), false}, {"m?.zz?.q", nil, false},
	{"m.zz ?? 3", int64(3), false}, {"nul?.a", nil, false}, {"nul.a", failing("nul is nil and has no field a; use nul?.a"), false},
	{"not nul", failing("nul is nil, wants true or false; use nul ?? false"), false}, {"nul and true", nil, false},
	{"b and i", int64(7), true}, {"!b", false, false}, {"true or (1/0 > 0)", true, false}, {"false and missing", false, true},
	{"i in [7, 8]", true, false}, {"i in [7.0]", true, false}, {"f in [2.5]", true, false}, {`s in ["abc"]`, true, false},
	{"i in 1..10", true, false}, {"f in 1..10", false, false}, {`"a" in m`, true, false}, {`"x" in arr`, true, false},
	{"2 in arr", true, false}, {"nul in [nil]", true, false}, {`missing in ["a"]`, false, true}, {`s + "d"`, "abcd", false},
	{"s + 1", failing("s + 1: cannot compute string + int"), true}, {"string(i)", "7", false}, {"string(f)", "2.5", false},
	{"string(1e21)", "1e+21", false}, {"string(100000000.0)", "1e+08", false}, {`int("12")`, int64(12), false},
	{`int("12.5")`, failing(`"12.5" is "12.5", wants a whole number`), false}, {"int(2.9)", int64(2), false}, {"int(-2.9)", int64(-2), false},
	{`float("1.5")`, 1.5, false}, {"float(i)", 7.0, false}, {"round(2.5)", 3.0, false}, {"round(-2.5)", -3.0, false},
	{"floor(2.7)", 2.0, false}, {"abs(-5)", int64(5), false}, {"abs(low)", int64(math.MinInt64), false},
	{"max(i, f)", int64(7), false}, {"min(1, 2.0)", int64(1), false}, {"max(1, 1.0)", int64(1), false},
	{"sum([1,2.5])", 3.5, false}, {"mean([1,2])", 1.5, false}, {"b ? i : f", int64(7), false},
	{`i matches "7"`, failing("i is int, wants a string"), true}, {`s matches "^a"`, true, false}, {`s contains "b"`, true, false},
	{`nul contains "b"`, false, false}, {`lower("ÀB")`, "àb", false}, {`upper("ß")`, "ß", false}, {`trim("  x ")`, "x", false},
	{`split("a,b", ",")`, []any{"a", "b"}, false}, {"now() != nil", true, false}, {`date("2024-01-02").Year()`, int64(2024), false},
	{`duration("1h").Seconds()`, 3600.0, false}, {"1..3", []any{int64(1), int64(2), int64(3)}, false},
	{"let x = i; x + 1", int64(8), false}, {"i | string()", "7", false}, {"if b {1} else {2}", int64(1), false},
	{"toJSON(m)", "{\n  \"a\": 1\n}", false}, {`fromJSON("{\"a\":1}").a`, 1.0, false}, {`type(fromJSON("1"))`, "float", false},
	{"type(i)", "int", false}, {"bitand(5,3)", int64(1), false}, {"i not in [1]", true, false}, {"-2 ** 2", -4.0, false},
	{"2 ** 3 ** 2", 512.0, false}, {"not b == false", true, false}, {"1 < 2 == true", true, false}, {"1 + 2 | string()", "3", false},
	{"[1,2] == [1,2]", true, false}, {"[1,2] == [1.0,2.0]", true, false}, {`{"a":1} == m`, false, false}, {`"" == nil`, false, false},
	{"0.1 + 0.2", 0.30000000000000004, false}, {"i ?: 3", failing("i is int, wants true or false"), true},
}

func TestFacts(t *testing.T) {
	d, fields := factColumns()
	for _, fact := range facts {
		for _, scope := range []Scope{{Open: true}, {Fields: fields}} {
			p, err := Compile(fact.src, scope)
			if err != nil {
				if scope.Open || !fact.rejected {
					t.Errorf("%s: %v", fact.src, err)
				}
				continue
			}
			if !scope.Open && fact.rejected {
				t.Errorf("%s: compiles with a schema", fact.src)
			}
			checkFact(t, p, d, fact.want)
		}
	}
}

func checkFact(t *testing.T, p *Program, d table, want any) {
	t.Helper()
	b, where := d.batchFor(p, 1)
	if problem := differ(p, p.NewEvaluator(where), b, where, nil); problem != "" {
		t.Error(problem)
	}
	c, failed := p.NewEvaluator(where).Eval(b, nil)
	got := outcomes(c, failed, []int32{0})[0]
	if message, ok := want.(failing); ok {
		if got.failure != string(message) {
			t.Errorf("%s: gives %#v, failure %q, want failure %q", p.Source(), got.value, got.failure, message)
		}
		return
	}
	if got.failure != "" || !equalValues(got.value, want) {
		t.Errorf("%s: gives %#v (%T), failure %q, want %#v", p.Source(), got.value, got.value, got.failure, want)
	}
}

// TestRejected has what does not compile even without a schema.
func TestRejected(t *testing.T) {
	for _, src := range []string{"9223372036854775808", `s matches "("`, "1 == true", "7 % 0", "nosuch(s)", "", "a b"} {
		if _, err := Compile(src, Scope{Open: true}); err == nil {
			t.Errorf("%s compiles", src)
		}
	}
}
