package agg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tidemark/stream"
)

// intsInto adds integers, which are what of makes of the numbers from 0 up to n, to entries chosen by into.
func intsInto(accs Accumulators, n int, of func(int) int64, into func(int) uint32) {
	c := &stream.Column{}
	in := &Input{Args: []*stream.Column{c}}
	for i := range n {
		c.AppendInt(of(i))
		in.Rows, in.IDs = append(in.Rows, int32(i)), append(in.IDs, into(i))
	}
	accs.Add(in)
}

func intResult(t testing.TB, accs Accumulators, id uint32) float64 {
	t.Helper()
	out := &stream.Column{}
	if err := accs.Append(id, out); err != nil {
		t.Fatal(err)
	}
	return float64(out.Value(0).(int64))
}

// TestCardinalityIsNear counts values of several patterns, which are what hashes are bad at, up to a million.
func TestCardinalityIsNear(t *testing.T) {
	k, _ := Lookup("approx_count_distinct")
	patterns := map[string]func(int) int64{
		"ascending": func(i int) int64 { return int64(i) },
		"thousands": func(i int) int64 { return int64(i) * 1000 },
		"powers":    func(i int) int64 { return int64(i) << 20 },
		"negative":  func(i int) int64 { return -int64(i) * 7 },
		"scattered": func(i int) int64 { return int64(uint64(i) * 0x9e3779b97f4a7c15) },
	}
	for name, of := range patterns {
		for _, n := range []int{0, 1, 200, 256, 257, 1000, 4096, 20_000, 300_000, 1_000_000} {
			accs := k.New(make([]stream.Type, 1))
			accs.Grow(1)
			intsInto(accs, n, of, func(int) uint32 { return 0 })
			got := intResult(t, accs, 0)
			if n <= mostHashes && got != float64(n) || math.Abs(got-float64(n)) > 0.05*float64(n) {
				t.Errorf("%d %s values are counted as %v", n, name, got)
			}
		}
	}
}

// TestCardinalityError measures the standard error, over texts.
func TestCardinalityError(t *testing.T) {
	k, _ := Lookup("approx_count_distinct")
	const trials, n = 60, 5000
	squares := 0.0
	for trial := range trials {
		accs := k.New(make([]stream.Type, 1))
		accs.Grow(1)
		in := &Input{Args: []*stream.Column{{}}}
		for i := range n {
			in.Args[0].AppendText(fmt.Appendf(nil, "user-%d-%d", trial, i))
			in.Rows, in.IDs = append(in.Rows, int32(i)), append(in.IDs, 0)
		}
		accs.Add(in)
		e := intResult(t, accs, 0)/n - 1
		squares += e * e
	}
	if e := math.Sqrt(squares / trials); e > 0.02 {
		t.Errorf("the standard error is %.4f, the documentation says 0.016", e)
	}
}

// TestSlicingIsNotSeen deals values out to some entries, in another order each time, and merges these: what does not
// depend on the order must be the same to the last bit.
func TestSlicingIsNotSeen(t *testing.T) {
	for _, name := range []string{"approx_count_distinct", "approx_quantile", "quantile", "median", "variance", "stddev"} {
		k, _ := Lookup(name)
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(0, 3000).Draw(t, "values")
			random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
			values := make([]int64, n)
			for i := range values {
				values[i] = random.Int64N(1<<random.IntN(62)+1) - random.Int64N(1000)
			}
			k := bound(t, k)
			var want any
			for slices := range 4 {
				accs := k.New(make([]stream.Type, 1))
				accs.Grow(slices + 2)
				random.Shuffle(n, func(i, j int) { values[i], values[j] = values[j], values[i] })
				intsInto(accs, n, func(i int) int64 { return values[i] }, func(int) uint32 { return uint32(1 + random.IntN(slices+1)) })
				for _, slice := range random.Perm(slices + 1) {
					accs.Merge(0, accs, uint32(slice+1))
				}
				out := &stream.Column{}
				if err := accs.Append(0, out); err != nil {
					t.Fatal(err)
				}
				if slices == 0 {
					want = out.Value(0)
				} else if got := out.Value(0); got != want {
					t.Fatalf("%s of %d slices is %v, of one %v", name, slices+1, got, want)
				}
			}
		})
	}
}

// TestQuantilesAreNear holds approx_quantile to its promise over values of all magnitudes and signs.
func TestQuantilesAreNear(t *testing.T) {
	k, _ := Lookup("approx_quantile")
	random := rand.New(rand.NewPCG(3, 4))
	for _, level := range []float64{0, 0.01, 0.3, 0.5, 0.9, 0.999, 1} {
		bound, err := k.Bind([]any{level})
		if err != nil {
			t.Fatal(err)
		}
		accs := bound.New(make([]stream.Type, 1))
		accs.Grow(1)
		in := &Input{Args: []*stream.Column{{}}}
		var values []item
		for i := range 5000 {
			v := math.Exp(random.NormFloat64() * 50)
			if i%3 == 0 {
				v = -v
			}
			values = append(values, item{value: v})
			in.Args[0].AppendFloat(v)
			in.Rows, in.IDs = append(in.Rows, int32(i)), append(in.IDs, 0)
		}
		accs.Add(in)
		out := &stream.Column{}
		if err := accs.Append(0, out); err != nil {
			t.Fatal(err)
		}
		if want := lowerQuantileOf(values, level); !near(out.Value(0), want) {
			t.Errorf("approx_quantile at %v is %v, exactly %v", level, out.Value(0), want)
		}
	}
}

// TestBuckets checks every bucket: it ascends with its values, and its middle is near to both of its ends.
func TestBuckets(t *testing.T) {
	last := int32(0)
	for n := int32(1 << fractionBits); n < 0x7ff<<fractionBits; n++ {
		low := math.Float64frombits(uint64(n) << (52 - fractionBits))
		high := math.Float64frombits(uint64(n+1)<<(52-fractionBits) - 1)
		if bucketOf(low) != n || bucketOf(high) != n || bucketOf(-low) != -n || n <= last {
			t.Fatalf("bucket %d is not [%v, %v]", n, low, high)
		}
		for _, v := range []float64{low, high} {
			if !near(middle(n), v) || !near(middle(-n), -v) {
				t.Fatalf("the middle of bucket %d, %v, is far from %v", n, middle(n), v)
			}
		}
		last = n
	}
	if inf := math.Inf(1); middle(bucketOf(inf)) != inf || middle(bucketOf(-inf)) != -inf || bucketOf(5e-324) != 0 {
		t.Error("infinities and the least floats have no bucket")
	}
}

// TestVarianceIsStable takes values that are far from zero and near to each other, of which the textbook's formula
// gives nonsense.
func TestVarianceIsStable(t *testing.T) {
	k, _ := Lookup("variance")
	for _, far := range []float64{0, 1e6, 1e9, -1e12} {
		accs := k.New(make([]stream.Type, 1))
		accs.Grow(3)
		in := &Input{Args: []*stream.Column{{}}}
		for i := range 1000 {
			in.Args[0].AppendFloat(far + float64(i%10))
			in.Rows, in.IDs = append(in.Rows, int32(i)), append(in.IDs, uint32(1+i%2))
		}
		accs.Add(in)
		accs.Merge(0, accs, 2)
		accs.Merge(0, accs, 1)
		out := &stream.Column{}
		if err := accs.Append(0, out); err != nil {
			t.Fatal(err)
		}
		want := 8.25 * 1000 / 999
		if got := out.Value(0).(float64); math.Abs(got-want) > 1e-5*want {
			t.Errorf("around %v the variance is %v, want %v", far, got, want)
		}
	}
}

// TestSetsForget lets collect_set meet many values that no entry keeps.
func TestSetsForget(t *testing.T) {
	k, _ := Lookup("collect_set")
	accs := k.New(make([]stream.Type, 1))
	accs.Grow(2)
	for round := range int64(40) {
		accs.Clear(0)
		intsInto(accs, 1000, func(i int) int64 { return round*1000 + int64(i) }, func(i int) uint32 { return uint32(min(i, 1)) })
		accs.Merge(0, accs, 1)
		accs.Clear(1)
	}
	out := &stream.Column{}
	if err := accs.Append(0, out); err != nil {
		t.Fatal(err)
	}
	list := out.Value(0).([]any)
	if len(list) != 1000 || list[0] != int64(39_000) || list[999] != int64(39_999) || slices.Contains(list, any(int64(0))) {
		t.Errorf("the set has %d values", len(list))
	}
	if b := accs.Bytes(); b > 1<<20 {
		t.Errorf("%d bytes are held for 1000 values", b)
	}
}
