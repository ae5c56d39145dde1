package kafkaio

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/produce"
)

// transactions writes ten transactions of which every third is rolled back, and leaves one open. It gives the values
// that were committed.
func transactions(t *testing.T, c *client.Client, topic string) (committed []string, end func(commit bool)) {
	ctx := kafkatest.Context(t)
	w, err := produce.Open(ctx, c, produce.Options{Topic: topic, BatchBytes: 300, Transactions: []string{topic}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close(ctx) })
	send := func(tx int) (sent []string) {
		for i := range 7 {
			v := fmt.Sprintf("%d.%d", tx, i)
			if err := w.Send(ctx, &produce.Message{Key: []byte(v), Value: []byte(v), Timestamp: time.Now().UnixMilli()}); err != nil {
				t.Fatal(err)
			}
			sent = append(sent, v)
		}
		return sent
	}
	end = func(commit bool) {
		done, err := w.Prepare(ctx)
		if err == nil {
			err = done.End(ctx, c, commit)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for tx := range 10 {
		sent := send(tx)
		if end(tx%3 != 2); tx%3 != 2 {
			committed = append(committed, sent...)
		}
	}
	send(10)
	if err := w.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	return committed, end
}

// TestTransactions: what was rolled back is not read, and an open transaction does not hold a bounded read up. It runs
// against the broker at TIDEMARK_KAFKA, host:port, and without it against one in this process.
func TestTransactions(t *testing.T) {
	address := os.Getenv("TIDEMARK_KAFKA")
	if address == "" {
		address = kafkatest.Cluster(t).ListenAddrs()[0]
	}
	c := kafkatest.Open(t, client.Options{Brokers: []string{address}})
	topic := kafkatest.Topic(t, address, 1)
	committed, end := transactions(t, c, topic)
	source := func(edit func(o *SourceOptions)) *SourceOptions {
		return sourceAt([]string{address}, func(o *SourceOptions) { o.Topic = topic; edit(o) })
	}
	for isolation, want := range map[string]int{"read_committed": len(committed), "read_uncommitted": 77} {
		for _, stop := range []*Stop{{At: "latest"}, {Timestamp: "2100-01-01"}} {
			r, _, err := open(t, source(func(o *SourceOptions) { o.Isolation, o.Stop = isolation, stop }))
			if err != nil {
				t.Fatal(err)
			}
			p := read(r, 0)
			got, err := p.rest(t)
			if err != nil || len(got) != want || isolation == "read_committed" && !slices.Equal(got, committed) {
				t.Errorf("%s: %d, %v, want %d, %v", isolation, len(got), got, want, err)
			}
			if p.Lag(p.at) != 0 {
				t.Errorf("%s: it lags %d at the end", isolation, p.Lag(p.at))
			}
		}
	}
	r, _, err := open(t, source(func(o *SourceOptions) { o.Start = &Start{At: "latest"} }))
	if err != nil {
		t.Fatal(err)
	}
	p := read(r, 0)
	if p.beat(t, time.Second) != nil || p.empty != 1 || p.Lag(p.at) != 0 {
		t.Errorf("%d chunks without records, it lags %d", p.empty, p.Lag(p.at))
	}
	// the open transaction began before, and ends now; then one that has nothing but its marker
	from := p.at
	end(true)
	if got, err := p.take(t, 7); err != nil || got[0] != "10.0" {
		t.Error(got, err)
	}
	eventually(t, "that the marker is passed", func() bool { return p.beat(t, time.Second) != nil || p.at == from+8 })
}

// TestCompacted: a bounded read ends where compaction has left few records, and none at the end.
func TestCompacted(t *testing.T) {
	cluster := kafkatest.Cluster(t)
	config := map[string]string{"cleanup.policy": "compact", "segment.ms": "1", "min.cleanable.dirty.ratio": "0"}
	if err := cluster.CreateTopic("orders", 1, config); err != nil {
		t.Fatal(err)
	}
	c := kafkatest.Client(t, cluster)
	ctx := kafkatest.Context(t)
	w, err := produce.Open(ctx, c, produce.Options{Topic: "orders", BatchBytes: 400, Transactions: []string{"w"}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close(ctx)
	for round, commit := range []bool{true, false} {
		for i := range 300 {
			if err := w.Send(ctx, &produce.Message{Key: fmt.Append(nil, "k", i%5), Value: fmt.Append(nil, round, ".", i), Timestamp: time.Now().UnixMilli()}); err != nil {
				t.Fatal(err)
			}
		}
		done, err := w.Prepare(ctx)
		if err == nil {
			err = done.End(ctx, c, commit)
		}
		if err != nil {
			t.Fatal(err)
		}
		cluster.Compact()
	}
	r, _, err := open(t, source(cluster, func(o *SourceOptions) { o.Stop = &Stop{At: "latest"} }))
	if err != nil {
		t.Fatal(err)
	}
	p := read(r, 0)
	got, err := p.rest(t)
	if n := len(got); err != nil || n < 5 || n > 100 || got[n-1] != "0.299" {
		t.Error(got, err)
	}
}
