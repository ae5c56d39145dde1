package agg

import (
	"math"
	"math/bits"
)

// HyperLogLog (Flajolet and others, 2007): a hash chooses a register, which keeps the greatest number of zeros that
// the rest of a hash began with, plus one.
const (
	registerBits  = 12
	registerCount = 1 << registerBits
	greatestRank  = 64 - registerBits + 1
)

// observe notes a hash in the registers.
func observe(registers []uint8, hash uint64) {
	rest := hash<<registerBits | 1<<(registerBits-1) // a bit that ends the zeros
	at, rank := hash>>(64-registerBits), uint8(bits.LeadingZeros64(rest)+1)
	registers[at] = max(registers[at], rank)
}

// estimate gives the number of different hashes that registers have seen, by Ertl's estimator (2017, "New cardinality
// estimation algorithms for HyperLogLog sketches", algorithm 6), which needs no tables of corrections. Products are
// rounded one by one, so that all machines give the same.
func estimate(registers []uint8) int64 {
	var counts [greatestRank + 1]float64
	for _, rank := range registers {
		counts[rank]++
	}
	const m = registerCount
	z := float64(m * tau(1-counts[greatestRank]/m))
	for rank := greatestRank - 1; rank > 0; rank-- {
		z = float64((z + counts[rank]) / 2)
	}
	z += float64(m * sigma(counts[0]/m))
	return int64(math.Round(m / (2 * math.Ln2) * m / z))
}

// sigma is x + Σ x^(2^k)·2^(k−1) for k from 1 on.
func sigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	for y, z := 1.0, x; ; y *= 2 {
		x = float64(x * x)
		before := z
		z += float64(x * y)
		if z == before {
			return z
		}
	}
}

// tau is (1 − x − Σ (1 − x^(2^−k))²·2^−k for k from 1 on) / 3.
func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	for y, z := 1.0, 1-x; ; {
		x = math.Sqrt(x)
		before := z
		y /= 2
		z -= float64(float64((1-x)*(1-x)) * y)
		if z == before {
			return z / 3
		}
	}
}
