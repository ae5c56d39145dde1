package produce

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/recordbatch"
)

// TestFlushOfParts: a batch is done when all parts of it are that a refusal has made, and not before.
func TestFlushOfParts(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"), kfake.BrokerConfigs(map[string]string{"message.max.bytes": "1000"}))
	c := kafkatest.Client(t, cluster)
	var mutex sync.Mutex
	refused := 0
	p, err := Open(kafkatest.Context(t), c, Options{Topic: "out", Refused: func(Refused) { mutex.Lock(); refused++; mutex.Unlock() }})
	if err != nil {
		t.Fatal(err)
	}
	good := int64(0)
	for round := range 30 {
		for i := range 1 + round {
			m := Message{Value: make([]byte, 100)}
			if round%3 == 0 && i%2 == 0 {
				m.Value = make([]byte, 2000)
			} else {
				good++
			}
			if err := p.Send(kafkatest.Context(t), &m); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.Flush(kafkatest.Context(t)); err != nil {
			t.Fatal(err)
		}
		if got := cluster.PartitionInfo("out", 0).HighWatermark; got != good || p.pending != 0 {
			t.Fatalf("round %d: %d records, want %d; %d pending", round, got, good, p.pending)
		}
	}
	if part := p.partitions[0]; part.begun != part.done || refused == 0 {
		t.Errorf("%d batches begun, %d done, %d records refused", part.begun, part.done, refused)
	}
	if err := p.Close(kafkatest.Context(t)); err != nil {
		t.Error(err)
	}
}

// TestRefusedAfterLoss: the broker refuses a record of a batch, and has forgotten the producer when the rest comes.
func TestRefusedAfterLoss(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"), kfake.BrokerConfigs(map[string]string{"message.max.bytes": "1000"}))
	c := kafkatest.Client(t, cluster)
	p, err := Open(kafkatest.Context(t), c, Options{Topic: "out", Refused: func(Refused) {}})
	if err != nil {
		t.Fatal(err)
	}
	send := func(values ...string) {
		for _, v := range values {
			if err := p.Send(kafkatest.Context(t), &Message{Key: []byte("k"), Value: []byte(v)}); err != nil {
				t.Fatal(err)
			}
		}
	}
	large := string(make([]byte, 2000))
	send("a")
	if err := p.Flush(kafkatest.Context(t)); err != nil {
		t.Fatal(err)
	}
	cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.UnknownProducerID, Count: patience + 1, When: func(r kmsg.Request) bool {
		set := r.(*kmsg.ProduceRequest).Topics[0].Partitions[0].Records
		return len(set) < 500 // not the whole batch, which is refused first
	}})
	send("b", "c", large, "d")
	p.Hasten()
	for range 50 {
		send("e", large, "f")
		time.Sleep(100 * time.Microsecond)
	}
	if err := p.Close(kafkatest.Context(t)); err != nil {
		t.Error(err)
	}
	got := kafkatest.Read(t, c, "out", 0, 0, true)
	want := "[a b c d"
	for range 50 {
		want += " e f"
	}
	if fmt.Sprint(got) != want+"]" {
		t.Errorf("%q", got)
	}
	if p.partitions[0].identity == p.sessions[0].Producer {
		t.Error("the producer has kept its identity")
	}
}

// TestBatchesBecomeSmaller: where the broker takes less than a batch has, not every batch is refused.
func TestBatchesBecomeSmaller(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"), kfake.BrokerConfigs(map[string]string{"message.max.bytes": "100000"}))
	c := kafkatest.Client(t, cluster)
	p, err := Open(kafkatest.Context(t), c, Options{Topic: "out", Compression: recordbatch.None})
	if err != nil {
		t.Fatal(err)
	}
	for range 5000 {
		if err := p.Send(kafkatest.Context(t), &Message{Key: []byte("k"), Value: make([]byte, 1000)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(kafkatest.Context(t)); err != nil {
		t.Error(err)
	}
	if p.batchBytes >= 100_000 || p.batchBytes < smallBatch || cluster.PartitionInfo("out", 0).HighWatermark != 5000 {
		t.Errorf("batches of %d bytes, %d records", p.batchBytes, cluster.PartitionInfo("out", 0).HighWatermark)
	}
}

// TestSessionsKeepSequences: under each id the numbers go on where they were.
func TestSessionsKeepSequences(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(2), kfake.SeedTopics(2, "out"))
	c := kafkatest.Client(t, cluster)
	p, err := Open(kafkatest.Context(t), c, Options{Topic: "out", Transactions: []string{"a", "b", "c"}, Untouched: "c"})
	if err != nil {
		t.Fatal(err)
	}
	if p.sessions[2].known {
		t.Error("an id was taken over before its turn")
	}
	for i := range 12 {
		for k := range i + 1 {
			if err := p.Send(kafkatest.Context(t), &Message{Key: fmt.Append(nil, k), Value: []byte("v")}); err != nil {
				t.Fatal(err)
			}
		}
		done, err := p.Prepare(kafkatest.Context(t))
		if err != nil || done.ID != string(rune('a'+i%3)) || done.Records != int64(i+1) {
			t.Fatalf("%+v, %v", done, err)
		}
		if err := done.End(kafkatest.Context(t), c, i%4 != 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Close(kafkatest.Context(t)); err != nil {
		t.Error(err)
	}
	n := len(kafkatest.Read(t, c, "out", 0, 0, true)) + len(kafkatest.Read(t, c, "out", 1, 0, true))
	if n != 78-2-6-10 {
		t.Errorf("%d records are committed", n)
	}
}
