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
		appendNumber(c, kind, from+i%distinct)
	}
	return []*stream.Column{c}, rows
}

func appendNumber(c *stream.Column, kind stream.Kind, v int) {
	switch kind {
	case stream.Int:
		c.AppendInt(int64(v))
	case stream.Instant:
		c.AppendInstant(stream.Time(v))
	case stream.Float:
		c.AppendFloat(float64(v) + 0.5)
	default:
		c.AppendText(fmt.Appendf(nil, "key-%d", v))
	}
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

const benchBatch = 4096

// randomBatches builds the key columns of some batches with random keys.
func randomBatches(kinds []stream.Kind, cardinality int) [][]*stream.Column {
	random := rand.New(rand.NewPCG(1, 2))
	batches := make([][]*stream.Column, 256)
	for b := range batches {
		for range kinds {
			batches[b] = append(batches[b], &stream.Column{})
		}
		for range benchBatch {
			v := random.IntN(cardinality)
			for i, kind := range kinds {
				appendNumber(batches[b][i], kind, v)
			}
		}
	}
	return batches
}

// BenchmarkAdd measures the two steps apart, in nanoseconds a row: Keys.Set, which workers do, and Table.Add
// to a table that has most of the keys.
func BenchmarkAdd(b *testing.B) {
	for _, kinds := range [][]stream.Kind{
		{stream.Int}, {stream.String}, {stream.Float}, {stream.Int, stream.Instant}, {stream.String, stream.Int},
	} {
		for _, cardinality := range []int{8, 10_000, 1_000_000} {
			name := fmt.Sprintf("%v/%d", kinds, cardinality)
			batches := randomBatches(kinds, cardinality)
			keys := make([]Keys, len(batches))
			b.Run("keys/"+name, func(b *testing.B) {
				var k Keys
				for i := range b.N {
					k.Set(batches[i%len(batches)], nil, benchBatch)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchBatch), "ns/row")
			})
			b.Run("table/"+name, func(b *testing.B) {
				table, ids := new(Table), []uint32(nil)
				rows := new(Keys).all(benchBatch)
				for i := range keys {
					keys[i].Set(batches[i], nil, benchBatch)
					ids = table.Add(&keys[i], rows, ids[:0])
				}
				b.ResetTimer()
				for i := range b.N {
					ids = table.Add(&keys[i%len(keys)], rows, ids[:0])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchBatch), "ns/row")
			})
		}
	}
}
