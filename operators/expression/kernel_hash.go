package expression

import (
	"math"
	"strconv"

	"tidemark/stream"
)

// hashKernel is hash(x) of texts and integers.
func hashKernel(f frame, out, a *stream.Column, rows []int32) bool {
	if a.Kind != stream.String && a.Kind != stream.Int {
		return false
	}
	start(stream.Int, f, out, a, rows)
	var digits [21]byte // the mark of what is no text, and an integer
	for _, r := range rows {
		switch {
		case !ok(out, r):
		case a.Kind == stream.String:
			out.Ints[r] = fnv1a(a.Bytes(int(r)))
		default:
			out.Ints[r] = fnv1a(strconv.AppendInt(digits[:1], a.Ints[r], 10))
		}
	}
	return true
}

// fnv1a gives the FNV-1a hash of 64 bits, less the top bit.
func fnv1a(b []byte) int64 {
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return int64(h & math.MaxInt64)
}
