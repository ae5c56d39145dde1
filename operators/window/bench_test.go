package window_test

import (
	"math/rand/v2"
	"testing"

	"tidemark/operators/state"
	"tidemark/operators/watermark"
	"tidemark/operators/window"
	"tidemark/operators/zone"
	"tidemark/stream"
)

// nowhere drops results.
type nowhere struct{ rows int }

func (n *nowhere) Rows(r *window.Rows)                     { n.rows += r.N }
func (n *nowhere) Late(int32, stream.Time, stream.Time)    {}
func (n *nowhere) Uncovered(int32)                         {}
func (n *nowhere) Failed(*window.Rows, int32, int, string) {}

const benchRows = 4096

// benchInputs makes batches as a source gives them: 10,000 keys, a step of the watermark for each row that
// raises it, records up to disorder ms behind. One pass is about span ms long.
func benchInputs(batches int, perMilli float64, disorder int64, aggregates int) []window.Input {
	random := rand.New(rand.NewPCG(1, 2))
	strategy := watermark.Strategy{Kind: watermark.Bounded, Delay: disorder}
	greatest := stream.MinTime
	inputs := make([]window.Input, batches)
	for b := range inputs {
		batch, key, value := new(stream.Batch), new(stream.Column), new(stream.Column)
		key.Reset(stream.Int, benchRows)
		value.Reset(stream.Int, benchRows)
		batch.N, batch.Base = benchRows, uint64(b*benchRows)
		rows := make([]int32, benchRows)
		for i := range benchRows {
			rows[i] = int32(i)
			at := int64(float64(b*benchRows+i)/perMilli) - random.Int64N(disorder+1)
			batch.Times = append(batch.Times, stream.Time(at))
			key.Ints[i], value.Ints[i] = random.Int64N(10_000), random.Int64N(1000)
		}
		batch.Marks, greatest = strategy.AppendMarks(nil, batch.Times, nil, greatest)
		keys := new(state.Keys)
		keys.Set([]*stream.Column{key}, rows, benchRows)
		args := make([][]*stream.Column, aggregates)
		for a := range args {
			args[a] = []*stream.Column{value}
		}
		inputs[b] = window.Input{Batch: batch, Rows: rows, Keys: keys, Args: args, Ordinal: batch.Base}
	}
	return inputs
}

// shift moves a batch to a later pass.
func shift(in *window.Input, span stream.Time, rows int) {
	for i := range in.Batch.Times {
		in.Batch.Times[i] += span
	}
	for i := range in.Batch.Marks {
		in.Batch.Marks[i].Watermark += span
	}
	in.Ordinal += uint64(rows)
	in.Batch.Base += uint64(rows)
}

func benchOperator(b *testing.B, spec window.Spec, perMilli float64, disorder int64, names ...string) {
	const batches = 250
	var list []window.Aggregate
	for _, name := range names {
		list = append(list, window.Aggregate{Kind: aggregate(name), Args: []stream.Type{{Kind: stream.Int}}})
	}
	inputs := benchInputs(batches, perMilli, disorder, len(list))
	op, err := window.New(spec, 0, list, 1)
	if err != nil {
		b.Fatal(err)
	}
	out := new(nowhere)
	pass := func() {
		for i := range inputs {
			op.Process(&inputs[i], out)
			shift(&inputs[i], stream.Time(batches*benchRows/perMilli), batches*benchRows)
		}
	}
	pass()
	out.rows = 0
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		pass()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batches*benchRows), "ns/row")
	b.ReportMetric(float64(out.rows)/float64(b.N*batches*benchRows), "out/row")
}

func BenchmarkTumbling(b *testing.B) {
	benchOperator(b, window.Tumbling{Size: 10_000}, 10, 1000, "count", "sum", "max", "avg")
}

func BenchmarkTumblingAcross(b *testing.B) {
	benchOperator(b, window.Tumbling{Size: 10_000}, 10, 60_000, "count", "sum", "max", "avg")
}

// BenchmarkCalendar has days of a zone, of which neighbouring ones are open at a time.
func BenchmarkCalendar(b *testing.B) {
	z, err := zone.Load("Europe/Berlin")
	if err != nil {
		b.Fatal(err)
	}
	benchOperator(b, window.Calendar{Unit: window.Day, Zone: z}, 0.0002, 43_200_000, "count", "sum", "max", "avg")
}

func BenchmarkSliding(b *testing.B) {
	benchOperator(b, window.Sliding{Size: 60_000, Every: 10_000}, 10, 1000, "count")
}

func BenchmarkSession(b *testing.B) {
	benchOperator(b, window.Session{Gap: 2000}, 10, 500, "count", "sum")
}
