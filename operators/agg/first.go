package agg

func init() {
	register(occurrenceKind("first",
		"The value that is not null of the record that came first in the input; null if there are none.",
		Example{"first(user_id)", `"ann"`, `"ann"`}, 0))
}
