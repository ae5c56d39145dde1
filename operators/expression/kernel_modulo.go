package expression

import (
	"math/bits"

	"tidemark/stream"
)

// modulo computes a % b for rows that have values. A zero divisor is left to the virtual machine, which
// makes it an error.
func (k *arithmetic) modulo(f frame, a, b *stream.Column, rows []int32) *stream.Column {
	c, ok := k.right.(*constant)
	if !ok {
		k.moduloRows(f, a, b, rows)
		return &k.out
	}
	out, in, m := k.out.Ints, a.Ints, c.value.(int64)
	switch {
	case m == 0:
		return redoAll(&k.out, stream.Int, f.n, rows)
	case m > 0 && bits.OnesCount64(uint64(m)) == 1:
		for _, r := range rows {
			v := in[r]
			bias := (v >> 63) & (m - 1)
			out[r] = (v+bias)&(m-1) - bias
		}
	default:
		for _, r := range rows {
			out[r] = remainder(in[r], m)
		}
	}
	return &k.out
}

func (k *arithmetic) moduloRows(f frame, a, b *stream.Column, rows []int32) {
	out := &k.out
	for _, r := range rows {
		if !ok(out, r) {
			continue
		}
		d := b.Ints[r]
		if d != 0 {
			out.Ints[r] = remainder(a.Ints[r], d)
			continue
		}
		if out.Odd == 0 {
			untag(out, f.n)
		}
		tag(out, r, tagRedo)
	}
}

// remainder is a % b, by the shorter division of the processor where the numbers allow it.
func remainder(a, b int64) int64 {
	if uint64(a|b)>>32 == 0 {
		return int64(uint32(a) % uint32(b))
	}
	return a % b
}
