package state

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tidemark/stream"
)

// numberedColumns builds a column of rows 0 to n-1 with distinct different values.
func numberedColumns(kind stream.Kind, n, distinct, from int) ([]*stream.Column, []int32) {
	c := &stream.Column{}
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
		v := from + i%distinct
		switch kind {
		case stream.Int:
			c.AppendInt(int64(v))
		case stream.Float:
			c.AppendFloat(float64(v) + 0.5)
		default:
			c.AppendText(fmt.Appendf(nil, "key-%d", v))
		}
	}
	return []*stream.Column{c}, rows
}

func numberedKeysFrom(kind stream.Kind, n, distinct, from int) (*Keys, []int32) {
	columns, rows := numberedColumns(kind, n, distinct, from)
	k := new(Keys)
	k.Set(columns, rows, n)
	return k, rows
}

func numberedKeys(kind stream.Kind, n, distinct int) (*Keys, []int32) {
	return numberedKeysFrom(kind, n, distinct, 0)
}

// BenchmarkAdd measures Set and Add apart, in nanoseconds a row, for batches of 4096 rows with random keys.
func BenchmarkAdd(b *testing.B) {
	const batch = 4096
	for _, kind := range []stream.Kind{stream.Int, stream.String, stream.Float} {
		for _, cardinality := range []int{8, 10_000, 1_000_000} {
			columns, _ := numberedColumns(kind, cardinality, cardinality, 0)
			random := rand.New(rand.NewPCG(1, 2))
			rows := make([]int32, 64*batch)
			for i := range rows {
				rows[i] = random.Int32N(int32(cardinality))
			}
			name := fmt.Sprintf("%v/%d", kind, cardinality)
			var k Keys
			k.Set(columns, nil, cardinality)
			b.Run("table/"+name, func(b *testing.B) {
				table := new(Table)
				ids := table.Add(&k, k.all(cardinality), nil)
				b.ResetTimer()
				for i := range b.N {
					at := i % 64 * batch
					ids = table.Add(&k, rows[at:at+batch], ids[:0])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch), "ns/row")
			})
			b.Run("keys/"+name, func(b *testing.B) {
				for i := range b.N {
					at := i % 64 * batch
					k.Set(columns, rows[at:at+batch], cardinality)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batch), "ns/row")
			})
		}
	}
}
