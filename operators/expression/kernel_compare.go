package expression

import (
	"github.com/expr-lang/expr/ast"

	"tidemark/stream"
)

// comparison is == != < <= > >=.
type comparison struct {
	op          order
	left, right kernel
	out         stream.Column
	l, r        []float64
	blame       blame
}

// order is a comparison by what it accepts: less, equal or greater; unequal texts and bools are greater.
type order uint8

const (
	less order = 1 << iota
	equal
	greater
)

var orders = map[string]order{"==": equal, "!=": less | greater, "<": less, "<=": less | equal,
	">": greater, ">=": greater | equal}

// mirrored gives the order that holds of b and a where o holds of a and b.
func (o order) mirrored() order { return o&equal | o&less<<2 | o&greater>>2 }

// comparison builds the kernel; a constant goes to the right.
func (b *builder) comparison(n *ast.BinaryNode) kernel {
	k := &comparison{op: orders[n.Operator], left: b.build(n.Left), right: b.build(n.Right), blame: b.blame(n)}
	if _, ok := k.left.(*constant); ok {
		k.left, k.right, k.op = k.right, k.left, k.op.mirrored()
		k.blame.swapped = true
	}
	if c, ok := k.right.(*constant); ok && c.value == nil && k.equality() {
		return &isNil{arg: k.left, not: k.op != equal}
	}
	return k
}

func (k *comparison) equality() bool { return k.op == equal || k.op == less|greater }

func (k *comparison) eval(f frame, rows []int32) *stream.Column {
	a, b := k.left.eval(f, rows), k.right.eval(f, rows)
	k.out.Reset(stream.Bool, f.n)
	switch {
	case a.Kind == b.Kind && (a.Kind == stream.Int || a.Kind == stream.Instant):
		k.numbers(f, a, b, rows)
	case isNumber(a.Kind) && isNumber(b.Kind):
		k.floats(f, a, b, rows)
	case a.Kind == stream.String && b.Kind == stream.String:
		k.tag(f, a, b, rows)
		k.texts(a, b, rows)
		return &k.out
	case a.Kind == stream.Bool && b.Kind == stream.Bool && k.equality():
		for _, r := range rows {
			k.out.Bools[r] = (a.Bools[r] == b.Bools[r]) == (k.op == equal)
		}
	default:
		return k.strangers(f, a, b, rows)
	}
	k.tag(f, a, b, rows)
	return &k.out
}

func (k *comparison) numbers(f frame, a, b *stream.Column, rows []int32) {
	v, whole := int64(0), false
	if c, ok := k.right.(*constant); ok {
		v, whole = c.value.(int64)
	}
	switch {
	case whole && f.dense(rows):
		compareConst(k.op, k.out.Bools, a.Ints, v)
	case f.dense(rows):
		compare(k.op, k.out.Bools, a.Ints, b.Ints)
	default:
		compareRows(k.op, k.out.Bools, a.Ints, b.Ints, rows)
	}
}

func (k *comparison) floats(f frame, a, b *stream.Column, rows []int32) {
	l, r := asFloats(a, &k.l, f, rows), asFloats(b, &k.r, f, rows)
	c, constant := k.right.(*constant)
	switch {
	case constant && f.dense(rows):
		v, _ := c.number()
		compareConst(k.op, k.out.Bools, l, v)
	case f.dense(rows):
		compare(k.op, k.out.Bools, l, r)
	default:
		compareRows(k.op, k.out.Bools, l, r, rows)
	}
}

// strangers compares vectors of different kinds: values are never equal and have no order.
func (k *comparison) strangers(f frame, a, b *stream.Column, rows []int32) *stream.Column {
	if !k.equality() {
		untag(&k.out, f.n)
		for _, r := range rows {
			tag(&k.out, r, k.fail(a, b, r))
		}
		return &k.out
	}
	for _, r := range rows {
		k.out.Bools[r] = k.op != equal
	}
	k.tag(f, a, b, rows)
	return &k.out
}

// fail gives the tag of a row that can't be compared.
func (k *comparison) fail(a, b *stream.Column, row int32) stream.Tag {
	s, t := numberState(a, row), numberState(b, row)
	if s == unknown || t == unknown || s == t && s == hasValue || k.equality() {
		if k.blame.swapped {
			a, b = b, a
		}
		return carried([]*stream.Column{a, b}, row)
	}
	return k.blame.tag(a, b, row)
}

// tag settles rows of which an operand has no value: nil equals only nil and has no order.
func (k *comparison) tag(f frame, a, b *stream.Column, rows []int32) {
	if plain(a) && plain(b) {
		return
	}
	untag(&k.out, f.n)
	for _, r := range rows {
		s, t := numberState(a, r), numberState(b, r)
		switch {
		case s == hasValue && t == hasValue:
		case s == unknown || t == unknown || !k.equality():
			tag(&k.out, r, k.fail(a, b, r))
		default:
			k.out.Bools[r] = (s == t) == (k.op == equal)
		}
	}
}
