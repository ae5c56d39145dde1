package expression

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tidemark/stream"
)

// bids gives a batch of made-up bids, with a null now and then if nulls is set.
func bids(n int, nulls bool) table {
	r := rand.New(rand.NewPCG(1, 2))
	channels := []any{"Google", "Facebook", "Apple", "Baidu", "channel-1234", "channel-77"}
	values := map[string][]any{}
	for i := range n {
		values["price"] = append(values["price"], r.Int64N(10_000_000))
		values["bidder"] = append(values["bidder"], r.Int64N(1_000_000))
		values["dateTime"] = append(values["dateTime"], 1735689600000+int64(i))
		values["channel"] = append(values["channel"], channels[r.IntN(len(channels))])
		values["amount"] = append(values["amount"], r.Float64()*100)
		values["at"] = append(values["at"], fmt.Sprintf("2024-01-02T%02d:%02d:%02dZ", r.IntN(24), r.IntN(60), r.IntN(60)))
		if nulls && i%10 == 3 {
			values["amount"][i] = missing
		}
	}
	d := table{}
	for name, v := range values {
		d[name] = columnOf(stream.KindOf(v[0]), v)
	}
	return d
}

var benchmarked = []string{
	"price > 100", "dateTime", "price * 0.908", `channel in ["Google","Apple"]`, `lower(channel) matches "^b.*"`,
	`price > 5000000 and channel == "Google"`, "price % 100 == 7 ? price / 2 : price * 1.5",
	"bidder % 16 == 3 or (price - 100) * 2 > bidder * 10",
	"amount > 10", "(amount ?? 0) > 0", "amount ?? 0", "date(at)", `time(dateTime, "ms")`, `channel + "!"`, "string(price)", "lower(channel)",
	`trunc_time(time(dateTime, "ms"), "1h")`, `format_time(time(dateTime, "ms"), "2006-01-02 15", "Europe/Berlin")`, "hash(channel)", "hash(price)",
	`date(at, "2006-01-02T15:04:05Z")`, `regex_extract(channel, "^(.)oo")`, `url_host(channel)`,
}

func BenchmarkKernels(b *testing.B) { benchmark(b, false, (*Program).NewEvaluator) }

func BenchmarkKernelsNulls(b *testing.B) { benchmark(b, true, (*Program).NewEvaluator) }

func BenchmarkMachine(b *testing.B) {
	benchmark(b, false, func(p *Program, where []int) *Evaluator { return machineOnly(p, where) })
}

func benchmark(b *testing.B, nulls bool, evaluator func(*Program, []int) *Evaluator) {
	const n = 2048
	d := bids(n, nulls)
	for _, src := range benchmarked {
		b.Run(src, func(b *testing.B) {
			p, err := Compile(src, Scope{Open: true})
			if err != nil {
				b.Fatal(err)
			}
			batch, where := d.batchFor(p, n)
			e := evaluator(p, where)
			e.Eval(batch, nil)
			b.ReportAllocs()
			for b.Loop() {
				e.Eval(batch, nil)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}

// TestNoAllocation checks that kernels allocate nothing once they have seen a batch.
func TestNoAllocation(t *testing.T) {
	const n = 256
	d := bids(n, false)
	for _, src := range benchmarked {
		p, err := Compile(src, Scope{Open: true})
		if err != nil {
			t.Fatal(err)
		}
		batch, where := d.batchFor(p, n)
		e := p.NewEvaluator(where)
		e.Eval(batch, nil)
		e.Eval(batch, nil)
		if allocs := testing.AllocsPerRun(5, func() { e.Eval(batch, nil) }); allocs > 0 {
			t.Errorf("%s: %v allocations a batch", src, allocs)
		}
	}
}
