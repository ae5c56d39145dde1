package kafkatest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/produce"
	"tidemark/io/kafkaio/internal/recordbatch"
)

// These tests run against the broker at TIDEMARK_KAFKA, host:port, and without it against one in this process. With
// TIDEMARK_KAFKA_RESTART, a command line, the broker is restarted in the middle; with TIDEMARK_KAFKA_TLS, the folder of
// the PEM files, its secure ports, which follow the first one, are tried too.

func broker(t testing.TB) string {
	if address := os.Getenv("TIDEMARK_KAFKA"); address != "" {
		return address
	}
	return kafkatest.Cluster(t).ListenAddrs()[0]
}

// readAll reads the partitions of a topic up to their stable ends.
func readAll(t *testing.T, c *client.Client, topic string, partitions int32, from int64, committed bool) (records []produce.Message) {
	t.Helper()
	for n := range partitions {
		at := client.TopicPartition{Topic: topic, Partition: n}
		end := client.Latest
		if committed {
			end = client.Stable
		}
		ends, err := c.Offsets(kafkatest.Context(t), []client.TopicPartition{at}, end)
		if err != nil {
			t.Fatal(err)
		}
		p := consume.Open(c, consume.Options{TopicPartition: at, Offset: from, Committed: committed, MaxBytes: 4000})
		for next := from; next < ends[at]; {
			f, err := p.Next(kafkatest.Context(t))
			if err != nil {
				t.Fatal(err)
			}
			next, err = recordbatch.Walk(f.Set, f.From, f.Aborted, func(r *recordbatch.Record) error {
				records = append(records, produce.Message{Key: slices.Clone(r.Key), Value: slices.Clone(r.Value), Headers: r.AppendHeaders(nil), Timestamp: r.Timestamp})
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			f.Release()
		}
		p.Close()
	}
	return records
}

func open(t *testing.T, c *client.Client, o produce.Options) *produce.Producer {
	t.Helper()
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

func send(t *testing.T, p *produce.Producer, messages ...produce.Message) {
	t.Helper()
	for _, m := range messages {
		if err := p.Send(kafkatest.Context(t), &m); err != nil {
			t.Fatal(err)
		}
	}
}

func flush(t *testing.T, p *produce.Producer) {
	t.Helper()
	if err := p.Flush(kafkatest.Context(t)); err != nil {
		t.Fatal(err)
	}
}

func TestBrokerRoundTrip(t *testing.T) {
	address := broker(t)
	c := kafkatest.Open(t, client.Options{Brokers: []string{address}})
	if err := c.Reach(kafkatest.Context(t), 5*time.Second); err != nil {
		t.Fatal(err)
	}
	now := time.Now().UnixMilli()
	for codec := recordbatch.None; codec <= recordbatch.Zstd; codec++ {
		topic := kafkatest.Topic(t, address, 2)
		p := open(t, c, produce.Options{Topic: topic, Compression: codec})
		var want []string
		for i := range 2000 {
			m := produce.Message{Key: fmt.Appendf(nil, "k%d", i%10), Value: fmt.Appendf(nil, "value %d", i), Timestamp: now + int64(i%7)}
			switch i % 10 {
			case 3:
				m.Value = nil
			case 4:
				m.Value = []byte{}
			case 5:
				m.Headers = []recordbatch.Header{{Name: "h", Value: []byte("1")}, {Name: "h"}, {Value: []byte{}}}
			}
			send(t, p, m)
			want = append(want, fmt.Sprintf("%v %v", m, m.Value == nil))
		}
		flush(t, p)
		var got []string
		for _, m := range readAll(t, c, topic, 2, 0, true) {
			got = append(got, fmt.Sprintf("%v %v", m, m.Value == nil))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %d records, want %d", codec, len(got), len(want))
		}
	}
}

func TestBrokerTransactions(t *testing.T) {
	address := broker(t)
	c := kafkatest.Open(t, client.Options{Brokers: []string{address}})
	topic := kafkatest.Topic(t, address, 2)
	p := open(t, c, produce.Options{Topic: topic, Transactions: []string{topic + "-0"}, Compression: recordbatch.LZ4})
	for i := range 10 {
		for k := range 70 {
			send(t, p, produce.Message{Key: fmt.Append(nil, k), Value: fmt.Append(nil, i), Timestamp: 1})
		}
		done, err := p.Prepare(kafkatest.Context(t))
		if err != nil {
			t.Fatal(err)
		}
		other := c
		if i == 4 { // by another process
			other = kafkatest.Open(t, client.Options{Brokers: []string{address}})
		}
		for range 1 + i%2 {
			if err := done.End(kafkatest.Context(t), other, i%3 != 2); err != nil {
				t.Fatal(err)
			}
		}
	}
	count := map[string]int{}
	for _, m := range readAll(t, c, topic, 2, 0, true) {
		count[string(m.Value)]++
	}
	if fmt.Sprint(count) != "map[0:70 1:70 3:70 4:70 6:70 7:70 9:70]" {
		t.Errorf("%v", count)
	}
	if n := len(readAll(t, c, topic, 2, 0, false)); n != 700 {
		t.Errorf("%d uncommitted", n)
	}
}

func TestBrokerOffsets(t *testing.T) {
	address := broker(t)
	c := kafkatest.Open(t, client.Options{Brokers: []string{address}})
	topic := kafkatest.Topic(t, address, 1)
	kafkatest.Write(t, c, topic, 0, "a", "b", "c")
	at := client.TopicPartition{Topic: topic}
	for _, want := range []struct {
		at     client.At
		offset int64
	}{{client.Earliest, 0}, {client.Latest, 3}, {client.Stable, 3}, {1001, 1}, {5000, 3}} {
		if got, err := c.Offsets(kafkatest.Context(t), []client.TopicPartition{at}, want.at); err != nil || got[at] != want.offset {
			t.Errorf("at %d: %v, %v", want.at, got, err)
		}
	}
	if got, err := c.Committed(kafkatest.Context(t), topic, []client.TopicPartition{at}); err != nil || len(got) != 0 {
		t.Error(got, err)
	}
	if err := c.Commit(kafkatest.Context(t), topic, map[client.TopicPartition]int64{at: 2}); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Committed(kafkatest.Context(t), topic, []client.TopicPartition{at}); err != nil || got[at] != 2 {
		t.Error(got, err)
	}
	known, err := c.Topics(kafkatest.Context(t), []string{topic})
	if err != nil || known[0].ID == (client.TopicID{}) {
		t.Errorf("%+v, %v", known, err)
	}
	p := consume.Open(c, consume.Options{TopicPartition: at, Offset: 10})
	defer p.Close()
	_, err = p.Next(kafkatest.Context(t))
	var outside *consume.OutOfRangeError
	if !errors.As(err, &outside) || outside.Records() != 7 {
		t.Error(err)
	}
}

func TestBrokerRefuses(t *testing.T) {
	address := broker(t)
	c := kafkatest.Open(t, client.Options{Brokers: []string{address}})
	topic := kafkatest.Topic(t, address, 1, kafka.ConfigEntry{ConfigName: "max.message.bytes", ConfigValue: "4000"})
	var refused []produce.Refused
	p := open(t, c, produce.Options{Topic: topic, Refused: func(r produce.Refused) { refused = append(refused, r) }})
	for i := range 100 {
		n := 100
		if i%30 == 10 {
			n = 5000
		}
		send(t, p, produce.Message{Value: make([]byte, n), Timestamp: time.Now().UnixMilli()})
	}
	flush(t, p)
	if len(refused) != 3 || len(readAll(t, c, topic, 1, 0, true)) != 97 {
		t.Errorf("%d were refused", len(refused))
	}
}

// TestBrokerRestart: records written and read over a restart are there once, in order, those too that were stored and whose
// confirmation was lost. Their time is now, for brokers that start again forget producers of old records.
func TestBrokerRestart(t *testing.T) {
	var gate kafkatest.Gate
	address := broker(t)
	restart := func() error { gate.Cut(); return nil }
	if line := os.Getenv("TIDEMARK_KAFKA_RESTART"); line != "" {
		restart = func() error { return exec.Command("bash", "-c", line).Run() }
	}
	c := kafkatest.Open(t, client.Options{Brokers: []string{address}, Dial: gate.Dial, Notify: func(n client.Notice) { t.Log(n) }})
	topic := kafkatest.Topic(t, address, 1)
	p := open(t, c, produce.Options{Topic: topic, BatchBytes: 1000})
	reader := consume.Open(c, consume.Options{TopicPartition: client.TopicPartition{Topic: topic}, Committed: true})
	defer reader.Close()
	const n = 3000
	failed, sent := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(sent)
		for i := range n {
			if i == n/2 {
				gate.Mute()
			}
			if i == n/2+50 {
				go func() { failed <- restart() }()
			}
			if err := p.Send(context.Background(), &produce.Message{Value: fmt.Append(nil, i), Timestamp: time.Now().UnixMilli()}); err != nil {
				t.Error(err)
				return
			}
			time.Sleep(time.Millisecond)
		}
		if err := p.Flush(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	for next := 0; next < n; {
		f, err := reader.Next(ctx)
		if err != nil {
			t.Fatal(err)
		}
		_, err = recordbatch.Walk(f.Set, f.From, f.Aborted, func(r *recordbatch.Record) error {
			if string(r.Value) != fmt.Sprint(next) {
				t.Fatalf("%s comes where %d should", r.Value, next)
			}
			next++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		f.Release()
	}
	if err := <-failed; err != nil {
		t.Error(err)
	}
	<-sent
}
