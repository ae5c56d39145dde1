package oracle

import "math/big"

// over gives the aggregate's value over rows in input order. Nulls count only in count().
func (a Aggregate) over(rows []numbered) any {
	rows = a.meeting(rows)
	if a.By != "" {
		return a.best(rows)
	}
	if a.Function == "count" && a.Field == "" {
		return int64(len(rows))
	}
	var values []any
	for _, r := range rows {
		if value := r.row.get(a.Field); value != nil {
			values = append(values, value)
		}
	}
	switch a.Function {
	case "count":
		return int64(len(values))
	case "count_distinct", "approx_count_distinct": // the groups are small, so that it is exact
		distinct := map[any]bool{}
		for _, value := range values {
			distinct[value] = true
		}
		return int64(len(distinct))
	}
	if len(values) == 0 {
		return nil
	}
	switch a.Function {
	case "first":
		return values[0]
	case "last":
		return values[len(values)-1]
	}
	switch a.Function {
	case "sum", "avg", "min", "max":
		return a.ofNumbers(values)
	}
	return a.ofList(values)
}

// ofNumbers gives sum, avg, min and max.
func (a Aggregate) ofNumbers(values []any) any {
	sum, least, most := new(big.Int), values[0].(int64), values[0].(int64)
	for _, value := range values {
		number := value.(int64)
		sum.Add(sum, big.NewInt(number))
		least, most = min(least, number), max(most, number)
	}
	switch a.Function {
	case "sum":
		return sum.Int64()
	case "avg":
		total, _ := new(big.Float).SetInt(sum).Float64()
		return total / float64(len(values))
	case "min":
		return least
	}
	return most
}
