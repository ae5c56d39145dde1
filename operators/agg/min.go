package agg

func init() {
	register(extremeKind("min",
		"The least of the values that are neither null nor NaN; null if there are none.", Example{"min(amount)", "20", "20"}, 0))
}
