package agg

func init() {
	register(verdictKind("bool_and", "Whether all values that are not null are true; null if there are none.",
		Example{"bool_and((amount ?? 0) > 10)", "false", "true"}, false))
}
