package expression

import (
	"github.com/expr-lang/expr/ast"

	"tidemark/stream"
)

// membership is "in" a list of constants or a range of them.
type membership struct {
	arg kernel
	set members
	out stream.Column
}

// members are the constants by their type. In a list numbers of both types are equal as the machine has it;
// a range holds ints only, but a float may equal one of them.
type members struct {
	ints         []int64
	floatMembers []float64
	floats       []float64 // both, as floats
	texts        []string
	index        map[string]struct{} // of texts, where there are many
	yes, no      bool                // true and false are members
	null         bool
	ranged       bool
	low, high    int64
}

// maxRange is the size from which the machine refuses to make a range.
const maxRange = 1_000_000

func (b *builder) membership(n *ast.BinaryNode) kernel {
	m := &membership{}
	switch right := n.Right.(type) {
	case *ast.ConstantNode:
		list, ok := right.Value.([]any)
		if !ok || !m.set.add(list) {
			return nil
		}
	case *ast.BinaryNode:
		if !m.set.between(right) {
			return nil
		}
	default:
		return nil
	}
	m.arg = b.build(n.Left)
	return m
}

// between takes the members of a range; false if it has no kernel.
func (s *members) between(n *ast.BinaryNode) bool {
	low, _ := literal(n.Left)
	high, _ := literal(n.Right)
	from, a := low.(int)
	to, z := high.(int)
	if n.Operator != ".." || !a || !z || max(from, to) > exact || min(from, to) < -exact || to-from >= maxRange-1 {
		return false
	}
	*s = members{ranged: true, low: int64(from), high: int64(to)}
	return true
}

// add takes the members of a list; false if one of them has no kernel.
func (s *members) add(list []any) bool {
	for _, v := range list {
		switch v := v.(type) {
		case nil:
			s.null = true
		case int:
			s.ints = append(s.ints, int64(v))
			s.floats = append(s.floats, float64(v))
		case float64:
			s.floatMembers = append(s.floatMembers, v)
			s.floats = append(s.floats, v)
		case string:
			s.texts = append(s.texts, v)
		case bool:
			s.yes, s.no = s.yes || v, s.no || !v
		default:
			return false
		}
	}
	if len(s.texts) > 8 {
		s.index = make(map[string]struct{}, len(s.texts))
		for _, t := range s.texts {
			s.index[t] = struct{}{}
		}
	}
	return true
}

func (k *membership) eval(f frame, rows []int32) *stream.Column {
	a := k.arg.eval(f, rows)
	k.out.Reset(stream.Bool, f.n)
	if !plain(a) {
		k.tag(f, a, rows)
	}
	out := k.out.Bools
	switch a.Kind {
	case stream.Int:
		k.ints(out, a.Ints, rows)
	case stream.Float:
		k.floats(out, a, rows)
	case stream.String:
		k.texts(out, a, rows)
	case stream.Bool:
		for _, r := range rows {
			out[r] = a.Bools[r] && k.set.yes || !a.Bools[r] && k.set.no
		}
	default:
		for _, r := range rows {
			out[r] = false
		}
	}
	if !plain(a) {
		for _, r := range rows {
			if stateOf(a, r) == isNull {
				out[r] = k.set.null
			}
		}
	}
	return &k.out
}

func (k *membership) tag(f frame, a *stream.Column, rows []int32) {
	untag(&k.out, f.n)
	for _, r := range rows {
		if numberState(a, r) == unknown {
			tag(&k.out, r, tagRedo)
		}
	}
}

func (k *membership) ints(out []bool, in []int64, rows []int32) {
	if s := &k.set; s.ranged {
		for _, r := range rows {
			out[r] = in[r] >= s.low && in[r] <= s.high
		}
		return
	}
	for _, r := range rows {
		found := false
		for _, v := range k.set.ints {
			found = found || v == in[r]
		}
		for _, v := range k.set.floatMembers {
			found = found || v == float64(in[r])
		}
		out[r] = found
	}
}

func (k *membership) floats(out []bool, a *stream.Column, rows []int32) {
	if s := &k.set; s.ranged {
		for _, r := range rows {
			v := a.Floats[r]
			out[r] = v >= float64(s.low) && v <= float64(s.high) && v == float64(int64(v))
		}
		return
	}
	for _, r := range rows {
		found := false
		for _, v := range k.set.floats {
			found = found || v == a.Floats[r]
		}
		out[r] = found
	}
}

func (k *membership) texts(out []bool, a *stream.Column, rows []int32) {
	sure := plain(a)
	for _, r := range rows {
		if !sure && stateOf(a, r) != hasValue {
			continue
		}
		b := a.Bytes(int(r))
		found := false
		if k.set.index != nil {
			_, found = k.set.index[string(b)]
		} else {
			for _, t := range k.set.texts {
				if len(t) == len(b) && t == string(b) {
					found = true
					break
				}
			}
		}
		out[r] = found
	}
}
