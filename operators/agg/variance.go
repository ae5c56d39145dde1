package agg

import "tidemark/stream"

func init() {
	register(Kind{
		Name: "variance",
		Args: "x",
		Doc: "The variance of the values as of a sample: the squares of their distances from the mean, divided by their number " +
			"less one (SQL: VAR_SAMP); null for less than two values.",
		Example:    Example{"variance(amount)", "225", "450"},
		MinArgs:    1,
		MaxArgs:    1,
		ResultType: nullableFloat,
		New:        func([]stream.Type) Accumulators { return new(spread) },
		accepts:    numbers,
	})
}
