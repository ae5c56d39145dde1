package expression

import (
	"math"

	"github.com/expr-lang/expr/ast"

	"tidemark/stream"
)

// arithmetic is + - * / % ** on numbers, and + on texts.
type arithmetic struct {
	op          byte // '^' stands for **
	left, right kernel
	out         stream.Column
	l, r        []float64 // operands as floats
	blame       blame
}

// binary gives the kernel of a binary node, or nil.
func (b *builder) binary(n *ast.BinaryNode) kernel {
	switch n.Operator {
	case "+", "-", "*", "/", "%":
		return &arithmetic{op: n.Operator[0], left: b.build(n.Left), right: b.build(n.Right), blame: b.blame(n)}
	case "**", "^":
		return &arithmetic{op: '^', left: b.build(n.Left), right: b.build(n.Right)}
	case "==", "!=", "<", "<=", ">", ">=":
		return b.comparison(n)
	case "and", "&&", "or", "||":
		return &logic{or: n.Operator[0] == 'o' || n.Operator[0] == '|', left: b.build(n.Left), right: b.build(n.Right)}
	case "??":
		return &coalesce{left: b.build(n.Left), right: b.build(n.Right)}
	case "in":
		return b.membership(n)
	case "contains", "startsWith", "endsWith", "matches":
		return b.textTest(n)
	}
	return nil
}

func (k *arithmetic) eval(f frame, rows []int32) *stream.Column {
	a, b := k.left.eval(f, rows), k.right.eval(f, rows)
	switch {
	case a.Kind == stream.Int && b.Kind == stream.Int:
		return k.ints(f, a, b, rows)
	case isNumber(a.Kind) && isNumber(b.Kind) && k.op != '%':
		return k.floats(f, a, b, rows)
	case a.Kind == stream.String && b.Kind == stream.String && k.op == '+':
		return k.concat(f, a, b, rows)
	}
	k.out.Reset(stream.Int, f.n)
	untag(&k.out, f.n)
	for _, r := range rows {
		tag(&k.out, r, k.fail(a, b, r))
	}
	return &k.out
}

// fail gives the tag of a row without two numbers.
func (k *arithmetic) fail(a, b *stream.Column, row int32) stream.Tag {
	s, t := numberState(a, row), numberState(b, row)
	if s == unknown || t == unknown || s == t && s == hasValue || k.op == '^' {
		return carried([]*stream.Column{a, b}, row)
	}
	return k.blame.tag(a, b, row)
}

func isNumber(k stream.Kind) bool { return k == stream.Int || k == stream.Float }

func (k *arithmetic) ints(f frame, a, b *stream.Column, rows []int32) *stream.Column {
	switch k.op {
	case '/', '^':
		return k.floats(f, a, b, rows)
	case '%':
		k.out.Reset(stream.Int, f.n)
		k.tagInts(f, a, b, rows)
		return k.modulo(f, a, b, rows)
	}
	k.out.Reset(stream.Int, f.n)
	k.tagInts(f, a, b, rows)
	c, constant := k.right.(*constant)
	switch {
	case constant && f.dense(rows):
		arithConst(k.op, k.out.Ints, a.Ints, c.value.(int64))
	case f.dense(rows):
		arith(k.op, k.out.Ints, a.Ints, b.Ints)
	default:
		arithRows(k.op, k.out.Ints, a.Ints, b.Ints, rows)
	}
	return &k.out
}

// tagInts tags the rows without two numbers.
func (k *arithmetic) tagInts(f frame, a, b *stream.Column, rows []int32) {
	if plain(a) && plain(b) {
		return
	}
	untag(&k.out, f.n)
	for _, r := range rows {
		if stateOf(a, r) != hasValue || stateOf(b, r) != hasValue {
			tag(&k.out, r, k.fail(a, b, r))
		}
	}
}

func (k *arithmetic) floats(f frame, a, b *stream.Column, rows []int32) *stream.Column {
	k.out.Reset(stream.Float, f.n)
	l, r := asFloats(a, &k.l, f, rows), asFloats(b, &k.r, f, rows)
	out := k.out.Floats
	c, constant := k.right.(*constant)
	switch {
	case k.op == '^':
		for _, i := range rows {
			out[i] = math.Pow(l[i], r[i])
		}
	case constant && f.dense(rows):
		v, _ := c.number()
		arithConst(k.op, out, l, v)
	case f.dense(rows):
		arith(k.op, out, l, r)
	default:
		arithRows(k.op, out, l, r, rows)
	}
	if !plain(a) || !plain(b) {
		k.tagFloats(f, a, b, rows)
	}
	return &k.out
}

// tagFloats tags the rows of a sum, difference, product, quotient or power of which an operand is tagged. Of
// two whole numbers all but quotient and power are whole, if they are exact.
func (k *arithmetic) tagFloats(f frame, a, b *stream.Column, rows []int32) {
	untag(&k.out, f.n)
	out := k.out.Floats
	for _, r := range rows {
		if numberState(a, r) != hasValue || numberState(b, r) != hasValue {
			tag(&k.out, r, k.fail(a, b, r))
			continue
		}
		if k.op == '/' || k.op == '^' || !whole(a, r) || !whole(b, r) {
			continue
		}
		if !small(a, r) || !small(b, r) || math.Abs(out[r]) >= exact {
			tag(&k.out, r, tagRedo)
			continue
		}
		out[r] += 0 // -0 is no whole number
		tag(&k.out, r, tagWhole)
	}
}

// whole reports that a row, which has a number, has an int.
func whole(c *stream.Column, row int32) bool {
	return c.Kind == stream.Int || c.Odd > 0 && c.Tags[row] == tagWhole
}

// small reports that a whole number is exact as a float.
func small(c *stream.Column, row int32) bool {
	return c.Kind != stream.Int || c.Ints[row] < exact && c.Ints[row] > -exact
}

// asFloats gives the numbers of a vector as floats, in buf unless they are floats.
func asFloats(c *stream.Column, buf *[]float64, f frame, rows []int32) []float64 {
	if c.Kind == stream.Float {
		return c.Floats
	}
	*buf = stream.Resize(*buf, f.n)
	out := *buf
	if !f.dense(rows) {
		for _, r := range rows {
			out[r] = float64(c.Ints[r])
		}
		return out
	}
	in := c.Ints[:len(out)]
	for i := range out {
		out[i] = float64(in[i])
	}
	return out
}

func (k *arithmetic) concat(f frame, a, b *stream.Column, rows []int32) *stream.Column {
	k.out.Reset(stream.String, f.n)
	k.tagInts(f, a, b, rows)
	for _, r := range rows {
		if k.out.Odd > 0 && k.out.Tags[r] != stream.TagOK {
			continue
		}
		k.out.SetBytes(int(r), a.Bytes(int(r)))
		k.out.Arena = append(k.out.Arena, b.Bytes(int(r))...)
		k.out.Refs[r].Len += b.Refs[r].Len
	}
	return &k.out
}
