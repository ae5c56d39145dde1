package orders

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Record is an order, or what was meant to be one, as it is sent to a topic.
type Record struct {
	Partition int32
	Key       []byte // nil for none
	Value     []byte
	Sent      time.Time
}

// Options say what is sent.
type Options struct {
	Seed  uint64
	Start time.Time
	// Minutes is how long orders are made.
	Minutes int
	// PerSecond is the number of records a second, in all partitions.
	PerSecond int
}

// Partitions is the number of partitions that records are made for. The last one falls silent after a third of the time.
const Partitions = 4

// buyers is the number of buyers who order again and again.
const buyers = 40

// fates are what may become of an order on its way: how many in a hundred, and how. The others are up to 4 seconds out of
// order, which is within the bound of the pipelines.
var fates = []struct {
	percent int
	send    func(g *generator, o *order) string
}{
	{4, late(6*time.Second, 30*time.Second)}, // within allowed_lateness, where the watermark has passed
	{4, late(2*time.Minute, 6*time.Minute)},  // for the repair run
	{1, func(_ *generator, o *order) string { return o.line()[:20] }},
	{1, func(_ *generator, o *order) string { return "order " + o.id }},
	{1, func(_ *generator, o *order) string {
		return fmt.Sprintf(`{"order_id":%q,"user_id":%q,"ts":null,"amount":1}`, o.id, o.buyer)
	}},
	{1, func(_ *generator, o *order) string {
		return fmt.Sprintf(`{"order_id":%q,"user_id":%q,"ts":"soon","amount":1}`, o.id, o.buyer)
	}},
	{1, func(_ *generator, o *order) string {
		return fmt.Sprintf(`{"order_id":%q,"user_id":%q,"ts":%d,"amount":"much"}`, o.id, o.buyer, o.ts)
	}},
	{2, func(_ *generator, o *order) string { o.ts /= 1000; return o.line() }},
	{1, func(_ *generator, o *order) string { o.ts *= 1000; return o.line() }},
	{2, func(_ *generator, o *order) string { o.amount = "null"; return o.line() }},
	{2, func(_ *generator, o *order) string { o.amount = "0"; return o.line() }},
	{1, func(_ *generator, o *order) string { o.buyer = ""; return o.line() }},
}

// late makes an order late by a time between least and most.
func late(least, most time.Duration) func(*generator, *order) string {
	return func(g *generator, o *order) string {
		o.ts -= least.Milliseconds() + g.random.Int64N((most - least).Milliseconds())
		return o.line()
	}
}

type generator struct {
	random *rand.Rand
	n      int
}

type order struct {
	id, buyer, amount string
	ts                int64
}

func (o *order) line() string {
	buyer := "null"
	if o.buyer != "" {
		buyer = fmt.Sprintf("%q", o.buyer)
	}
	return fmt.Sprintf(`{"order_id":%q,"user_id":%s,"ts":%d,"amount":%s}`, o.id, buyer, o.ts, o.amount)
}

// Generate gives records in the order in which they are sent. The same options give the same records.
func Generate(o Options) []Record {
	g := &generator{random: rand.New(rand.NewPCG(o.Seed, 1))}
	total := o.Minutes * 60 * o.PerSecond
	records := make([]Record, 0, total+Partitions)
	for i := range total {
		at := o.Start.Add(time.Duration(i) * time.Second / time.Duration(o.PerSecond))
		partitions := int32(Partitions)
		if i > total/3 {
			partitions--
		}
		records = append(records, g.record(at, g.random.Int32N(partitions)))
	}
	return records
}

// record makes one record.
func (g *generator) record(at time.Time, partition int32) Record {
	g.n++
	o := &order{id: fmt.Sprintf("o%06d", g.n), buyer: fmt.Sprintf("u%02d", g.random.IntN(buyers)),
		amount: fmt.Sprintf("%g", float64(1+g.random.IntN(400))/4), // quarters: their sums are exact in any order
		ts:     at.UnixMilli() - g.random.Int64N(4000)}
	r := Record{Partition: partition, Sent: at}
	if g.random.IntN(10) > 0 {
		r.Key = []byte(o.buyer)
	}
	r.Value = []byte(g.send(o))
	return r
}

// send lets an order meet its fate.
func (g *generator) send(o *order) string {
	roll := g.random.IntN(100)
	for _, f := range fates {
		if roll -= f.percent; roll < 0 {
			return f.send(g, o)
		}
	}
	return o.line()
}
