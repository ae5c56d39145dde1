package agg

import "tidemark/stream"

func init() {
	register(Kind{
		Name: "stddev",
		Args: "x",
		Doc: "The standard deviation of the values as of a sample, the root of their variance (SQL: STDDEV_SAMP); null for less " +
			"than two values.",
		Example:    Example{"stddev(amount)", "15", "21.213203435596427"},
		MinArgs:    1,
		MaxArgs:    1,
		ResultType: nullableFloat,
		New:        func([]stream.Type) Accumulators { return &spread{root: true} },
		accepts:    numbers,
	})
}
