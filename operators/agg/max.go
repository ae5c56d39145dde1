package agg

func init() {
	register(extremeKind("max",
		"The greatest of the values that are neither null nor NaN; null if there are none.", Example{"max(amount)", "50", "50"}, -1))
}
