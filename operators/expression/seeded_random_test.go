package expression

import (
	"math"
	"slices"
	"testing"

	"tidemark/stream"
)

// randomScope is the scope of a field over records of a number i.
func randomScope(seed *int64, place string) Scope {
	return Scope{Fields: []stream.Field{{Name: "i", Type: stream.Type{Kind: stream.Int}}}, Random: &Random{Seed: seed, Place: place}}
}

// seededValues evaluates an expression over the numbers from first on, by the kernels or by the machine alone.
func seededValues(t *testing.T, src string, scope Scope, first, n int, machine bool) []any {
	t.Helper()
	p, err := Compile(src, scope)
	if err != nil {
		t.Fatal(err)
	}
	b := &stream.Batch{N: n, Columns: make([]stream.Column, 1)}
	b.Columns[0].Reset(stream.Int, n)
	for i := range n {
		b.Columns[0].Ints[i] = int64(first + i)
	}
	e := p.NewEvaluator(make([]int, len(p.Uses())))
	if machine {
		e.root, e.bare = nil, -1
	}
	column, failures := e.Eval(b, nil)
	if len(failures) > 0 {
		t.Fatal(failures)
	}
	values := make([]any, n)
	for i := range n {
		values[i] = column.Value(i)
	}
	return values
}

func TestRandomIsAFunctionOfSeedRecordAndPlace(t *testing.T) {
	seed, other := int64(7), int64(8)
	const src = "random() + i * 0.0"
	all := seededValues(t, src, randomScope(&seed, "a"), 0, 1000, false)
	if machine := seededValues(t, src, randomScope(&seed, "a"), 0, 1000, true); !slices.Equal(all, machine) {
		t.Error("the machine gives other numbers than the kernel")
	}
	if part := seededValues(t, src, randomScope(&seed, "a"), 400, 100, false); !slices.Equal(all[400:500], part) {
		t.Error("a batch that begins elsewhere has other numbers")
	}
	if all[0] != 0.6116999501500927 {
		t.Errorf("the first number is %v on this machine", all[0])
	}
	for what, scope := range map[string]Scope{"seed": randomScope(&other, "a"), "place": randomScope(&seed, "b")} {
		if slices.Equal(all, seededValues(t, src, scope, 0, 1000, false)) {
			t.Errorf("another %s gives the same numbers", what)
		}
	}
	if same := seededValues(t, "random() == random()", randomScope(&seed, "a"), 0, 100, false); slices.Contains(same, any(true)) {
		t.Error("two calls give the same number")
	}
}

func TestRandomIsUniform(t *testing.T) {
	seed := int64(1)
	const n, bins = 100_000, 20
	var count [bins]int
	var sum float64
	for _, v := range seededValues(t, "random()", randomScope(&seed, "a"), 0, n, false) {
		x := v.(float64)
		if x < 0 || x >= 1 {
			t.Fatal(x)
		}
		count[int(x*bins)]++
		sum += x
	}
	if math.Abs(sum/n-0.5) > 0.005 {
		t.Errorf("the mean is %v", sum/n)
	}
	for i, c := range count {
		if math.Abs(float64(c)-n/bins) > 400 {
			t.Errorf("%d of %d in bin %d", c, n, i)
		}
	}
}

func TestRandomOutOfPlace(t *testing.T) {
	for src, want := range map[string]string{
		"random(6)": "random() wants no argument",
		"rnd()":     "unknown function `rnd`",
	} {
		if _, err := Compile(src, randomScope(nil, "a")); err == nil || err.(*Error).Message != want {
			t.Errorf("%s: %v, want %s", src, err, want)
		}
	}
	_, err := Compile("random()", Scope{Open: true})
	if e, ok := err.(*Error); !ok || e.Hint != "random() is known in the fields of a generate source" {
		t.Errorf("%v", err)
	}
	p, err := Compile("random() > 0.5", randomScope(nil, "a"))
	if err != nil || len(p.Warnings()) != 1 || p.Warnings()[0].Kind != Impure || !p.Vectorized() {
		t.Errorf("%v, %+v", err, p.Warnings())
	}
	seed := int64(1)
	if p, err = Compile("1 / random()", randomScope(&seed, "a")); err != nil || p.Warnings()[0].Message != "1 / random() is infinite, or no number, where random() is 0" {
		t.Errorf("%v, %+v", err, p.Warnings())
	}
}
