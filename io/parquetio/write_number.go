package parquetio

import (
	"math"
	"unsafe"

	"github.com/parquet-go/parquet-go"
)

// The library takes numbers as its own values of 24 bytes, whose constructors and levels cost more than encoding
// them. A value's second word is the number's bits, so values that have their kind and level already are given the
// next numbers in place. That a value looks so is tried once; if it does not, all values are made anew.

// valueBytes is the size of a value of which the second word is the number.
const valueBytes = 24

// wordsKnown says that a number may be put in place.
var wordsKnown = tryWords()

func tryWords() bool {
	const number = 0x1122334455667788
	v := []parquet.Value{parquet.Int64Value(-1).Level(0, 1, 7), parquet.DoubleValue(-1).Level(0, 1, 7)}
	if unsafe.Sizeof(v[0]) != valueBytes {
		return false
	}
	setWord(&v[0], number)
	setWord(&v[1], math.Float64bits(1.5))
	return v[0].Kind() == parquet.Int64 && v[0].Int64() == number && v[0].DefinitionLevel() == 1 && v[0].Column() == 7 &&
		v[1].Kind() == parquet.Double && v[1].Double() == 1.5 && v[1].DefinitionLevel() == 1 && v[1].Column() == 7
}

// setWord puts the bits of a number in place of those of a number of the same kind.
func setWord(v *parquet.Value, bits uint64) {
	*(*uint64)(unsafe.Add(unsafe.Pointer(v), 8)) = bits
}

// fillInts makes values of whole numbers; same says that out holds values of the same column, none of them null.
func fillInts(out []parquet.Value, numbers []int64, same bool, level, column int) {
	if same && wordsKnown {
		for i, x := range numbers {
			setWord(&out[i], uint64(x))
		}
		return
	}
	for i, x := range numbers {
		out[i] = parquet.Int64Value(x).Level(0, level, column)
	}
}

// fillFloats is fillInts for floats.
func fillFloats(out []parquet.Value, numbers []float64, same bool, level, column int) {
	if same && wordsKnown {
		for i, x := range numbers {
			setWord(&out[i], math.Float64bits(x))
		}
		return
	}
	for i, x := range numbers {
		out[i] = parquet.DoubleValue(x).Level(0, level, column)
	}
}
