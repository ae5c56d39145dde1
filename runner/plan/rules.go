package plan

// rule checks something that needs the whole plan.
type rule struct {
	id    string
	check func(c *compiler)
}

// rules are in the order in which they run.
var rules []rule
