package generateio

import (
	"math"
	"slices"

	"tidemark/stream"
)

// random is the random numbers of one value: those of a column in an event, whichever others are made.
type random struct{ state uint64 }

const golden = 0x9e3779b97f4a7c15

// randomOf gives the numbers of a value.
func randomOf(seed, event int64, value valueName) random {
	return random{stream.Mix(stream.Mix(stream.Mix(uint64(seed)+golden)+uint64(event)*golden) + uint64(value)*golden)}
}

func (r *random) next() uint64 {
	r.state += golden
	return stream.Mix(r.state)
}

// below gives a number from 0 up to n, not included.
func (r *random) below(n int64) int64 { return int64(r.next() % uint64(n)) }

// price gives 1 to 1,000,000 in cents, the logarithm evenly spread. It only multiplies and takes roots, so that it is
// the same on every machine.
func (r *random) price() int64 {
	bits, value := r.next(), 100.0
	for _, root := range roots {
		if bits&1 == 1 {
			value *= root
		}
		bits >>= 1
	}
	return int64(math.Round(value))
}

// roots are the square root of a million, that of this, and so on.
var roots = func() (list [30]float64) {
	x := 1e6
	for i := range list {
		x = math.Sqrt(x)
		list[i] = x
	}
	return list
}()

// text appends a word of small letters, 3 to most−1 of them, with a special letter now and then, but for blanks at its
// ends.
func (r *random) text(dst []byte, most int64, special byte) []byte {
	const least = 3
	n := int(least + r.below(most-least))
	start := len(dst)
	for range n {
		if r.below(13) == 0 {
			dst = append(dst, special)
		} else {
			dst = append(dst, 'a'+byte(r.below(26)))
		}
	}
	for len(dst) > start && dst[len(dst)-1] == ' ' {
		dst = dst[:len(dst)-1]
	}
	for start < len(dst) && dst[start] == ' ' {
		dst = slices.Delete(dst, start, start+1)
	}
	return dst
}

// extra appends letters that fill a record of size bytes up to about the average.
func (r *random) extra(dst []byte, size, average int64) []byte {
	if size > average {
		return dst
	}
	average -= size
	delta := (average + 2) / 5
	n := average - delta
	if delta > 0 {
		n += r.below(2 * delta)
	}
	var letters uint64
	for i := range n {
		if i%12 == 0 {
			letters = r.next()
		}
		dst = append(dst, 'a'+byte(letters%26))
		letters /= 26
	}
	return dst
}
