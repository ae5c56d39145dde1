package expression

import "testing"

func TestConstant(t *testing.T) {
	tests := []struct {
		src  string
		want any
		ok   bool
	}{
		{"0.95", 0.95, true}, {"95", int64(95), true}, {"-1", int64(-1), true}, {`", "`, ", ", true}, {"true", true, true}, {"nil", nil, true},
		{"1 - 0.25", 0.75, true}, {"95 / 100", 0.95, true}, {`"a" + "b"`, "ab", true},
		{"x", nil, false}, {"x * 0", nil, false}, {"[1]", nil, false}, {"now()", nil, false}, {"len(uuid())", nil, false},
	}
	for _, test := range tests {
		p, err := Compile(test.src, Scope{Open: true})
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := p.Constant(); v != test.want || ok != test.ok {
			t.Errorf("%s is the constant %v, %v, want %v, %v", test.src, v, ok, test.want, test.ok)
		}
	}
}
