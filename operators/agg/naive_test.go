package agg

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sort"
	"strings"
	"time"
)

// naive is one entry as a plain list of what was added, from which each result is computed anew.
type naive struct {
	items []item
	// floats is the sum of floats, which depends on the order of additions and merges; nil for none.
	floats *float64
	// running is the mean of floats, and how far they are from it, which depend on that order too.
	running running
}

type item struct {
	ordinal   uint64
	value, by any
}

func (n *naive) add(it item) {
	n.items = append(n.items, it)
	if f, ok := it.value.(float64); ok {
		n.plus(f)
		n.running = n.running.with(f)
	}
}

func (n *naive) plus(f float64) {
	if n.floats != nil {
		f = *n.floats + f
	}
	n.floats = &f
}

func (n *naive) merge(src *naive) {
	n.items = append(slices.Clone(n.items), src.items...)
	if src.floats != nil {
		n.plus(*src.floats)
	}
	n.running = n.running.and(src.running)
}

// result gives what an aggregate, without _if, should give; an error only as whether there is one.
func (n *naive) result(name string, constants []any) (v any, fails bool) {
	var present []item
	for _, it := range n.items {
		if it.value != nil {
			present = append(present, it)
		}
	}
	sort.SliceStable(present, func(i, j int) bool { return present[i].ordinal < present[j].ordinal })
	switch name {
	case "count":
		return int64(len(present)), false
	case "count_distinct", "approx_count_distinct": // that one is exact for as few
		return int64(len(differentOf(present))), false
	case "min_by", "max_by":
		return n.chosen(strings.TrimSuffix(name, "_by"))
	}
	if len(present) == 0 {
		return nil, false
	}
	switch name {
	case "sum", "avg":
		return n.total(name, present)
	case "min", "max":
		return extremeOf(name, present)
	case "first":
		return present[0].value, false
	case "last":
		return present[len(present)-1].value, false
	case "collect":
		return valuesOf(present), false
	case "collect_set":
		return differentOf(present), false
	case "string_join":
		return joinedOf(present, constants), false
	case "bool_and":
		return !slices.ContainsFunc(present, func(it item) bool { return it.value == false }), false
	case "bool_or":
		return slices.ContainsFunc(present, func(it item) bool { return it.value == true }), false
	case "median":
		return quantileOf(present, 0.5), false
	case "quantile":
		return quantileOf(present, constants[0].(float64)), false
	case "approx_quantile":
		return lowerQuantileOf(present, constants[0].(float64)), false
	case "variance":
		return n.variance(present), false
	case "stddev":
		if v, ok := n.variance(present).(float64); ok {
			return math.Sqrt(v), false
		}
		return nil, false
	}
	panic("no result is known of " + name)
}

func (n *naive) total(name string, present []item) (v any, fails bool) {
	sum, ints := new(big.Int), 0
	for _, it := range present {
		if i, ok := it.value.(int64); ok {
			sum.Add(sum, big.NewInt(i))
			ints++
		}
	}
	count := float64(len(present))
	switch {
	case ints == len(present) && name == "avg":
		f, _ := new(big.Rat).SetFrac(sum, big.NewInt(int64(ints))).Float64()
		return f, false
	case ints == len(present):
		return sum.Int64(), !sum.IsInt64()
	}
	float := *n.floats
	if ints > 0 {
		float = nearest(sum) + float
	}
	if name == "avg" {
		float /= count
	}
	return float, false
}

func nearest(i *big.Int) float64 {
	f, _ := new(big.Float).SetInt(i).Float64()
	return f
}

// extremeOf sorts all values that can be compared and takes an end.
func extremeOf(name string, present []item) (v any, fails bool) {
	var values []any
	sorts := map[string]bool{}
	for _, it := range present {
		switch x := it.value.(type) {
		case float64:
			if math.IsNaN(x) {
				continue
			}
			sorts["number"] = true
		case int64:
			sorts["number"] = true
		default:
			sorts[fmt.Sprintf("%T", x)] = true
		}
		values = append(values, it.value)
	}
	if len(values) == 0 {
		return nil, false
	}
	if len(sorts) > 1 {
		return nil, true
	}
	best := values[0]
	for _, v := range values[1:] {
		c := compareNaively(v, best)
		if name == "max" && c != 0 {
			c = -c
		}
		_, isInt := v.(int64)
		_, wasInt := best.(int64)
		if isInt != wasInt && numeric(v).Cmp(numeric(best)) == 0 {
			c = 1
			if isInt {
				c = -1
			}
		}
		if c < 0 {
			best = v
		}
	}
	return best, false
}

// numeric gives a number to any precision that could be needed.
func numeric(v any) *big.Float {
	f := new(big.Float).SetPrec(200)
	switch x := v.(type) {
	case int64:
		return f.SetInt64(x)
	case float64:
		return f.SetFloat64(x)
	}
	return f
}

func compareNaively(a, b any) int {
	switch x := a.(type) {
	case int64, float64:
		c := numeric(a).Cmp(numeric(b))
		f, isFloat := a.(float64)
		g, wasFloat := b.(float64)
		if c == 0 && isFloat && wasFloat && math.Signbit(f) != math.Signbit(g) {
			if math.Signbit(f) {
				return -1
			}
			return 1
		}
		return c
	case string:
		return strings.Compare(x, b.(string))
	case time.Time:
		return x.Compare(b.(time.Time))
	}
	return int(truth(a.(bool))) - int(truth(b.(bool)))
}

// same gives a text that is the same for values that count as one.
func same(v any) string {
	if f, ok := v.(float64); ok && f == math.Floor(f) && math.Abs(f) <= 1<<53 {
		return fmt.Sprintf("int64 %d", int64(f))
	}
	return spelled(v)
}

// spelled gives a text that tells all values apart but NaNs.
func spelled(v any) string {
	if f, ok := v.(float64); ok {
		return fmt.Sprintf("float64 %v", strings.TrimPrefix(fmt.Sprint(f), "+"))
	}
	return fmt.Sprintf("%T %v", v, v)
}
