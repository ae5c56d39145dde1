package agg

func init() {
	register(verdictKind("bool_or", "Whether any value is true, nulls left out; null if there is nothing else.",
		Example{"bool_or((amount ?? 0) > 40)", "true", "true"}, true))
}
