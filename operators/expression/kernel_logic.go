package expression

import (
	"github.com/expr-lang/expr/ast"

	"tidemark/stream"
)

// logic is and, or: the right side is evaluated only for rows that the left side does not decide, so its
// errors can not surface elsewhere.
type logic struct {
	or          bool
	left, right kernel
	out         stream.Column
	rest        []int32
}

func (k *logic) eval(f frame, rows []int32) *stream.Column {
	a := k.left.eval(f, rows)
	if a.Kind != stream.Bool {
		return redoAll(&k.out, stream.Bool, f.n, rows)
	}
	k.out.Reset(stream.Bool, f.n)
	untag(&k.out, f.n)
	k.split(a, rows)
	if len(k.rest) == 0 {
		return &k.out
	}
	b := k.right.eval(f, k.rest)
	if b.Kind != stream.Bool {
		for _, r := range k.rest {
			tag(&k.out, r, tagRedo)
		}
		return &k.out
	}
	for _, r := range k.rest {
		k.out.Bools[r] = b.Bools[r]
	}
	if b.Odd > 0 {
		for _, r := range k.rest {
			if t := b.Tags[r]; t != stream.TagOK {
				tag(&k.out, r, orRedo(t))
			}
		}
	}
	return &k.out
}

// split decides the rows that the left side decides and collects the rest.
func (k *logic) split(a *stream.Column, rows []int32) {
	k.rest = stream.Resize(k.rest, len(rows))
	n := 0
	if a.Odd == 0 {
		for _, r := range rows {
			v := a.Bools[r]
			k.out.Bools[r] = v
			k.rest[n] = r
			n += bit(v != k.or)
		}
		k.rest = k.rest[:n]
		return
	}
	for _, r := range rows {
		if t := a.Tags[r]; t != stream.TagOK {
			tag(&k.out, r, orRedo(t))
			continue
		}
		v := a.Bools[r]
		k.out.Bools[r] = v
		k.rest[n] = r
		n += bit(v != k.or)
	}
	k.rest = k.rest[:n]
}

// orRedo gives a failure's tag, and tagRedo for all others.
func orRedo(t stream.Tag) stream.Tag {
	if failed(t) {
		return t
	}
	return tagRedo
}

// unary gives the kernel of a unary node, or nil.
func (b *builder) unary(n *ast.UnaryNode) kernel {
	switch n.Operator {
	case "!", "not":
		return &not{arg: b.build(n.Node)}
	case "-":
		return &negative{arg: b.build(n.Node)}
	case "+":
		return b.build(n.Node)
	}
	return nil
}

// not is the opposite of a bool.
type not struct {
	arg kernel
	out stream.Column
}

func (k *not) eval(f frame, rows []int32) *stream.Column {
	a := k.arg.eval(f, rows)
	if a.Kind != stream.Bool {
		return redoAll(&k.out, stream.Bool, f.n, rows)
	}
	k.out.Reset(stream.Bool, f.n)
	for _, r := range rows {
		k.out.Bools[r] = !a.Bools[r]
	}
	spread(&k.out, f.n, rows, a)
	return &k.out
}

// negative is the negative of a number; that of the lowest int is itself.
type negative struct {
	arg kernel
	out stream.Column
}

func (k *negative) eval(f frame, rows []int32) *stream.Column {
	a := k.arg.eval(f, rows)
	switch a.Kind {
	case stream.Int:
		k.out.Reset(stream.Int, f.n)
		for _, r := range rows {
			k.out.Ints[r] = -a.Ints[r]
		}
	case stream.Float:
		k.out.Reset(stream.Float, f.n)
		for _, r := range rows {
			k.out.Floats[r] = -a.Floats[r]
		}
	default:
		return redoAll(&k.out, stream.Int, f.n, rows)
	}
	keepWhole(&k.out, a, f.n, rows)
	return &k.out
}

// keepWhole is spread for functions of one number that make whole numbers of whole numbers.
func keepWhole(out, a *stream.Column, n int, rows []int32) {
	spread(out, n, rows, a)
	if a.Odd == 0 {
		return
	}
	for _, r := range rows {
		if a.Tags[r] == tagWhole {
			out.Floats[r] += 0
			out.Tags[r] = tagWhole
		}
	}
}

// isNil is x == nil and x != nil, which only looks at tags.
type isNil struct {
	arg kernel
	not bool
	out stream.Column
}

func (k *isNil) eval(f frame, rows []int32) *stream.Column {
	a := k.arg.eval(f, rows)
	k.out.Reset(stream.Bool, f.n)
	if plain(a) {
		for _, r := range rows {
			k.out.Bools[r] = k.not
		}
		return &k.out
	}
	untag(&k.out, f.n)
	for _, r := range rows {
		k.out.Bools[r] = (stateOf(a, r) == isNull) != k.not
		if a.Odd > 0 && a.Tags[r] >= stream.TagParentNil && a.Tags[r] != tagWhole {
			tag(&k.out, r, tagRedo)
		}
	}
	return &k.out
}
