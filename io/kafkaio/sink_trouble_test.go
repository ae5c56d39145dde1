package kafkaio

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/produce"
)

// troubles are what may happen to a cluster without anything being lost or doubled.
var troubles = []struct {
	name string
	do   func(cluster *kfake.Cluster, gate *kafkatest.Gate)
}{
	{"error after the write", faults(kerr.NotEnoughReplicasAfterAppend, 1)},
	{"no answer in time", faults(kerr.RequestTimedOut, 1)},
	{"too few replicas", faults(kerr.NotEnoughReplicas, 2)},
	{"no leader", faults(kerr.LeaderNotAvailable, 1)},
	{"leader moves", func(cluster *kfake.Cluster, _ *kafkatest.Gate) {
		cluster.MoveTopicPartition("out", 0, rand.Int32N(3))
	}},
	{"connections are cut", func(_ *kfake.Cluster, gate *kafkatest.Gate) { gate.Cut() }},
	{"cluster is away", func(_ *kfake.Cluster, gate *kafkatest.Gate) {
		gate.Shut()
		time.AfterFunc(30*time.Millisecond, gate.Open)
	}},
}

func faults(code *kerr.Error, count int) func(*kfake.Cluster, *kafkatest.Gate) {
	return func(cluster *kfake.Cluster, _ *kafkatest.Gate) {
		cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Topic: "out", Err: code, Count: count})
	}
}

// TestTroubles: every record is stored once and in its order.
func TestTroubles(t *testing.T) {
	for _, trouble := range troubles {
		for _, delivery := range []string{"at_least_once", "exactly_once"} {
			t.Run(trouble.name+", "+delivery, func(t *testing.T) {
				cluster := kafkatest.Cluster(t, kfake.NumBrokers(3), kfake.SeedTopics(1, "out"))
				var gate kafkatest.Gate
				out := openSink(t, sinkTo(cluster, func(o *SinkOptions) { o.Delivery, o.dial = delivery, gate.Dial }), testEnvironment)
				var want []string
				for i := range 60 {
					v := fmt.Sprintf("k=%d", i)
					want = append(want, v)
					writeAll(t, out, v)
					out.Flush()
					if i%20 == 10 {
						trouble.do(cluster, &gate)
					}
				}
				commit(t, out)
				if got := stored(t, cluster, true); got != strings.Join(want, " ") {
					t.Errorf("%s", got)
				}
			})
		}
	}
}

// TestRefused: what a broker does not take is given back, and the run goes on.
func TestRefused(t *testing.T) {
	for _, delivery := range []string{"at_least_once", "exactly_once"} {
		cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"), kfake.BrokerConfigs(map[string]string{"message.max.bytes": "5000"}))
		out := openSink(t, sinkTo(cluster, func(o *SinkOptions) { o.Delivery, o.Compression = delivery, "none" }), testEnvironment)
		large := connector.Record{Key: []byte{}, Value: []byte(strings.Repeat("x", 6000)), Time: 42,
			Headers: []connector.Header{{Name: "h", Value: []byte("1")}, {Name: "null"}}}
		var want []string
		for i := range 60 {
			v := fmt.Sprint("k=", i)
			want = append(want, v)
			writeAll(t, out, v)
			if i%20 == 7 {
				if err := out.WriteRecord(&large); err != nil {
					t.Fatal(err)
				}
			}
		}
		commit(t, out)
		if got := stored(t, cluster, true); got != strings.Join(want, " ") {
			t.Errorf("%s", got)
		}
		refused := out.TakeRefused()
		if len(refused) != 3 || len(out.TakeRefused()) != 0 {
			t.Fatalf("%d were refused", len(refused))
		}
		r := refused[0]
		if r.Key == nil || fmt.Sprint(r.Record) != fmt.Sprint(large) || !strings.Contains(r.Reason, "larger than the broker takes") {
			t.Errorf("%v of %d bytes, key %v: %s", r.Headers, len(r.Value), r.Key, r.Reason)
		}
	}
}

// TestBackPressure: while the cluster is away a bounded amount is taken, then writing waits and says for how long.
func TestBackPressure(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(2, "out"))
	var gate kafkatest.Gate
	out := openSink(t, sinkTo(cluster, func(o *SinkOptions) { o.dial = gate.Dial }), testEnvironment)
	writeAll(t, out, "first")
	if out.Waited() != 0 {
		t.Error(out.Waited())
	}
	gate.Shut()
	const size, count = 1 << 10, 20_000
	var wrote sync.WaitGroup
	var before, during runtime.MemStats
	runtime.ReadMemStats(&before)
	wrote.Go(func() {
		for range count {
			if err := out.WriteRecord(&connector.Record{Value: make([]byte, size)}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for out.Waited() < 0.05 { // it rises while a call waits
		time.Sleep(5 * time.Millisecond)
	}
	runtime.GC()
	runtime.ReadMemStats(&during)
	if more := int64(during.HeapAlloc) - int64(before.HeapAlloc); more > 12<<20 {
		t.Errorf("%d bytes are held while %d wait", more, count*size)
	}
	gate.Open()
	wrote.Wait()
	after := out.Waited()
	commit(t, out)
	if out.Waited() != after {
		t.Error("Commit is no waiting for room")
	}
	var total int64
	for _, p := range cluster.PartitionInfos("out") {
		total += p.HighWatermark
	}
	if total != count+1 {
		t.Errorf("%d records, want %d", total, count+1)
	}
}

// TestSettle: what was written before is stored afterwards, though writing never stops.
func TestSettle(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(2), kfake.SeedTopics(3, "out"),
		kfake.BrokerConfigs(map[string]string{"message.max.bytes": "20000"}))
	out := openSink(t, sinkTo(cluster, func(o *SinkOptions) { o.Compression = "none" }), testEnvironment)
	cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Topic: "out", Err: kerr.NotEnoughReplicasAfterAppend,
		Count: -1, When: func(kmsg.Request) bool { return rand.IntN(8) == 0 }})
	var mutex sync.Mutex
	written, stop := 0, false
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := 0; ; i++ {
			v := fmt.Sprint(i)
			if i%50 == 9 {
				v = strings.Repeat("x", 30_000)
			}
			if err := out.WriteRecord(&connector.Record{Key: fmt.Append(nil, i%10), Value: []byte(v)}); err != nil {
				t.Error(err)
				return
			}
			mutex.Lock()
			if written++; stop {
				mutex.Unlock()
				return
			}
			mutex.Unlock()
			if i%20 == 0 {
				time.Sleep(100 * time.Microsecond)
			}
		}
	})
	refused := 0
	for least := 0; least < 5000; {
		mutex.Lock()
		least = written
		mutex.Unlock()
		if err := out.(connector.Settler).Settle(kafkatest.Context(t)); err != nil {
			t.Fatal(err)
		}
		refused += len(out.TakeRefused())
		missing := least - refused
		for _, p := range cluster.PartitionInfos("out") {
			missing -= int(p.HighWatermark)
		}
		if missing > 0 {
			t.Errorf("%d of %d records are missing after Settle", missing, least)
		}
	}
	mutex.Lock()
	stop = true
	mutex.Unlock()
	writing.Wait()
	commit(t, out)
	if err := out.(connector.Settler).Settle(kafkatest.Context(t)); err != nil {
		t.Errorf("after Commit: %v", err)
	}
}

// TestSettleEnds: with the cluster away it ends when its context does, and when the run fails.
func TestSettleEnds(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	var gate kafkatest.Gate
	out := openSink(t, sinkTo(cluster, func(o *SinkOptions) { o.dial, o.DeliveryTimeout = gate.Dial, 150 }), testEnvironment)
	gate.Shut()
	writeAll(t, out, "a")
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	if err := out.(connector.Settler).Settle(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	var late *produce.TimeoutError
	for _, err := range []error{out.(connector.Settler).Settle(kafkatest.Context(t)), out.Flush(), out.WriteRecord(&connector.Record{}), out.Commit()} {
		if !errors.As(err, &late) || late.Records != 1 {
			t.Error(err)
		}
	}
}

// TestAbortQuick: nobody waits for a cluster that is away.
func TestAbortQuick(t *testing.T) {
	for _, delivery := range []string{"at_least_once", "exactly_once"} {
		cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
		var gate kafkatest.Gate
		env := testEnvironment
		var mutex sync.Mutex
		var warned []string
		env.Warn = func(text string) {
			mutex.Lock()
			defer mutex.Unlock()
			warned = append(warned, text)
		}
		out := openSink(t, sinkTo(cluster, func(o *SinkOptions) { o.Delivery, o.dial = delivery, gate.Dial }), env)
		writeAll(t, out, "a")
		out.Flush()
		for stored(t, cluster, false) != "a" {
			time.Sleep(time.Millisecond)
		}
		gate.Shut()
		writeAll(t, out, "b")
		out.Flush()
		started := time.Now()
		if err := out.Abort(); err != nil || time.Since(started) > rollBackTimeout+time.Second {
			t.Errorf("%s: %v after %s", delivery, err, time.Since(started))
		}
		mutex.Lock()
		if told := strings.Contains(strings.Join(warned, "\n"), "could not be rolled back"); told != (delivery == "exactly_once") {
			t.Errorf("%s: %q", delivery, warned)
		}
		mutex.Unlock()
	}
}

// TestTopicGone: a topic that is deleted while it is written to ends the run, and says which it is.
func TestTopicGone(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	out := openSink(t, sinkTo(cluster, func(o *SinkOptions) { o.DeliveryTimeout = 100 }), testEnvironment)
	writeAll(t, out, "a")
	if err := out.(connector.Settler).Settle(kafkatest.Context(t)); err != nil {
		t.Fatal(err)
	}
	cluster.DeleteTopic("out")
	writeAll(t, out, "b")
	err := out.Commit()
	if !errors.Is(err, client.UnknownTopicOrPartition) || !strings.Contains(err.Error(), "out") {
		t.Error(err)
	}
}
