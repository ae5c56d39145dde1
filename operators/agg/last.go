package agg

import "math"

func init() {
	register(occurrenceKind("last",
		"The value that is not null of the record that came last in the input; null if there are none.",
		Example{"last(user_id)", `"eve"`, `"bob"`}, math.MaxUint64))
}
