package agg

// conditionalForm gives the form of a kind that takes a condition as its last argument.
func conditionalForm(k Kind) Kind {
	k.Name += "_if"
	return k
}
