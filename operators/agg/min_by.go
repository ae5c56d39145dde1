package agg

func init() {
	register(chosenKind("min_by",
		"The value of x, null or not, of the record where by is least; of several the first in the input. Records where by is null or NaN are skipped.",
		Example{"min_by(user_id, amount)", `"ann"`, `"ann"`}, 0))
}
