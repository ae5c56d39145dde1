package produce_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/produce"
	"tidemark/io/kafkaio/internal/recordbatch"
)

func open(t testing.TB, c *client.Client, o produce.Options) *produce.Producer {
	t.Helper()
	if o.Topic == "" {
		o.Topic = "out"
	}
	p, err := produce.Open(kafkatest.Context(t), c, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		p.Close(ctx)
	})
	return p
}

func send(t testing.TB, p *produce.Producer, values ...string) {
	t.Helper()
	for _, v := range values {
		if err := p.Send(kafkatest.Context(t), &produce.Message{Value: []byte(v), Timestamp: 1000}); err != nil {
			t.Fatal(err)
		}
	}
}

func flush(t testing.TB, p *produce.Producer) {
	t.Helper()
	if err := p.Flush(kafkatest.Context(t)); err != nil {
		t.Fatal(err)
	}
}

func TestRecords(t *testing.T) {
	for codec := recordbatch.None; codec <= recordbatch.Zstd; codec++ {
		cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
		c := kafkatest.Client(t, cluster)
		p := open(t, c, produce.Options{Compression: codec})
		want := produce.Message{Key: []byte("k"), Value: []byte(strings.Repeat("v", 1000)), Timestamp: -5,
			Headers: []recordbatch.Header{{Name: "h", Value: []byte("1")}, {Name: "h"}, {Value: []byte{}}}}
		for _, m := range []produce.Message{want, {Key: []byte("k"), Timestamp: 3}, {Value: []byte{}}} {
			if err := p.Send(kafkatest.Context(t), &m); err != nil {
				t.Fatal(err)
			}
		}
		flush(t, p)
		a, err := c.Fetch(kafkatest.Context(t), client.FetchRequest{TopicPartition: client.TopicPartition{Topic: "out"}, MaxBytes: 1 << 20}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []produce.Message
		recordbatch.Walk(a.Set, 0, nil, func(r *recordbatch.Record) error {
			got = append(got, produce.Message{Key: r.Key, Value: append([]byte(nil), r.Value...), Headers: r.AppendHeaders(nil), Timestamp: r.Timestamp})
			if (r.Value == nil) != (len(got) == 2) {
				t.Errorf("record %d: null is %v", len(got), r.Value == nil)
			}
			return nil
		})
		if len(got) != 3 || fmt.Sprint(got[0]) != fmt.Sprint(want) || got[1].Timestamp != 3 {
			t.Errorf("%s: %v", codec, got)
		}
	}
}

// TestLinger: a record leaves by itself, soon.
func TestLinger(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	c := kafkatest.Client(t, cluster)
	p := open(t, c, produce.Options{})
	send(t, p, "warm")
	flush(t, p)
	started := time.Now()
	send(t, p, "a")
	for cluster.PartitionInfo("out", 0).HighWatermark < 2 {
		time.Sleep(time.Millisecond)
		if time.Since(started) > 5*time.Second {
			t.Fatal("it never left")
		}
	}
	if took := time.Since(started); took < 5*time.Millisecond || took > time.Second {
		t.Errorf("it took %s", took)
	}
}

// TestOnceInOrder: whatever goes wrong, every record is stored once, and those of a key in order.
func TestOnceInOrder(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(3), kfake.SeedTopics(4, "out"))
	var gate kafkatest.Gate
	c := kafkatest.Open(t, client.Options{Brokers: cluster.ListenAddrs(), Dial: gate.Dial})
	p := open(t, c, produce.Options{BatchBytes: 2000, Linger: time.Millisecond})
	faults := []*kerr.Error{kerr.NotEnoughReplicasAfterAppend, kerr.RequestTimedOut, kerr.NotLeaderForPartition, kerr.NotEnoughReplicas,
		kerr.LeaderNotAvailable, kerr.OutOfOrderSequenceNumber, kerr.UnknownProducerID}
	const keys, each = 7, 400
	for i := range each {
		for k := range keys {
			key := fmt.Sprint("key", k)
			err := p.Send(kafkatest.Context(t), &produce.Message{Key: []byte(key), Value: fmt.Appendf(nil, "%s-%d", key, i)})
			if err != nil {
				t.Fatal(err)
			}
		}
		switch {
		case i%40 == 10:
			cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Topic: "out", Err: faults[i/40%len(faults)], Count: 2})
		case i%40 == 20:
			cluster.MoveTopicPartition("out", rand.Int32N(4), rand.Int32N(3))
		case i%40 == 30:
			gate.Cut()
		}
	}
	flush(t, p)
	next := make(map[string]int)
	total := 0
	for partition := range int32(4) {
		for _, v := range kafkatest.Read(t, c, "out", partition, 0, true) {
			key, i, _ := strings.Cut(v, "-")
			if i != fmt.Sprint(next[key]) {
				t.Fatalf("%s comes where %d should", v, next[key])
			}
			next[key]++
			total++
		}
	}
	if total != keys*each {
		t.Errorf("%d records, want %d", total, keys*each)
	}
}

// TestForgotten: a broker that has lost a producer's state gets the records under a new identity.
func TestForgotten(t *testing.T) {
	for _, code := range []*kerr.Error{kerr.OutOfOrderSequenceNumber, kerr.UnknownProducerID, kerr.InvalidProducerEpoch} {
		cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
		c := kafkatest.Client(t, cluster)
		p := open(t, c, produce.Options{})
		send(t, p, "a")
		flush(t, p)
		fault := cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: code, Count: 5})
		for _, v := range []string{"b", "c", "d"} {
			send(t, p, v)
			flush(t, p)
		}
		if got := kafkatest.Read(t, c, "out", 0, 0, true); fmt.Sprint(got) != "[a b c d]" || fault.Hits() != 5 {
			t.Errorf("%s: %q after %d faults", code.Message, got, fault.Hits())
		}
	}
}

// TestManySenders: what each of several goroutines sends is there once, in its order.
func TestManySenders(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(2), kfake.SeedTopics(3, "out"))
	c := kafkatest.Client(t, cluster)
	p := open(t, c, produce.Options{BatchBytes: 3000, Compression: recordbatch.Snappy})
	const senders, each = 8, 500
	var all sync.WaitGroup
	for s := range senders {
		all.Go(func() {
			for i := range each {
				m := produce.Message{Key: fmt.Append(nil, s), Value: fmt.Appendf(nil, "%d-%d", s, i)}
				if err := p.Send(context.Background(), &m); err != nil {
					t.Error(err)
				}
				if i%100 == 50 {
					p.Flush(context.Background())
				}
			}
		})
	}
	all.Wait()
	flush(t, p)
	next := make(map[string]int)
	for partition := range int32(3) {
		for _, v := range kafkatest.Read(t, c, "out", partition, 0, true) {
			s, i, _ := strings.Cut(v, "-")
			if i != fmt.Sprint(next[s]) {
				t.Fatalf("%s comes where %d should", v, next[s])
			}
			next[s]++
		}
	}
	if len(next) != senders || next["0"] != each || next["7"] != each {
		t.Errorf("%v", next)
	}
}

// TestPartitions: records without a key are spread.
func TestPartitions(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(6, "out"))
	c := kafkatest.Client(t, cluster)
	p := open(t, c, produce.Options{BatchBytes: 500})
	send(t, p, strings.Split(strings.Repeat("x ", 1000), " ")...)
	flush(t, p)
	used := 0
	for _, info := range cluster.PartitionInfos("out") {
		if info.HighWatermark > 0 {
			used++
		}
	}
	if used != 6 {
		t.Errorf("records without a key are in %d partitions", used)
	}
}

func TestTooLarge(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"), kfake.BrokerConfigs(map[string]string{"message.max.bytes": "5000"}))
	c := kafkatest.Client(t, cluster)
	var mutex sync.Mutex
	var refused []produce.Refused
	p := open(t, c, produce.Options{Refused: func(r produce.Refused) {
		mutex.Lock()
		defer mutex.Unlock()
		refused = append(refused, r)
	}})
	var want []string
	for i := range 60 {
		v := fmt.Sprint(i)
		if i%20 == 7 {
			v = strings.Repeat("x", 6000)
		} else {
			want = append(want, v)
		}
		send(t, p, v)
	}
	flush(t, p)
	if got := kafkatest.Read(t, c, "out", 0, 0, true); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%q", got)
	}
	if len(refused) != 3 || len(refused[0].Value) != 6000 {
		t.Fatalf("%d were refused", len(refused))
	}
	var why *produce.RefusedError
	if !errors.As(refused[0].Err, &why) || !strings.Contains(why.Error(), "larger than the broker takes") {
		t.Error(refused[0].Err)
	}
}

// TestNamedRecords: where the broker says which records it does not want, only those are given back.
func TestNamedRecords(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	c := kafkatest.Client(t, cluster)
	var refused []produce.Refused
	p := open(t, c, produce.Options{Refused: func(r produce.Refused) { refused = append(refused, r) }})
	cluster.ControlKey(int16(kmsg.Produce), func(request kmsg.Request) (kmsg.Response, error, bool) {
		answer := request.ResponseKind().(*kmsg.ProduceResponse)
		topic, partition := kmsg.NewProduceResponseTopic(), kmsg.NewProduceResponseTopicPartition()
		topic.Topic, partition.ErrorCode = "out", kerr.InvalidRecord.Code
		why := "no key"
		for _, index := range []int32{1, 99} {
			record := kmsg.NewProduceResponseTopicPartitionErrorRecord()
			record.RelativeOffset, record.ErrorMessage = index, &why
			partition.ErrorRecords = append(partition.ErrorRecords, record)
		}
		topic.Partitions = append(topic.Partitions, partition)
		answer.Topics = append(answer.Topics, topic)
		return answer, nil, true
	})
	send(t, p, "a", "b", "c")
	flush(t, p)
	if got := kafkatest.Read(t, c, "out", 0, 0, true); fmt.Sprint(got) != "[a c]" {
		t.Errorf("%q", got)
	}
	if len(refused) != 1 || string(refused[0].Value) != "b" || !strings.Contains(refused[0].Err.Error(), "no key") {
		t.Errorf("%v", refused)
	}
}

func TestNobodyTakesRefused(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"), kfake.BrokerConfigs(map[string]string{"message.max.bytes": "5000"}))
	p := open(t, kafkatest.Client(t, cluster), produce.Options{})
	send(t, p, strings.Repeat("x", 6000))
	var why *produce.RefusedError
	if err := p.Flush(kafkatest.Context(t)); !errors.As(err, &why) {
		t.Error(err)
	}
	if err := p.Send(kafkatest.Context(t), &produce.Message{}); !errors.As(err, &why) {
		t.Error(err)
	}
}

// TestBackPressure: while the broker is away, Send takes two batches and then waits.
func TestBackPressure(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	var gate kafkatest.Gate
	c := kafkatest.Open(t, client.Options{Brokers: cluster.ListenAddrs(), Dial: gate.Dial})
	p := open(t, c, produce.Options{BatchBytes: 1000})
	send(t, p, "first")
	flush(t, p)
	gate.Shut()
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	var taken atomic.Int32
	var err error
	for err == nil {
		if err = p.Send(ctx, &produce.Message{Value: make([]byte, 100)}); err == nil {
			taken.Add(1)
		}
	}
	if n := taken.Load(); !errors.Is(err, context.DeadlineExceeded) || n < 6 || n > 30 {
		t.Errorf("%d records were taken, then %v", n, err)
	}
	gate.Open()
	flush(t, p)
	if got := cluster.PartitionInfo("out", 0).HighWatermark; got != int64(taken.Load())+1 {
		t.Errorf("%d records, want %d", got, taken.Load()+1)
	}
}

func TestDeliveryTimeout(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	p := open(t, kafkatest.Client(t, cluster), produce.Options{DeliveryTimeout: 100 * time.Millisecond})
	cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Err: kerr.NotEnoughReplicas, Count: -1})
	send(t, p, "a")
	err := p.Flush(kafkatest.Context(t))
	var late *produce.TimeoutError
	if !errors.As(err, &late) || late.Records != 1 {
		t.Error(err)
	}
}

func TestClose(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	var gate kafkatest.Gate
	c := kafkatest.Open(t, client.Options{Brokers: cluster.ListenAddrs(), Dial: gate.Dial})
	p := open(t, c, produce.Options{})
	send(t, p, "a", "b")
	if err := p.Close(kafkatest.Context(t)); err != nil {
		t.Error(err)
	}
	if n := cluster.PartitionInfo("out", 0).HighWatermark; n != 2 {
		t.Errorf("%d records", n)
	}
	if err := p.Send(kafkatest.Context(t), &produce.Message{}); err != produce.ErrClosed {
		t.Error(err)
	}
	p = open(t, c, produce.Options{})
	gate.Shut()
	send(t, p, "c")
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	started := time.Now()
	err := p.Close(ctx)
	var unsent *produce.UnsentError
	if !errors.As(err, &unsent) || unsent.Records != 1 || time.Since(started) > 2*time.Second {
		t.Errorf("%v after %s", err, time.Since(started))
	}
}

func TestNoTopic(t *testing.T) {
	cluster := kafkatest.Cluster(t)
	_, err := produce.Open(kafkatest.Context(t), kafkatest.Client(t, cluster), produce.Options{Topic: "nowhere"})
	var unknown *client.TopicError
	if !errors.As(err, &unknown) {
		t.Error(err)
	}
}
