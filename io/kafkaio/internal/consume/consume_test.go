package consume_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/recordbatch"
)

var orders = client.TopicPartition{Topic: "orders", Partition: 0}

func options(from int64) consume.Options {
	return consume.Options{TopicPartition: orders, Offset: from, MaxWait: 20 * time.Millisecond, Gone: 200 * time.Millisecond, Patience: 5 * time.Second}
}

// take reads until n values have come or something is wrong.
func take(t *testing.T, p *consume.Partition, n int) (values []string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	for len(values) < n {
		f, err := p.Next(ctx)
		if err != nil {
			return values, err
		}
		next, err := recordbatch.Walk(f.Set, f.From, f.Aborted, func(r *recordbatch.Record) error {
			values = append(values, string(r.Value))
			return nil
		})
		if err != nil || next != f.Next {
			t.Errorf("walked to %d, the next fetch is at %d: %v", next, f.Next, err)
		}
		f.Release()
	}
	return values, nil
}

func numbers(from, to int) (s []string) {
	for i := from; i < to; i++ {
		s = append(s, fmt.Sprint(i))
	}
	return s
}

func TestReadsOn(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(3), kfake.SeedTopics(1, "orders"))
	c := kafkatest.Client(t, cluster)
	o := options(0)
	o.MaxBytes = 100 // about a batch a fetch
	p := consume.Open(c, o)
	defer p.Close()
	for round := range 12 {
		from := round * 10
		for i := from; i < from+10; i += 2 {
			kafkatest.Write(t, c, "orders", 0, numbers(i, i+2)...)
		}
		got, err := take(t, p, 10)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(numbers(from, from+10)) {
			t.Fatalf("%q, %v", got, err)
		}
		switch round % 3 {
		case 0:
			cluster.MoveTopicPartition("orders", 0, int32(round/3)%3)
		case 1:
			cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Err: kerr.NotLeaderForPartition, Count: 2})
		}
	}
}

// TestBrokerRestarts: the only broker goes away for a while, several times.
func TestBrokerRestarts(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	var gate kafkatest.Gate
	var bad, good atomic.Int32
	c := kafkatest.Open(t, client.Options{Brokers: cluster.ListenAddrs(), Dial: gate.Dial, Notify: func(n client.Notice) {
		if n.Err != nil {
			bad.Add(1)
		} else {
			good.Add(1)
		}
		t.Log(n)
	}})
	p := consume.Open(c, options(0))
	defer p.Close()
	for i := range 4 {
		kafkatest.Write(t, c, "orders", 0, fmt.Sprint(i))
		if got, err := take(t, p, 1); err != nil || got[0] != fmt.Sprint(i) {
			t.Fatal(got, err)
		}
		gate.Shut()
		time.Sleep(100 * time.Millisecond)
		gate.Open()
	}
	kafkatest.Write(t, c, "orders", 0, "end")
	if got, err := take(t, p, 1); err != nil || got[0] != "end" {
		t.Fatal(got, err)
	}
	if bad.Load() == 0 || bad.Load() != good.Load() {
		t.Errorf("%d notices that something is wrong, %d that it works", bad.Load(), good.Load())
	}
}

// TestPatience: a broker that stays away ends the reading.
func TestPatience(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	var gate kafkatest.Gate
	c := kafkatest.Open(t, client.Options{Brokers: cluster.ListenAddrs(), Dial: gate.Dial})
	o := options(0)
	o.Patience = 100 * time.Millisecond
	p := consume.Open(c, o)
	defer p.Close()
	kafkatest.Write(t, c, "orders", 0, "a")
	take(t, p, 1)
	gate.Shut()
	_, err := take(t, p, 1)
	var access *client.AccessError
	if !errors.As(err, &access) || access.Reason != client.Unreachable {
		t.Errorf("%v", err)
	}
}

func TestOutOfRange(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	c := kafkatest.Client(t, cluster)
	kafkatest.Write(t, c, "orders", 0, numbers(0, 5)...)
	kafkatest.Write(t, c, "orders", 0, numbers(5, 10)...)
	cluster.DeleteRecords("orders", 0, 5)
	for _, want := range []struct{ asked, records int64 }{{2, 3}, {14, 4}} {
		p := consume.Open(c, options(want.asked))
		_, err := take(t, p, 1)
		p.Close()
		var outside *consume.OutOfRangeError
		if !errors.As(err, &outside) || outside.Records() != want.records || outside.Earliest != 5 || outside.Latest != 10 {
			t.Errorf("from %d: %v", want.asked, err)
		}
		t.Log(err)
	}
}

func TestTopicGoes(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	c := kafkatest.Client(t, cluster)
	kafkatest.Write(t, c, "orders", 0, "a")
	topics, err := c.Topics(kafkatest.Context(t), []string{"orders"})
	if err != nil {
		t.Fatal(err)
	}
	for _, anew := range []bool{false, true} {
		o := options(0)
		if o.ID = topics[0].ID; anew {
			o.Gone = 10 * time.Second
		}
		p := consume.Open(c, o)
		take(t, p, 1)
		cluster.DeleteTopic("orders")
		if anew {
			time.Sleep(50 * time.Millisecond)
			cluster.CreateTopic("orders", 1, nil)
		}
		_, err := take(t, p, 1)
		p.Close()
		var gone *consume.GoneError
		var replaced *consume.ReplacedError
		var outside *consume.OutOfRangeError // it was made anew between two fetches
		if anew && !errors.As(err, &replaced) && !errors.As(err, &outside) || !anew && !errors.As(err, &gone) {
			t.Errorf("made anew %v: %v", anew, err)
		}
		t.Log(err)
		if !anew {
			cluster.CreateTopic("orders", 1, nil)
			kafkatest.Write(t, c, "orders", 0, "a")
			topics, _ = c.Topics(kafkatest.Context(t), []string{"orders"})
		}
	}
}

// TestCloses: neither a fetch that waits nor a result that nobody takes holds Close up.
func TestCloses(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	c := kafkatest.Client(t, cluster)
	o := options(0)
	o.MaxWait = 20 * time.Second
	p := consume.Open(c, o)
	time.Sleep(20 * time.Millisecond)
	started := time.Now()
	p.Close()
	kafkatest.Write(t, c, "orders", 0, "a")
	p = consume.Open(c, o)
	time.Sleep(20 * time.Millisecond)
	p.Close()
	if took := time.Since(started); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
	if _, err := p.Next(context.Background()); err == nil {
		t.Error("a closed partition gave something")
	}
}

// TestIdle: a partition that has nothing says so, again and again.
func TestIdle(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	c := kafkatest.Client(t, cluster)
	kafkatest.Write(t, c, "orders", 0, "a")
	p := consume.Open(c, options(1))
	defer p.Close()
	for range 3 {
		f, err := p.Next(kafkatest.Context(t))
		if err != nil || len(f.Set) != 0 || f.Next != 1 || f.HighWatermark != 1 || f.LastStable != 1 {
			t.Errorf("%+v, %v", f, err)
		}
	}
}
