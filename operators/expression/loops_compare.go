package expression

import "tidemark/stream"

// The loops of comparison.

func compare[T int64 | float64](op order, out []bool, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	switch op {
	case less:
		for i := range out {
			out[i] = a[i] < b[i]
		}
	case less | equal:
		for i := range out {
			out[i] = a[i] <= b[i]
		}
	case greater:
		for i := range out {
			out[i] = a[i] > b[i]
		}
	case greater | equal:
		for i := range out {
			out[i] = a[i] >= b[i]
		}
	case equal:
		for i := range out {
			out[i] = a[i] == b[i]
		}
	default:
		for i := range out {
			out[i] = a[i] != b[i]
		}
	}
}

func compareConst[T int64 | float64](op order, out []bool, a []T, c T) {
	a = a[:len(out)]
	switch op {
	case less:
		for i := range out {
			out[i] = a[i] < c
		}
	case less | equal:
		for i := range out {
			out[i] = a[i] <= c
		}
	case greater:
		for i := range out {
			out[i] = a[i] > c
		}
	case greater | equal:
		for i := range out {
			out[i] = a[i] >= c
		}
	case equal:
		for i := range out {
			out[i] = a[i] == c
		}
	default:
		for i := range out {
			out[i] = a[i] != c
		}
	}
}

func compareRows[T int64 | float64](op order, out []bool, a, b []T, rows []int32) {
	switch op {
	case less:
		for _, i := range rows {
			out[i] = a[i] < b[i]
		}
	case less | equal:
		for _, i := range rows {
			out[i] = a[i] <= b[i]
		}
	case greater:
		for _, i := range rows {
			out[i] = a[i] > b[i]
		}
	case greater | equal:
		for _, i := range rows {
			out[i] = a[i] >= b[i]
		}
	case equal:
		for _, i := range rows {
			out[i] = a[i] == b[i]
		}
	default:
		for _, i := range rows {
			out[i] = a[i] != b[i]
		}
	}
}

// texts compares the rows that both have a text.
func (k *comparison) texts(a, b *stream.Column, rows []int32) {
	if c, ok := k.right.(*constant); ok && k.equality() && plain(a) {
		equalText(k.out.Bools, a, c.value.(string), k.op == equal, rows)
		return
	}
	for _, r := range rows {
		if stateOf(a, r) != hasValue || stateOf(b, r) != hasValue {
			continue
		}
		x, y := a.Bytes(int(r)), b.Bytes(int(r))
		switch {
		case string(x) == string(y):
			k.out.Bools[r] = k.op&equal != 0
		case k.equality():
			k.out.Bools[r] = k.op != equal
		case string(x) < string(y):
			k.out.Bools[r] = k.op&less != 0
		default:
			k.out.Bools[r] = k.op&greater != 0
		}
	}
}

// equalText compares texts with one text, by length first.
func equalText(out []bool, a *stream.Column, text string, want bool, rows []int32) {
	n := uint32(len(text))
	for _, r := range rows {
		out[r] = (a.Refs[r].Len == n && string(a.Bytes(int(r))) == text) == want
	}
}
