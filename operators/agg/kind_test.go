package agg

import (
	"fmt"
	"sort"
	"strings"
	"testing"
	"time"

	"tidemark/stream"
)

// TestKindsAreDocumented keeps the reference complete, and the two forms of every kind together.
func TestKindsAreDocumented(t *testing.T) {
	all := Kinds()
	if !sort.SliceIsSorted(all, func(i, j int) bool { return all[i].Name < all[j].Name }) {
		t.Error("the kinds are not sorted")
	}
	for _, k := range all {
		if k.Doc == "" || !strings.HasPrefix(k.Example.Call, k.Name+"(") || k.Example.Result == "" || k.Args == "" {
			t.Errorf("%s lacks a doc or an example: %+v", k.Name, k)
		}
		plain := strings.TrimSuffix(k.Name, "_if")
		for _, name := range []string{plain, plain + "_if"} {
			if found, ok := Lookup(name); !ok || found.Conditional != strings.HasSuffix(name, "_if") {
				t.Errorf("%s is not there as it should be", name)
			}
		}
	}
	if _, ok := Lookup("nothing"); ok {
		t.Error("an unknown name was found")
	}
}

func TestResultTypes(t *testing.T) {
	condition := stream.Type{Kind: stream.Bool}
	cases := []struct {
		kind string
		args []stream.Type
		want string
	}{
		{"count", nil, "int"},
		{"count", []stream.Type{{Kind: stream.String, Null: true}}, "int"},
		{"count_if", []stream.Type{condition}, "int"},
		{"count_distinct_if", []stream.Type{{Kind: stream.String}, condition}, "int"},
		{"sum", []stream.Type{{Kind: stream.Int}}, "int"},
		{"sum", []stream.Type{{Kind: stream.Float, Null: true}}, "float|null"},
		{"sum", []stream.Type{{}}, "any"},
		{"sum_if", []stream.Type{{Kind: stream.Int}, condition}, "int|null"},
		{"avg", []stream.Type{{Kind: stream.Int}}, "float"},
		{"avg", []stream.Type{{}}, "float|null"},
		{"min", []stream.Type{{Kind: stream.String}}, "string"},
		{"max", []stream.Type{{Kind: stream.Float}}, "float|null"},
		{"first", []stream.Type{{Kind: stream.Float}}, "float"},
		{"last", []stream.Type{{Shape: stream.List}}, "list"},
		{"quantile", []stream.Type{{Kind: stream.Int}}, "float"},
		{"variance_if", []stream.Type{{Kind: stream.Int}, condition}, "float|null"},
		{"approx_count_distinct_if", []stream.Type{{Kind: stream.String, Null: true}, condition}, "int"},
		{"bool_and", []stream.Type{{Kind: stream.Bool}}, "bool"},
		{"bool_or", []stream.Type{{}}, "bool|null"},
		{"collect", []stream.Type{{Kind: stream.Int}}, "list"},
		{"string_join", []stream.Type{{Kind: stream.String, Null: true}}, "string|null"},
		{"min_by", []stream.Type{{Kind: stream.String}, {Kind: stream.Int}}, "string"},
		{"max_by", []stream.Type{{Kind: stream.String}, {Kind: stream.Float}}, "string|null"},
		{"max_by_if", []stream.Type{{Kind: stream.String}, {Kind: stream.Int}, condition}, "string|null"},
	}
	for _, c := range cases {
		k, _ := Lookup(c.kind)
		if got := k.ResultType(c.args).String(); got != c.want {
			t.Errorf("%s of %v gives %s, want %s", c.kind, c.args, got, c.want)
		}
	}
}

// TestMessages fixes what users read: of values that can't be used, and of results that can't be given.
func TestMessages(t *testing.T) {
	at := time.UnixMilli(1500).UTC()
	long := strings.Repeat("é", 30)
	cases := []struct {
		kind      string
		values    []any
		condition []any
		want      string
	}{
		{"sum", []any{int64(1), "abc"}, nil, `row 1: sum wants numbers, found the text "abc"; convert it with int() or float()`},
		{"avg", []any{long}, nil, `row 0: avg wants numbers, found the text "` + long[:40] + `…"; convert it with int() or float()`},
		{"avg", []any{1.5, true}, nil, "row 1: avg wants numbers, found true"},
		{"sum", []any{at}, nil, "row 0: sum wants numbers, found the time 1970-01-01T00:00:01.5Z"},
		{"min", []any{[]any{}}, nil, "row 0: min can't compare a list"},
		{"max", []any{map[string]any{}}, nil, "row 0: max can't compare an object"},
		{"count_if", nil, []any{true, int64(5), nil, 0.5}, "row 1: the condition of count_if gives the number 5, wants true or false; " +
			"row 3: the condition of count_if gives the number 0.5, wants true or false"},
		{"sum_if", []any{"a", "b", "c"}, []any{false, nil, true}, `row 2: sum_if wants numbers, found the text "c"; convert it with int() or float()`},
		{"sum", []any{int64(1) << 62, int64(1) << 62}, nil,
			"sum: the total 9223372036854775808 is beyond a 64-bit integer; sum floats instead, as in sum(float(x))"},
		{"max_if", []any{int64(1), "a", at}, []any{true, true, false}, "max_if: the values can't be compared with each other: they are numbers and texts"},
		{"bool_or", []any{"yes"}, nil, `row 0: bool_or wants true or false, found the text "yes"; write a comparison`},
		{"string_join", []any{"a", int64(5)}, nil, "row 1: string_join wants texts, found the number 5; convert it with string()"},
		{"string_join", []any{[]any{}}, nil, "row 0: string_join wants texts, found a list; convert it with json()"},
		{"median", []any{true}, nil, "row 0: median wants numbers, found true"},
		{"min", []any{true, at, "a"}, nil, "min: the values can't be compared with each other: they are true or false and times and texts"},
	}
	for _, c := range cases {
		if got := messages(c.kind, c.values, c.condition); got != c.want {
			t.Errorf("%s of %v:\n got %s\nwant %s", c.kind, c.values, got, c.want)
		}
	}
}

// messages gives the failures of a check, or else the error of the result.
func messages(kind string, values, condition []any) string {
	k, _ := Lookup(kind)
	in := &Input{}
	for _, list := range [][]any{values, condition} {
		if list != nil {
			in.Args = append(in.Args, columnOf(list))
		}
	}
	for r := range max(len(values), len(condition)) {
		in.Rows, in.IDs = append(in.Rows, int32(r)), append(in.IDs, 0)
	}
	var texts []string
	for _, f := range k.Check(in.Args, in.Rows, nil) {
		texts = append(texts, fmt.Sprintf("row %d: %s", f.Row, f.Message))
	}
	if len(texts) > 0 {
		return strings.Join(texts, "; ")
	}
	k, err := k.Bind(nil)
	if err != nil {
		return err.Error()
	}
	accs := k.New(make([]stream.Type, len(in.Args)))
	accs.Grow(1)
	accs.Add(in)
	if err := accs.Append(0, &stream.Column{}); err != nil {
		return err.Error()
	}
	return "fine"
}

// TestBind fixes what users read of constants, and that what they make is told apart.
func TestBind(t *testing.T) {
	cases := []struct {
		kind     string
		constant any
		want     string
	}{
		{"quantile", 0.95, ""},
		{"quantile", int64(1), ""},
		{"quantile", int64(95), "quantile wants a level from 0 to 1, such as 0.95, got 95"},
		{"quantile_if", 99.9, "quantile_if wants a level from 0 to 1, such as 0.999, got 99.9"},
		{"approx_quantile", -0.5, "approx_quantile wants a level from 0 to 1, such as 0.95, got -0.5"},
		{"quantile", "p95", `quantile wants a level from 0 to 1, such as 0.95, got "p95"`},
		{"quantile", nil, "quantile wants a level from 0 to 1, such as 0.95, got null"},
		{"string_join", "-", ""},
		{"string_join_if", int64(5), `string_join_if wants a text as its separator, such as ", ", got 5`},
	}
	for _, c := range cases {
		k, _ := Lookup(c.kind)
		bound, err := k.Bind([]any{c.constant})
		switch {
		case err == nil && c.want != "", err != nil && err.Error() != c.want:
			t.Errorf("%s with %v: error %v, want %s", c.kind, c.constant, err, c.want)
		case err == nil && (bound.Same(k) || !bound.Same(bound) || bound.Parameters != 0):
			t.Errorf("%s with %v is %+v", c.kind, c.constant, bound)
		}
	}
}
