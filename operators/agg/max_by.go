package agg

func init() {
	register(chosenKind("max_by",
		"The value of x, null or not, of the record where by is greatest; of several the first in the input. Records where by is null or NaN are skipped.",
		Example{"max_by(user_id, amount)", `"bob"`, `"bob"`}, -1))
}
