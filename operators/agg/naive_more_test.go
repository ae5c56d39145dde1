package agg

import (
	"math"
	"math/big"
	"slices"
	"sort"
	"strings"
)

func valuesOf(items []item) []any {
	values := make([]any, len(items))
	for i, it := range items {
		values[i] = it.value
	}
	return values
}

// differentOf gives the values that are not the same as one before.
func differentOf(items []item) []any {
	var values []any
	seen := map[string]bool{}
	for _, it := range items {
		if !seen[same(it.value)] {
			seen[same(it.value)] = true
			values = append(values, it.value)
		}
	}
	return values
}

func joinedOf(items []item, constants []any) string {
	separator := ","
	if len(constants) > 0 {
		separator = constants[0].(string)
	}
	var texts []string
	for _, it := range items {
		texts = append(texts, it.value.(string))
	}
	return strings.Join(texts, separator)
}

// chosen tries for each record whether any other is better or as good and earlier.
func (n *naive) chosen(name string) (v any, fails bool) {
	var ranking []item
	for _, it := range n.items {
		if f, ok := it.by.(float64); ok && f == 0 {
			it.by = 0.0
		}
		if it.by != nil {
			ranking = append(ranking, item{value: it.by})
		}
	}
	if len(ranking) == 0 {
		return nil, false
	}
	best, fails := extremeOf(name, ranking)
	if fails || best == nil {
		return nil, fails
	}
	place := uint64(math.MaxUint64)
	for _, it := range n.items {
		if f, ok := it.by.(float64); it.by == nil || ok && math.IsNaN(f) {
			continue
		}
		equal := compareNaively(it.by, best) == 0
		if f, ok := it.by.(float64); ok && f == 0 {
			equal = compareNaively(0.0, best) == 0
		}
		if equal && it.ordinal < place {
			v, place = it.value, it.ordinal
		}
	}
	return v, false
}

// floatsOf gives the numbers that are not NaN as floats, sorted.
func floatsOf(items []item) []float64 {
	var values []float64
	for _, it := range items {
		switch x := it.value.(type) {
		case int64:
			values = append(values, float64(x))
		case float64:
			if !math.IsNaN(x) {
				values = append(values, x)
			}
		}
	}
	sort.Slice(values, func(i, j int) bool {
		a, b := values[i], values[j]
		return a < b || a == b && math.Signbit(a) && !math.Signbit(b)
	})
	return values
}

// quantileOf interpolates as PERCENTILE_CONT is defined.
func quantileOf(items []item, level float64) any {
	values := floatsOf(items)
	if len(values) == 0 {
		return nil
	}
	at := level * float64(len(values)-1)
	low, high := values[int(math.Floor(at))], values[int(math.Ceil(at))]
	part := at - math.Floor(at)
	switch {
	case part == 0 || low == high:
		return low
	case math.IsInf(high-low, 0):
		return float64(low*(1-part)) + float64(high*part)
	}
	return low + float64(part*(high-low))
}

func lowerQuantileOf(items []item, level float64) any {
	values := floatsOf(items)
	if len(values) == 0 {
		return nil
	}
	return values[int(level*float64(len(values)-1))]
}

// near reports whether a value is as near as approx_quantile promises.
func near(got, want any) bool {
	x, ok := got.(float64)
	y, wanted := want.(float64)
	if !ok || !wanted {
		return got == want
	}
	return x == y || math.Abs(x-y) <= 0.01*math.Abs(y) || math.Abs(y) < 0x1p-1022 && math.Abs(x) < 0x1p-1022
}

// running is a mean that is kept up to date.
type running struct {
	n        int
	mean, m2 float64
}

// with gives what a is with a value after it, by the formula of Welford.
func (a running) with(v float64) running {
	mean := a.mean + (v-a.mean)/float64(a.n+1)
	return running{a.n + 1, mean, a.m2 + float64((v-a.mean)*(v-mean))}
}

// and gives what a is with b after it, by the formula of Chan.
func (a running) and(b running) running {
	switch {
	case b.n == 0:
		return a
	case a.n == 0:
		return b
	}
	n, distance := a.n+b.n, b.mean-a.mean
	share := float64(b.n) / float64(n)
	between := float64(float64(distance*distance) * float64(float64(a.n)*share))
	return running{n, a.mean + float64(distance*share), a.m2 + float64(b.m2+between)}
}

// variance computes that of integers as a fraction.
func (n *naive) variance(present []item) any {
	var ints []*big.Rat
	for _, it := range present {
		if i, ok := it.value.(int64); ok {
			ints = append(ints, new(big.Rat).SetInt64(i))
		}
	}
	if len(present) < 2 {
		return nil
	}
	mean, squares := meanAndSquares(ints)
	if len(ints) == len(present) {
		v, _ := squares.Quo(squares, new(big.Rat).SetInt64(int64(len(ints)-1))).Float64()
		return v
	}
	all := running{n: len(ints)}
	if len(ints) > 0 {
		all.mean, _ = mean.Float64()
	}
	if len(ints) > 1 {
		v, _ := squares.Quo(squares, new(big.Rat).SetInt64(int64(len(ints)-1))).Float64()
		all.m2 = float64(v * float64(len(ints)-1))
	}
	all = all.and(n.running)
	return all.m2 / float64(all.n-1)
}

func meanAndSquares(values []*big.Rat) (mean, squares *big.Rat) {
	mean, squares = new(big.Rat), new(big.Rat)
	if len(values) == 0 {
		return mean, squares
	}
	for _, v := range values {
		mean.Add(mean, v)
	}
	mean.Quo(mean, new(big.Rat).SetInt64(int64(len(values))))
	for _, v := range values {
		d := new(big.Rat).Sub(v, mean)
		squares.Add(squares, d.Mul(d, d))
	}
	return mean, squares
}

// sortsOf tells which values an aggregate can use as the argument that it judges.
var sortsOf = map[string]string{
	"sum": "number", "avg": "number", "variance": "number", "stddev": "number", "quantile": "number", "median": "number",
	"approx_quantile": "number", "bool_and": "bool", "bool_or": "bool", "string_join": "text",
	"min": "comparable", "max": "comparable", "min_by": "comparable", "max_by": "comparable",
}

// usable reports whether an aggregate can use a value.
func usable(name string, v any) bool {
	sort := ""
	switch v.(type) {
	case nil:
		return true
	case int64, float64:
		sort = "number"
	case bool:
		sort = "bool"
	case string:
		sort = "text"
	case []any, map[string]any:
		return sortsOf[name] == ""
	}
	return slices.Contains([]string{"", "comparable", sort}, sortsOf[name])
}
