package plan

import (
	"fmt"
	"strings"

	"tidemark/operators/agg"
	"tidemark/operators/expression"
	"tidemark/spec"
)

// misplaced reports a fault that comes of an aggregate call outside of `aggregate`, and whether it does. Some
// aggregates share their names with functions over lists, so only calls that don't compile are looked at.
func (c *compiler) misplaced(b *spec.Block, clause string, node *spec.Node, text string, fault *expression.Error) bool {
	_, calls, err := expression.SplitAggregates(text, isAggregate, 0)
	if err != nil {
		return false
	}
	for _, call := range calls {
		if fault.Offset < call.Offset || fault.Offset >= call.End {
			continue
		}
		inside := fault.Kind == expression.UnknownName || fault.Kind == expression.Aggregate
		own := fault.Kind == expression.UnknownFunction && fault.Name == call.Name || len(call.Args) == 0 ||
			len(call.Args) == 1 && fault.Kind == expression.Type
		if !own && !(inside && clause == "having") {
			continue
		}
		hint := "aggregate over a window or a key: aggregate: {x: " + text[call.Offset:call.End] + "}"
		if clause == "having" {
			hint = "name it in aggregate, x: " + text[call.Offset:call.End] + ", and write x here"
		}
		c.at(node, call.Offset, call.End, spec.Diagnostic{Rule: "TM117", Severity: spec.Error, Node: b.Name,
			Message: fmt.Sprintf("%s() is an aggregate and can't stand in `%s`", call.Name, clause), Hint: hint})
		return true
	}
	return false
}

// aggregateNames are the names of the aggregates that this version has, less the conditional forms.
func aggregateNames() []string {
	var names []string
	for _, kind := range agg.Kinds() {
		if !strings.HasSuffix(kind.Name, "_if") {
			names = append(names, kind.Name)
		}
	}
	return names
}
