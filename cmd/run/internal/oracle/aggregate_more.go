package oracle

import (
	"fmt"
	"math"
	"math/big"
	"sort"
	"strings"
)

// call writes the aggregate as an expression.
func (a Aggregate) call() string {
	args := a.Field
	switch a.Function {
	case "quantile":
		args += ", 0.9"
	case "approx_quantile":
		args += ", 0"
	case "min_by", "max_by":
		args += ", " + a.By
	case "string_join":
		args = fmt.Sprintf("string(%s), \"-\"", a.Field)
	case "bool_and", "bool_or":
		args += " > 1"
	}
	if a.If == nil {
		return fmt.Sprintf("%s(%s)", a.Function, args)
	}
	if args != "" {
		args += ", "
	}
	return fmt.Sprintf("%s_if(%s%s)", a.Function, args, a.If.yaml())
}

// meeting gives the rows that the aggregate's condition holds for.
func (a Aggregate) meeting(rows []numbered) []numbered {
	if a.If == nil {
		return rows
	}
	var meeting []numbered
	for _, r := range rows {
		if holds, err := a.If.eval(r.row); err == nil && holds {
			meeting = append(meeting, r)
		}
	}
	return meeting
}

// best gives the field's value of the first row with the least or the greatest value of By.
func (a Aggregate) best(rows []numbered) any {
	var value any
	var best *int64
	for _, r := range rows {
		by, ok := r.row.get(a.By).(int64)
		if ok && (best == nil || a.Function == "min_by" && by < *best || a.Function == "max_by" && by > *best) {
			value, best = r.row.get(a.Field), &by
		}
	}
	return value
}

// ofList gives the aggregates that need all values, of which there is one or more.
func (a Aggregate) ofList(values []any) any {
	switch a.Function {
	case "collect":
		return values
	case "collect_set":
		var set []any
		seen := map[any]bool{}
		for _, value := range values {
			if !seen[value] {
				set = append(set, value)
			}
			seen[value] = true
		}
		return set
	case "string_join":
		var texts []string
		for _, value := range values {
			texts = append(texts, fmt.Sprint(value))
		}
		return strings.Join(texts, "-")
	case "bool_and", "bool_or":
		for _, value := range values {
			if (value.(int64) > 1) == (a.Function == "bool_or") {
				return a.Function == "bool_or"
			}
		}
		return a.Function == "bool_and"
	case "variance", "stddev":
		return spread(values, a.Function == "stddev")
	}
	sort.Slice(values, func(i, j int) bool { return values[i].(int64) < values[j].(int64) })
	level := map[string]float64{"quantile": 0.9, "median": 0.5, "approx_quantile": 0}[a.Function]
	at := level * float64(len(values)-1)
	low, high := float64(values[int(at)].(int64)), float64(values[int(math.Ceil(at))].(int64))
	return low + float64((at-math.Floor(at))*(high-low))
}

// spread gives the variance of a sample, or its root.
func spread(values []any, root bool) any {
	if len(values) < 2 {
		return nil
	}
	mean, squares := new(big.Rat), new(big.Rat)
	for _, value := range values {
		mean.Add(mean, new(big.Rat).SetInt64(value.(int64)))
	}
	mean.Quo(mean, new(big.Rat).SetInt64(int64(len(values))))
	for _, value := range values {
		distance := new(big.Rat).Sub(new(big.Rat).SetInt64(value.(int64)), mean)
		squares.Add(squares, distance.Mul(distance, distance))
	}
	variance, _ := squares.Quo(squares, new(big.Rat).SetInt64(int64(len(values)-1))).Float64()
	if root {
		return math.Sqrt(variance)
	}
	return variance
}
