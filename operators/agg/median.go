package agg

import "tidemark/stream"

func init() {
	register(Kind{
		Name:       "median",
		Args:       "x",
		Doc:        "The value in the middle, or halfway between the two there: quantile(x, 0.5).",
		Example:    Example{"median(amount)", "35", "35"},
		MinArgs:    1,
		MaxArgs:    1,
		ResultType: floatOrNull,
		New:        func([]stream.Type) Accumulators { return &quantiles{level: 0.5} },
		accepts:    numbers,
	})
}
