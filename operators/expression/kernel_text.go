package expression

import (
	"bytes"
	"regexp"

	"github.com/expr-lang/expr/ast"

	"tidemark/stream"
)

// textTest is contains, startsWith, endsWith and matches with a constant pattern. Nil has none of them.
type textTest struct {
	left, right kernel
	test        func(text, part []byte) bool
	re          *matches
	out         stream.Column
}

func (b *builder) textTest(n *ast.BinaryNode) kernel {
	k := &textTest{}
	switch n.Operator {
	case "contains":
		k.test = bytes.Contains
	case "startsWith":
		k.test = bytes.HasPrefix
	case "endsWith":
		k.test = bytes.HasSuffix
	case "matches":
		pattern, ok := n.Right.(*ast.StringNode)
		if !ok {
			return nil
		}
		re, err := regexp.Compile(pattern.Value)
		if err != nil {
			return nil
		}
		k.re = &matches{re: re}
	}
	k.left = b.build(n.Left)
	if k.re == nil {
		k.right = b.build(n.Right)
	}
	return k
}

func (k *textTest) eval(f frame, rows []int32) *stream.Column {
	a := k.left.eval(f, rows)
	k.out.Reset(stream.Bool, f.n)
	if k.re != nil {
		k.match(f, a, rows)
		return &k.out
	}
	b := k.right.eval(f, rows)
	if a.Kind != stream.String || b.Kind != stream.String {
		k.strangers(f, a, b, rows)
		return &k.out
	}
	if !plain(a) || !plain(b) {
		k.strangers(f, a, b, rows)
	}
	for _, r := range rows {
		if k.out.Odd > 0 && k.out.Tags[r] != stream.TagOK {
			continue
		}
		if plain(a) && plain(b) || stateOf(a, r) == hasValue && stateOf(b, r) == hasValue {
			k.out.Bools[r] = k.test(a.Bytes(int(r)), b.Bytes(int(r)))
		}
	}
	return &k.out
}

// strangers settles rows without two texts: nil on either side is false, all else is for the machine.
func (k *textTest) strangers(f frame, a, b *stream.Column, rows []int32) {
	untag(&k.out, f.n)
	for _, r := range rows {
		k.out.Bools[r] = false
		s, t := stateOf(a, r), stateOf(b, r)
		if s == hasValue && a.Kind != stream.String {
			s = unknown
		}
		if t == hasValue && b.Kind != stream.String {
			t = unknown
		}
		if s == unknown && t != isNull || t == unknown && s != isNull || s == unknown && redo(a, r) || t == unknown && redo(b, r) {
			tag(&k.out, r, tagRedo)
		}
	}
}

// redo reports that a row may be an error, so that not even nil beside it decides.
func redo(c *stream.Column, row int32) bool {
	return c.Odd > 0 && c.Tags[row] >= stream.TagParentNil && c.Tags[row] != tagWhole
}

func (k *textTest) match(f frame, a *stream.Column, rows []int32) {
	if a.Kind == stream.String && plain(a) {
		for _, r := range rows {
			k.out.Bools[r] = k.re.match(a.Bytes(int(r)))
		}
		return
	}
	untag(&k.out, f.n)
	for _, r := range rows {
		s := stateOf(a, r)
		switch {
		case s == isNull:
			k.out.Bools[r] = false
		case s == hasValue && a.Kind == stream.String:
			k.out.Bools[r] = k.re.match(a.Bytes(int(r)))
		default:
			tag(&k.out, r, tagRedo)
		}
	}
}
