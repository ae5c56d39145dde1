package plan

import (
	"fmt"
	"regexp"
	"strings"

	"tidemark/operators/agg"
	"tidemark/operators/expression"
	"tidemark/spec"
)

// otherAggregates are aggregates of SQL and of other tools, with ours. None of them is a function here.
var otherAggregates = func() map[string]string {
	words := map[string]string{}
	for ours, others := range map[string]string{
		"count":                 "count_star countall nrows row_count cnt number_of",
		"count_distinct":        "distinct nunique uniq_exact uniqexact distinct_count countdistinct num_unique cardinality",
		"approx_count_distinct": "approx_distinct uniq_approx hll hyperloglog approx_unique",
		"avg":                   "average",
		"sum":                   "total",
		"min":                   "minimum least",
		"max":                   "maximum greatest",
		"first":                 "any_value first_value earliest head",
		"last":                  "last_value latest tail",
		"count_if":              "countif count_where",
		"sum_if":                "sumif sum_where",
		"avg_if":                "avgif",
		"quantile":              "percentile percentile_cont percentile_disc quantile_cont p50 p75 p90 p95 p99 p999",
		"approx_quantile":       "approx_percentile approx_quantiles",
		"stddev":                "std stdev stddev_pop stddev_samp",
		"variance":              "var var_pop var_samp",
		"collect":               "array_agg list_agg group_array collect_list to_list",
		"collect_set":           "group_uniq_array",
		"string_join":           "string_agg group_concat listagg",
		"min_by":                "arg_min argmin",
		"max_by":                "arg_max argmax",
		"bool_and":              "every all_true logical_and",
		"bool_or":               "some any_true logical_or",
	} {
		for _, word := range strings.Fields(others) {
			words[word] = ours
		}
	}
	return words
}()

// calledLikeAggregate says which names are taken for aggregate calls inside `aggregate`: those of other tools too,
// so that what they are given is seen as records.
func calledLikeAggregate(name string) bool {
	return isAggregate(name) || otherAggregates[strings.ToLower(name)] != ""
}

// unknownAggregate reports a call of another tool's aggregate, with ours.
func (k *block) unknownAggregate(e spec.NamedExpr, call expression.Call) {
	d := spec.Diagnostic{Rule: "TM114", Severity: spec.Error, Node: k.Name, Message: fmt.Sprintf("unknown function `%s`", call.Name)}
	ours := otherAggregates[strings.ToLower(call.Name)]
	d.Hint = "did you mean " + ours + "()?"
	if kind, ok := agg.Lookup(ours); ok && kind.MinArgs > kind.Values() {
		d.Hint = "write it as in " + kind.Example.Call // it wants a constant that others have in the name or as percent
	}
	d.Fix = instead(d.Hint)
	k.at(e.Expr.Node, call.Offset, call.Offset+len(call.Name), d)
}

// overList are functions over lists that other tools have as aggregates, with ours.
var overList = map[string]string{"uniq": "count_distinct", "mean": "avg"}

var endsInCall = regexp.MustCompile(`\b(uniq|mean)\(\s*$`)

// overListMeant gives the aggregate that is meant where a field is given to a function over lists; "" if none is.
func overListMeant(text string, offset int, field string) string {
	if m := endsInCall.FindStringSubmatch(text[:min(offset, len(text))]); m != nil {
		return "write " + overList[m[1]] + "(" + field + "): " + m[1] + " is for lists"
	}
	return ""
}
