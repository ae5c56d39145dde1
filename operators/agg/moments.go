package agg

import (
	"math"
	"math/big"
	"math/bits"

	"tidemark/stream"
)

// moments are what a variance is computed of, for stddev and variance. Integers are kept exactly, so their result does
// not hang on any order; floats are added one by one as Welford does, and merged as Chan, Golub and LeVeque do, which
// both are stable. Each product is rounded by itself, so that all machines give the same.
type moments struct {
	length int
	seen   []uint8  // which numbers an entry had: sawInt, sawFloat
	ints   []powers // empty until there is an integer
	floats []moment // empty until there is a float
}

// powers are the number, the sum and the sum of squares of integers.
type powers struct {
	n       int64
	sum     wide
	squares [3]uint64 // little endian; 2^63 squares of 64-bit integers can't overflow it
}

// moment is the number and the mean of floats, and the sum of squares of their distances from it.
type moment struct {
	n        int64
	mean, m2 float64
}

func (m *moments) Grow(n int) {
	m.length = max(m.length, n)
	m.seen = grow(m.seen, n, 0)
	if len(m.ints) > 0 {
		m.ints = grow(m.ints, n, powers{})
	}
	if len(m.floats) > 0 {
		m.floats = grow(m.floats, n, moment{})
	}
}

func (m *moments) Add(in *Input) {
	c := in.Args[0]
	switch {
	case c.Kind == stream.Int && c.Odd == 0:
		m.ints = grow(m.ints, m.length, powers{})
		for i, r := range in.Rows {
			m.ints[in.IDs[i]].add(c.Ints[r])
			m.seen[in.IDs[i]] |= sawInt
		}
	case c.Kind == stream.Float && c.Odd == 0:
		m.floats = grow(m.floats, m.length, moment{})
		for i, r := range in.Rows {
			m.floats[in.IDs[i]].add(c.Floats[r])
			m.seen[in.IDs[i]] |= sawFloat
		}
	default:
		for i, r := range in.Rows {
			m.addValue(in.IDs[i], valueAt(c, r))
		}
	}
}

// addValue adds a value; null adds nothing.
func (m *moments) addValue(id uint32, v value) {
	switch v.class {
	case integer:
		m.ints = grow(m.ints, m.length, powers{})
		m.ints[id].add(v.bits)
		m.seen[id] |= sawInt
	case float:
		m.floats = grow(m.floats, m.length, moment{})
		m.floats[id].add(v.float())
		m.seen[id] |= sawFloat
	}
}

func (p *powers) add(v int64) {
	p.n++
	p.sum.add(v)
	magnitude := uint64(max(v, -v)) // of the least integer it is right too, as an unsigned one
	hi, lo := bits.Mul64(magnitude, magnitude)
	p.addSquares([3]uint64{lo, hi, 0})
}

func (p *powers) addSquares(s [3]uint64) {
	var carry uint64
	for i := range s {
		p.squares[i], carry = bits.Add64(p.squares[i], s[i], carry)
	}
}

func (m *moment) add(v float64) {
	m.n++
	distance := v - m.mean
	m.mean += distance / float64(m.n)
	m.m2 += float64(distance * (v - m.mean))
}

// merge adds what other holds.
func (m *moment) merge(other moment) {
	if m.n == 0 || other.n == 0 {
		if m.n == 0 {
			*m = other
		}
		return
	}
	n := float64(m.n + other.n)
	distance := other.mean - m.mean
	share := float64(other.n) / n
	m.mean += float64(distance * share)
	m.m2 += other.m2 + float64(float64(distance*distance)*float64(float64(m.n)*share))
	m.n += other.n
}

// merge adds what from has in src to dst.
func (m *moments) merge(dst uint32, from *moments, src uint32) {
	seen := from.seen[src]
	if seen&sawInt != 0 {
		m.ints = grow(m.ints, m.length, powers{})
		to, p := &m.ints[dst], from.ints[src]
		to.n += p.n
		to.sum.addWide(p.sum)
		to.addSquares(p.squares)
	}
	if seen&sawFloat != 0 {
		m.floats = grow(m.floats, m.length, moment{})
		m.floats[dst].merge(from.floats[src])
	}
	m.seen[dst] |= seen
}

// variance gives the sample variance of an entry, and whether it has two values or more.
func (m *moments) variance(id uint32) (v float64, ok bool) {
	switch m.seen[id] {
	case 0:
		return 0, false
	case sawInt:
		return m.ints[id].variance(), m.ints[id].n > 1
	}
	all := m.floats[id]
	if m.seen[id]&sawInt != 0 {
		p := &m.ints[id]
		ints := moment{n: p.n, mean: p.sum.divide(p.n)}
		if p.n > 1 {
			ints.m2 = float64(p.variance() * float64(p.n-1))
		}
		ints.merge(all)
		all = ints
	}
	return all.m2 / float64(all.n-1), all.n > 1
}

// variance gives (n·Σx² − (Σx)²) / n(n−1), rounded once. It is 0 for less than two values.
func (p *powers) variance() float64 {
	if p.n < 2 {
		return 0
	}
	if sum, ok := p.sum.narrow(); ok && max(sum, -sum) < 1<<31 && p.squares[1]|p.squares[2] == 0 && p.n < 1<<26 {
		if hi, scaled := bits.Mul64(p.squares[0], uint64(p.n)); hi == 0 && scaled-uint64(sum*sum) <= exact {
			return float64(scaled-uint64(sum*sum)) / float64(p.n*(p.n-1))
		}
	}
	n, squares, sum := big.NewInt(p.n), new(big.Int), p.sum.big()
	for i := range p.squares {
		squares.Lsh(squares, 64).Or(squares, new(big.Int).SetUint64(p.squares[len(p.squares)-1-i]))
	}
	squares.Mul(squares, n).Sub(squares, sum.Mul(sum, sum))
	v, _ := new(big.Rat).SetFrac(squares, n.Mul(n, big.NewInt(p.n-1))).Float64()
	return v
}

func (m *moments) Clear(id uint32) {
	m.seen[id] = 0
	if len(m.ints) > 0 {
		m.ints[id] = powers{}
	}
	if len(m.floats) > 0 {
		m.floats[id] = moment{}
	}
}

func (m *moments) Reset() {
	m.length = 0
	m.seen, m.ints, m.floats = m.seen[:0], m.ints[:0], m.floats[:0]
}

func (m *moments) Bytes() int64 {
	return int64(cap(m.seen) + 48*cap(m.ints) + 24*cap(m.floats))
}

// spread is the accumulators of variance, and of stddev, which is its root.
type spread struct {
	moments
	root bool
}

func (s *spread) Merge(dst uint32, from Accumulators, src uint32) {
	s.merge(dst, &from.(*spread).moments, src)
}

func (s *spread) Append(id uint32, out *stream.Column) error {
	v, ok := s.variance(id)
	switch {
	case !ok:
		out.AppendNull()
	case s.root:
		out.AppendFloat(math.Sqrt(v))
	default:
		out.AppendFloat(v)
	}
	return nil
}
