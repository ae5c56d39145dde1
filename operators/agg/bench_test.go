package agg

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tidemark/operators/state"
	"tidemark/stream"
)

const benchBatch = 4096

// randomBatches builds batches of random values with random entries.
func randomBatches(kind stream.Kind, entries, distinct int, nullable bool) []*Input {
	random := rand.New(rand.NewPCG(1, 2))
	batches := make([]*Input, 16)
	for b := range batches {
		c := &stream.Column{}
		in := &Input{Args: []*stream.Column{c}, Ordinal: uint64(b * benchBatch)}
		for i := range benchBatch {
			v := random.IntN(distinct)
			switch {
			case nullable && random.IntN(10) == 0:
				c.AppendNull()
			case kind == stream.Int:
				c.AppendInt(int64(v))
			case kind == stream.Float:
				c.AppendFloat(float64(v) / 4)
			default:
				c.AppendText(fmt.Appendf(nil, "value-%d", v))
			}
			in.Rows, in.IDs = append(in.Rows, int32(i)), append(in.IDs, uint32(random.IntN(entries)))
		}
		batches[b] = in
	}
	return batches
}

func perRow(b *testing.B) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*benchBatch), "ns/row")
}

// BenchmarkAdd measures each aggregate alone at 10,000 entries.
func BenchmarkAdd(b *testing.B) {
	for _, k := range Kinds() {
		if k.Conditional || k.Keyed {
			continue
		}
		for _, kind := range []stream.Kind{stream.Int, stream.Float, stream.String} {
			if !k.accepts.all(kind) {
				continue
			}
			for _, nullable := range []bool{false, true} {
				b.Run(fmt.Sprintf("%s/%v/null=%v", k.Name, kind, nullable), func(b *testing.B) {
					batches := randomBatches(kind, 10_000, 1_000_000, nullable)
					for _, in := range batches {
						in.Args = argsOf(k, in.Args[0], nil)
					}
					accs := opened(b, k)
					accs.Grow(10_000)
					b.ResetTimer()
					for i := range b.N {
						in := batches[i%len(batches)]
						in.Ordinal = uint64(i * benchBatch)
						accs.Add(in)
					}
					perRow(b)
				})
			}
		}
	}
}

// BenchmarkGroup measures keys, table, count, sum, max and avg together: 10,000 integer keys.
func BenchmarkGroup(b *testing.B) {
	values := randomBatches(stream.Int, 10_000, 1_000_000, false)
	keys := randomBatches(stream.Int, 10_000, 10_000, false)
	var accs []Accumulators
	for _, name := range []string{"count", "sum", "max", "avg"} {
		k, _ := Lookup(name)
		accs = append(accs, k.New(make([]stream.Type, 1)))
	}
	var ks state.Keys
	table := new(state.Table)
	b.ResetTimer()
	for i := range b.N {
		in := values[i%len(values)]
		ks.Set(keys[i%len(keys)].Args, in.Rows, benchBatch)
		in.IDs = table.Add(&ks, in.Rows, in.IDs[:0])
		for _, a := range accs {
			a.Grow(table.Len())
			a.Add(in)
		}
	}
	perRow(b)
}

// BenchmarkDistinct counts distinct integers and texts: many values in few groups, and few in many.
func BenchmarkDistinct(b *testing.B) {
	k, _ := Lookup("count_distinct")
	for _, kind := range []stream.Kind{stream.Int, stream.String} {
		for _, shape := range []struct{ groups, values int }{{8, 10_000}, {8, 1_000_000}, {10_000, 100}, {100_000, 10_000}} {
			b.Run(fmt.Sprintf("%v/groups=%d/values=%d", kind, shape.groups, shape.values), func(b *testing.B) {
				batches := randomBatches(kind, shape.groups, shape.values, false)
				accs := k.New(make([]stream.Type, 1))
				accs.Grow(shape.groups)
				for _, in := range batches {
					accs.Add(in)
				}
				b.ResetTimer()
				for i := range b.N {
					accs.Add(batches[i%len(batches)])
				}
				perRow(b)
			})
		}
	}
}
