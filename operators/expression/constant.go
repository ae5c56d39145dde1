package expression

// Constant gives the value of an expression that is the same for every record: nil, a truth value, an int64, a
// float64 or a string, written out or computed of such. ok is false for any other.
func (p *Program) Constant() (v any, ok bool) {
	v, ok = literal(p.tree)
	switch x := v.(type) {
	case nil, bool, int64, float64, string:
		return v, ok
	case int:
		return int64(x), ok
	}
	return nil, false
}
