package client_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/kafkatest"
)

func tp(topic string, partition int32) client.TopicPartition {
	return client.TopicPartition{Topic: topic, Partition: partition}
}

func TestWriteAndRead(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(3), kfake.SeedTopics(3, "orders"))
	c := kafkatest.Client(t, cluster)
	for p := range int32(3) {
		want := []string{fmt.Sprint("a", p), "b"}
		if at := kafkatest.Write(t, c, "orders", p, want...); at != 0 {
			t.Errorf("written at %d", at)
		}
		if got := kafkatest.Read(t, c, "orders", p, 0, true); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestOldBrokers(t *testing.T) {
	for _, v := range []*kversion.Versions{kversion.V1_0_0(), kversion.V2_0_0(), kversion.V2_8_0(), kversion.V3_9_0()} {
		cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"), kfake.MaxVersions(v))
		c := kafkatest.Client(t, cluster)
		kafkatest.Write(t, c, "orders", 0, "a")
		if got := kafkatest.Read(t, c, "orders", 0, 0, true); fmt.Sprint(got) != "[a]" {
			t.Errorf("%s: %q", v, got)
		}
		if ends, err := c.Offsets(kafkatest.Context(t), []client.TopicPartition{tp("orders", 0)}, client.Stable); err != nil || ends[tp("orders", 0)] != 1 {
			t.Error(ends, err)
		}
	}
}

func TestTopics(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(2), kfake.SeedTopics(2, "orders", "orders-late", "users"))
	c := kafkatest.Client(t, cluster)
	ctx := kafkatest.Context(t)
	topics, err := c.Topics(ctx, []string{"users", "nobody", "orders"})
	if err != nil || len(topics) != 3 || topics[0].Name != "users" || len(topics[2].Partitions) != 2 || topics[0].ID == (client.TopicID{}) {
		t.Fatalf("%+v, %v", topics, err)
	}
	var unknown *client.TopicError
	if !errors.As(topics[1].Err, &unknown) || unknown.Error() != `topic "nobody" does not exist: create it, or correct its name` {
		t.Errorf("%v", topics[1].Err)
	}
	pattern, err := client.Pattern("orders|orders-.*")
	if err != nil {
		t.Fatal(err)
	}
	matched, err := c.Match(ctx, pattern)
	if err != nil || len(matched) != 2 || matched[0].Name != "orders" || matched[1].Name != "orders-late" {
		t.Errorf("%+v, %v", matched, err)
	}
	for _, broken := range []string{"orders(", `\Qorders.`, "orders)|(x"} {
		if _, err := client.Pattern(broken); err == nil {
			t.Errorf("the broken pattern %s was taken", broken)
		}
	}
	cluster.DeleteTopic("orders")
	cluster.CreateTopic("orders", 2, nil)
	again, err := c.Topics(ctx, []string{"orders"})
	if err != nil {
		t.Fatal(err)
	}
	if changes := client.Compare(topics[2:], again); len(changes) != 1 || changes[0].Kind != client.TopicReplaced {
		t.Errorf("%v", changes)
	}
}

func TestOffsets(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(2), kfake.SeedTopics(2, "orders"))
	c := kafkatest.Client(t, cluster)
	ctx := kafkatest.Context(t)
	kafkatest.Write(t, c, "orders", 0, "a", "b", "c")
	cluster.DeleteRecords("orders", 0, 1)
	both := []client.TopicPartition{tp("orders", 0), tp("orders", 1)}
	for _, want := range []struct {
		at        client.At
		zero, one int64
	}{
		{client.Earliest, 1, 0}, {client.Latest, 3, 0}, {client.Stable, 3, 0}, {1002, 2, 0}, {1003, 3, 0},
	} {
		got, err := c.Offsets(ctx, both, want.at)
		if err != nil || got[both[0]] != want.zero || got[both[1]] != want.one {
			t.Errorf("at %d: %v, %v", want.at, got, err)
		}
	}
	cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.ListOffsets}, Err: kerr.NotLeaderForPartition, Count: 2})
	if got, err := c.Offsets(ctx, both, client.Latest); err != nil || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestGroupOffsets(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(2), kfake.SeedTopics(2, "orders"))
	c := kafkatest.Client(t, cluster)
	ctx := kafkatest.Context(t)
	both := []client.TopicPartition{tp("orders", 0), tp("orders", 1)}
	got, err := c.Committed(ctx, "job", both)
	if err != nil || len(got) != 0 {
		t.Fatalf("%v, %v", got, err)
	}
	for range 2 {
		if err := c.Commit(ctx, "job", map[client.TopicPartition]int64{both[1]: 7}); err != nil {
			t.Fatal(err)
		}
		cluster.RehashCoordinators()
	}
	got, err = c.Committed(ctx, "job", both)
	if err != nil || len(got) != 1 || got[both[1]] != 7 {
		t.Errorf("%v, %v", got, err)
	}
	if info := cluster.GroupInfo("job"); info == nil || info.Commits["orders"][1].Offset != 7 {
		t.Errorf("%+v", info)
	}
}

func TestLeaderMoves(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(3), kfake.SeedTopics(1, "orders"))
	c := kafkatest.Client(t, cluster)
	for i := range int32(6) {
		kafkatest.Write(t, c, "orders", 0, fmt.Sprint(i))
		if err := cluster.MoveTopicPartition("orders", 0, i%3); err != nil {
			t.Fatal(err)
		}
	}
	if got := kafkatest.Read(t, c, "orders", 0, 0, false); fmt.Sprint(got) != "[0 1 2 3 4 5]" {
		t.Errorf("%q", got)
	}
}

func TestFetchErrors(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	c := kafkatest.Client(t, cluster)
	f := client.FetchRequest{TopicPartition: tp("orders", 0), Offset: 5, MaxBytes: 1000, MaxWait: time.Millisecond}
	_, err := c.Fetch(kafkatest.Context(t), f, nil)
	var code client.Code
	if !errors.As(err, &code) || code != client.OffsetOutOfRange || client.Retriable(err) {
		t.Errorf("%v", err)
	}
	f.Partition = 3
	if _, err = c.Fetch(kafkatest.Context(t), f, nil); !client.Retriable(err) {
		t.Errorf("%v", err)
	}
}

// TestNewPartitions: a topic that gets more partitions is noticed, and they can be written to and read.
func TestNewPartitions(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(2), kfake.SeedTopics(1, "orders"))
	c := kafkatest.Client(t, cluster)
	ctx := kafkatest.Context(t)
	before, err := c.Topics(ctx, []string{"orders"})
	if err != nil {
		t.Fatal(err)
	}
	kafkatest.Grow(t, cluster.ListenAddrs()[0], "orders", 3)
	after, err := c.Topics(ctx, []string{"orders"})
	if err != nil {
		t.Fatal(err)
	}
	if changes := client.Compare(before, after); fmt.Sprint(changes) != "[{added orders 1} {added orders 2}]" {
		t.Errorf("%v", changes)
	}
	kafkatest.Write(t, c, "orders", 2, "a")
	if got := kafkatest.Read(t, c, "orders", 2, 0, true); fmt.Sprint(got) != "[a]" {
		t.Errorf("%q", got)
	}
}

// TestFirstAddressGoes: a broker that is known takes the place of the one that the client began with.
func TestFirstAddressGoes(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(3), kfake.SeedTopics(1, "orders"))
	first := cluster.ListenAddrs()[0]
	var gate kafkatest.Gate
	c := kafkatest.Open(t, client.Options{Brokers: []string{first}, Dial: gate.Dial})
	cluster.MoveTopicPartition("orders", 0, 1)
	kafkatest.Write(t, c, "orders", 0, "a")
	gate.Bar(first)
	cluster.MoveTopicPartition("orders", 0, 2)
	kafkatest.Write(t, c, "orders", 0, "b")
	if got := kafkatest.Read(t, c, "orders", 0, 0, true); fmt.Sprint(got) != "[a b]" {
		t.Errorf("%q", got)
	}
}
