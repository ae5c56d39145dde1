package generateio

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open gives the partition of all fields, and their names.
func open(t testing.TB, o *Options) (connector.ColumnPartition, []string) {
	t.Helper()
	fields, err := o.Fields(context.Background(), connector.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	var columns []codec.Column
	var names []string
	for _, f := range fields {
		columns, names = append(columns, codec.Column{Path: stream.Path{f.Name}}), append(names, f.Name)
	}
	partitions, err := o.OpenColumns(context.Background(), connector.Environment{}, columns)
	if err != nil || len(partitions) != 1 {
		t.Fatal(len(partitions), err)
	}
	return partitions[0], names
}

// rows makes the records of a range.
func rows(t testing.TB, o *Options, from, to int64) []map[string]any {
	t.Helper()
	p, names := open(t, o)
	var b stream.Batch
	if bad, err := p.Reader().Load(context.Background(), p, connector.Chunk{Offset: from, End: to}, &b); err != nil || len(bad) > 0 {
		t.Fatal(bad, err)
	}
	all := make([]map[string]any, b.N)
	for row := range all {
		all[row] = map[string]any{}
		for i, name := range names {
			all[row][name] = b.Columns[i].Value(row)
		}
	}
	return all
}

func TestAnyRangeHasTheSameRecords(t *testing.T) {
	for _, events := range []string{"", "person", "auction", "bid", "all"} {
		o := &Options{Nexmark: events}
		want := rows(t, o, 0, 500)
		rapid.Check(t, func(rt *rapid.T) {
			from := rapid.Int64Range(0, 499).Draw(rt, "from")
			to := rapid.Int64Range(from, 500).Draw(rt, "to")
			for i, got := range rows(t, o, from, to) {
				if fmt.Sprint(got) != fmt.Sprint(want[from+int64(i)]) {
					rt.Fatalf("%s %d: %v, want %v", events, from+int64(i), got, want[from+int64(i)])
				}
			}
		})
	}
}

func TestChunksFollowEachOther(t *testing.T) {
	for _, o := range []*Options{{Count: 1}, {Count: 20_000}, {Count: 8192}, {Count: 1000, Rate: 1e9}} {
		p, _ := open(t, o)
		next := int64(0)
		for index := int64(0); ; index++ {
			c, err := p.Next(context.Background())
			if err == io.EOF {
				break
			}
			if err != nil || c.Index != index || c.Offset != next || c.End <= c.Offset {
				t.Fatalf("%+v, %v behind %d", c, err, next)
			}
			next = c.End
		}
		if next != o.Count || !o.Bounded() {
			t.Errorf("%d records, want %d", next, o.Count)
		}
	}
}

func TestRecordsAreTheSameOnEveryMachine(t *testing.T) {
	seed := int64(7)
	for events, want := range map[string]string{"person": "68d599f47eefa6c2", "auction": "215b55b3327f056b", "bid": "cfc89bd53962cd1c", "all": "112539cc0fe073da"} {
		h := fnv.New64a()
		for _, row := range rows(t, &Options{Nexmark: events, Seed: &seed}, 0, 5000) {
			fmt.Fprintln(h, row) // fmt prints maps by their keys
		}
		if got := fmt.Sprintf("%x", h.Sum64()); got != want {
			t.Errorf("%s: %s, want %s", events, got, want)
		}
	}
}

func TestModel(t *testing.T) {
	const n = 50_000
	all := rows(t, &Options{Nexmark: "all"}, 0, n)
	kinds := map[any]int{}
	next := map[string]int64{"person": firstPerson, "auction": firstAuction}
	last := time.Time{}
	hotBids, hotBidders, hotSellers := 0, 0, 0
	for i, row := range all {
		kind := row["event_type"].(string)
		kinds[kind]++
		if at := row["dateTime"].(time.Time); at.Before(last) {
			t.Fatalf("event %d goes back in time", i)
		} else {
			last = at
		}
		for _, other := range []string{"person", "auction", "bid"} {
			if (row[other] != nil) != (other == kind) {
				t.Fatalf("event %d is %s: %v", i, kind, row)
			}
		}
		e := row[kind].(map[string]any)
		switch kind {
		case "bid":
			auction, bidder := e["auction"].(int64), e["bidder"].(int64)
			if auction < firstAuction || auction >= next["auction"]+lead || bidder < firstPerson || bidder > next["person"]+lead {
				t.Fatalf("event %d: %v", i, e)
			}
			if price := e["price"].(int64); price < 100 || price > 100_000_000 {
				t.Fatalf("price %d", price)
			}
			hotBids += one(auction%hotAuction == 0)
			hotBidders += one(bidder%hotPerson == 1)
		default:
			if e["id"] != next[kind] {
				t.Fatalf("event %d: id %v, want %d", i, e["id"], next[kind])
			}
			next[kind]++
		}
		if kind == "auction" {
			hotSellers += one(e["seller"].(int64)%hotPerson == 0)
			if !e["expires"].(time.Time).After(e["dateTime"].(time.Time)) || e["reserve"].(int64) <= e["initialBid"].(int64) {
				t.Fatalf("event %d: %v", i, e)
			}
		}
	}
	if kinds["person"] != n/50 || kinds["auction"] != n/50*3 || kinds["bid"] != n/50*46 {
		t.Errorf("kinds: %v", kinds)
	}
	for what, share := range map[string]float64{
		"bids on hot auctions 0.5":     float64(hotBids) / (n / 50 * 46) / 0.5,
		"hot bidders 0.75":             float64(hotBidders) / (n / 50 * 46) / 0.75,
		"auctions of hot sellers 0.75": float64(hotSellers) / (n / 50 * 3) / 0.75,
	} {
		if share < 0.97 || share > 1.05 {
			t.Errorf("%s: off by %.3f", what, share)
		}
	}
	if want := time.UnixMilli(baseTime + (n-1)/10).UTC(); !last.Equal(want) {
		t.Errorf("the last event is of %v, want %v", last, want)
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestEventsOfOneKindAreThoseAmongAll(t *testing.T) {
	all := rows(t, &Options{Nexmark: "all"}, 0, 1000)
	for _, events := range []string{"person", "auction", "bid"} {
		some := rows(t, &Options{Nexmark: events}, 0, 20)
		for _, row := range all {
			if row[events] == nil || len(some) == 0 {
				continue
			}
			if fmt.Sprint(row[events]) != fmt.Sprint(some[0]) {
				t.Fatalf("%v, want %v", some[0], row[events])
			}
			some = some[1:]
		}
	}
}

func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, _ := open(t, &Options{Rate: 1000, Count: 5000})
		begin := time.Now()
		for {
			c, err := p.Next(context.Background())
			if err == io.EOF {
				break
			}
			due := time.Duration(c.End-1) * time.Millisecond
			if late := time.Since(begin) - due; err != nil || late < -time.Microsecond || late > time.Millisecond {
				t.Fatalf("record %d came %v after it was due, %v", c.End-1, late, err)
			}
		}
		if took := time.Since(begin); took < 4990*time.Millisecond || took > 5010*time.Millisecond {
			t.Errorf("5000 records at 1000 a second took %v", took)
		}
	})
}

func TestWaitingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, end := range []func(connector.ColumnPartition, context.CancelFunc){
			func(p connector.ColumnPartition, _ context.CancelFunc) { p.Close() },
			func(_ connector.ColumnPartition, cancel context.CancelFunc) { cancel() },
		} {
			p, _ := open(t, &Options{Rate: 0.001})
			ctx, cancel := context.WithCancel(context.Background())
			p.Next(ctx) // the first record is due at once
			time.AfterFunc(time.Second, func() { end(p, cancel) })
			if _, err := p.Next(ctx); !errors.Is(err, os.ErrClosed) && !errors.Is(err, context.Canceled) {
				t.Errorf("Next gives %v", err)
			}
			cancel()
			p.Close()
		}
	})
}

func BenchmarkNexmark(b *testing.B) {
	for _, columns := range [][]string{{"auction", "bidder", "price", "dateTime"}, {"auction", "bidder", "price", "channel", "url", "dateTime", "extra"}} {
		b.Run(fmt.Sprint(len(columns)), func(b *testing.B) {
			r := newNexmark(&Options{Nexmark: "bid"}, columns)
			var batch stream.Batch
			b.ReportAllocs()
			for b.Loop() {
				r.Load(context.Background(), nil, connector.Chunk{Offset: 0, End: mostRows}, &batch)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/mostRows, "ns/record")
		})
	}
}
