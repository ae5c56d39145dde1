package expression

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func isAggregate(name string) bool {
	switch strings.TrimSuffix(name, "_if") {
	case "sum", "count", "min", "max", "first", "last", "median", "quantile", "avg":
		return true
	}
	return false
}

func TestSplitAggregates(t *testing.T) {
	tests := []struct {
		src, post string
		args      [][]string
	}{
		{"count()", "ǀ3    ", [][]string{nil}},
		{"sum(amount) / count()", "ǀ3         / ǀ4    ", [][]string{{"amount"}, nil}},
		{`count_if(status == "PAID")`, "ǀ3                       ", [][]string{{`status == "PAID"`}}},
		{"sum_if( x ?? 0 , any(tags, # > 1) )", "ǀ3 " + strings.Repeat(" ", 31), [][]string{{"x ?? 0", "any(tags, # > 1)"}}},
		{"quantile(f([1, 2], {a: 3}), 0.95)*2", "ǀ3                              *2", [][]string{{"f([1, 2], {a: 3})", "0.95"}}},
		{"page + count", "page + count", nil},
		{"row.count + max(é) > 1", "row.count + ǀ3     > 1", [][]string{{"é"}}},
		{`first("sum(x)")`, "ǀ3            ", [][]string{{`"sum(x)"`}}},
	}
	for _, test := range tests {
		post, calls, err := SplitAggregates(test.src, isAggregate, 3)
		if err != nil {
			t.Errorf("%s: %v", test.src, err)
			continue
		}
		var args [][]string
		for _, c := range calls {
			args = append(args, c.Args)
			for i, o := range c.ArgOffsets {
				if !strings.HasPrefix(test.src[o:], c.Args[i]) {
					t.Errorf("%s: argument %q is not at %d", test.src, c.Args[i], o)
				}
			}
			if !strings.HasPrefix(test.src[c.Offset:], c.Name+"(") || test.src[c.End-1] != ')' {
				t.Errorf("%s: call %s at %d to %d", test.src, c.Name, c.Offset, c.End)
			}
		}
		if post != test.post || !reflect.DeepEqual(args, test.args) {
			t.Errorf("%s:\n got %q %q\nwant %q %q", test.src, post, args, test.post, test.args)
		}
	}
}

func TestSplitAggregatesFaults(t *testing.T) {
	tests := []struct {
		src    string
		kind   Kind
		offset int
	}{
		{"sum(max(x))", Aggregate, 4},
		{"x | sum()", Aggregate, 4},
		{"sum(x", Syntax, 4},
		{"sum(x) AND count()", Operator, 7},
		{"", Syntax, 0},
	}
	for _, test := range tests {
		_, _, err := SplitAggregates(test.src, isAggregate, 0)
		var e *Error
		if !errors.As(err, &e) || e.Kind != test.kind || e.Offset != test.offset {
			t.Errorf("%s: got %+v, want %v at %d", test.src, err, test.kind, test.offset)
		}
	}
}
