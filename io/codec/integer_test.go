package codec

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

func TestAppendInt(t *testing.T) {
	values := []int64{0, 1, 9, 10, 99, 100, math.MaxInt64, math.MinInt64, math.MinInt64 + 1}
	for p := int64(1); p < 1e18; p *= 10 {
		values = append(values, p, p-1, p+1, -p, 9*p, 5*p)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		values = append(values, int64(random.Uint64()>>random.IntN(64)), -int64(random.Uint64()>>random.IntN(64)))
	}
	for _, v := range values {
		if got := string(appendInt([]byte("x"), v)); got != "x"+strconv.FormatInt(v, 10) {
			t.Fatalf("%d: %s", v, got)
		}
	}
}

// TestDigitsOf divides all numbers that the lanes divide: four digits by 100, two by 10.
func TestDigitsOf(t *testing.T) {
	for v := range uint64(10_000) {
		var want uint64
		for i, c := range []byte(strconv.FormatUint(100_000_000+v*10_000+9_999-v, 10)[1:]) {
			want |= uint64(c-'0') << (8 * i)
		}
		if got := digitsOf(v*10_000 + 9_999 - v); got != want {
			t.Fatalf("%d: %x, want %x", v, got, want)
		}
	}
}

func BenchmarkAppendInt(b *testing.B) {
	dst := make([]byte, 0, 64)
	for i := range b.N {
		dst = appendInt(dst[:0], int64(i&0xffffff)+1_000_000)
	}
}
