package expression

// Call is a call of an aggregate within an expression.
type Call struct {
	Name string
	// Args are the arguments as they were written, ArgOffsets where in the source they begin.
	Args       []string
	ArgOffsets []int
	// Offset is where the call begins.
	Offset int
}

// SplitAggregates takes an expression over aggregate calls apart, such as sum(amount) / count().
func SplitAggregates(src string, isAggregate func(string) bool, first int) (post string, calls []Call, err error) {
	return src, nil, nil
}
