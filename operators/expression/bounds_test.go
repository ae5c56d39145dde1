package expression

import (
	"fmt"
	"testing"
)

func TestBounds(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"price > 5", "[{price > 5}]"},
		{"5 < price", "[{price > 5}]"},
		{`price >= 1.5 and channel == "x" and n <= -3`, "[{price >= 1.5} {channel == x} {n <= -3}]"},
		{"price > 5 and (n < 2 or n > 9) and m > 1", "[{price > 5}]"},
		{"price > 5 or n < 2", "[]"},
		{"price > other", "[]"},
		{"price != 5", "[]"},
		{"a.b > 5", "[]"},
		{"not (price > 5)", "[]"},
		{"(price > 5 and n < 2) and m > 1", "[{price > 5} {n < 2} {m > 1}]"},
		{"price + 1 > 5 and n > 1", "[]"},
	} {
		p, err := Compile(c.src, Scope{Open: true})
		if err != nil {
			t.Fatalf("%s: %v", c.src, err)
		}
		if got := fmt.Sprint(p.Bounds()); got != c.want {
			t.Errorf("%s: %s, want %s", c.src, got, c.want)
		}
	}
}

func TestBoundExcludes(t *testing.T) {
	for _, c := range []struct {
		operator        string
		value           any
		least, greatest any
		want            bool
	}{
		{">", int64(5), int64(1), int64(5), true},
		{">", int64(5), int64(1), int64(6), false},
		{">=", int64(5), int64(1), int64(4), true},
		{"<", int64(5), int64(5), int64(9), true},
		{"<=", int64(5), int64(5), int64(9), false},
		{"==", int64(5), int64(6), int64(9), true},
		{"==", int64(5), int64(1), int64(4), true},
		{"==", int64(5), int64(1), int64(9), false},
		{">", 5.5, int64(1), int64(5), true},
		{"==", "m", "a", "c", true},
		{"==", "b", "a", "c", false},
		{">", int64(5), "a", "c", false},
		{">", int64(5), nil, nil, false},
	} {
		if got := (Bound{Operator: c.operator, Value: c.value}).Excludes(c.least, c.greatest); got != c.want {
			t.Errorf("%v in [%v, %v] %s %v: excluded %v", c.value, c.least, c.greatest, c.operator, c.value, got)
		}
	}
}
