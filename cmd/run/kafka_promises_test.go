package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"tidemark/cmd/run/internal/orders"
	"tidemark/runner"
)

// copying is a pipeline that copies a topic.
const copying = `
sources:
  in: {type: kafka, brokers: "${KAFKA_BROKERS}", topics: ["${in}"], group: "${group}", discover: 200ms}
sinks:
  out: {from: in, type: kafka, brokers: "${KAFKA_BROKERS}", topic: "${out}", key: meta.key}
  broken: {from: in.dirty, type: discard}
`

// copyRun is a run of that pipeline.
type copyRun struct {
	*cluster
	in, out, group string
	stop           func()
}

func (c *cluster) copy(partitions int32) *copyRun {
	c.t.Helper()
	r := &copyRun{cluster: c, in: c.topic("in", partitions), out: c.topic("out", partitions)}
	r.group = r.in
	path := filepath.Join(c.t.TempDir(), "copy.yaml")
	if err := os.WriteFile(path, []byte(copying), 0o644); err != nil {
		c.t.Fatal(err)
	}
	c.t.Setenv("KAFKA_BROKERS", c.address)
	ctx, cancel := context.WithCancel(context.Background())
	var stderr bytes.Buffer
	var ended sync.WaitGroup
	taken := make(chan struct{})
	testOptions = func(o *runner.Options) {
		o.CommitEvery, o.TickEvery = 20*time.Millisecond, 5*time.Millisecond
		close(taken)
	}
	ended.Go(func() {
		args := []string{"run", path, "--set", "in=" + r.in, "--set", "out=" + r.out, "--set", "group=" + r.group}
		if code := run(ctx, args, nil, &bytes.Buffer{}, &stderr); code != exitDone {
			c.t.Errorf("exit code %d\n%s", code, stderr.String())
		}
	})
	r.stop = func() { cancel(); ended.Wait() }
	c.t.Cleanup(r.stop)
	<-taken
	testOptions = nil
	return r
}

// values gives n records, with a number as their key and in their value.
func values(n int, partition func(i int) int32) (records []orders.Record) {
	for i := range n {
		records = append(records, orders.Record{Partition: partition(i), Key: fmt.Append(nil, i), Value: fmt.Appendf(nil, `{"n":%d}`, i), Sent: time.Now()})
	}
	return records
}

// await reads what was copied until there are n records.
func (r *copyRun) await(n int) []*kgo.Record {
	r.t.Helper()
	l, found := r.tail(r.out), []*kgo.Record(nil)
	defer l.client.Close()
	for end := time.Now().Add(30 * time.Second); len(found) < n; time.Sleep(10 * time.Millisecond) {
		if found = append(found, l.rest()...); time.Now().After(end) {
			r.t.Fatalf("%d records of %d are copied", len(found), n)
		}
	}
	return found
}

// committed gives the offset that the run's group has committed for partition 0; −1 for none.
func (r *copyRun) committed() int64 {
	if info := r.fake.GroupInfo(r.group); info != nil {
		if at, ok := info.Commits[r.in][0]; ok {
			return at.Offset
		}
	}
	return -1
}

func (r *copyRun) awaitCommitted(want int64) {
	r.t.Helper()
	for end := time.Now().Add(30 * time.Second); r.committed() != want; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatalf("committed is %d, wants %d", r.committed(), want)
		}
	}
}

// TestNoMembership commits offsets of a group and never joins it, so that no rebalance can concern a run.
func TestNoMembership(t *testing.T) {
	t.Setenv("TIDEMARK_KAFKA", "") // the brokers in this process say what they were asked
	c := newCluster(t)
	var mutex sync.Mutex
	asked := map[string]int{}
	c.fake.Control(func(r kmsg.Request) (kmsg.Response, error, bool) {
		c.fake.KeepControl()
		mutex.Lock()
		defer mutex.Unlock()
		asked[kmsg.NameForKey(r.Key())]++
		return nil, nil, false
	})
	r := c.copy(2)
	c.send(r.in, values(10, func(int) int32 { return 0 }))
	r.await(10)
	r.awaitCommitted(10)
	r.stop()
	mutex.Lock()
	defer mutex.Unlock()
	for _, name := range []string{"JoinGroup", "SyncGroup", "Heartbeat", "LeaveGroup", "ConsumerGroupHeartbeat", "ShareGroupHeartbeat"} {
		if asked[name] > 0 {
			t.Errorf("%d requests %s", asked[name], name)
		}
	}
	if asked["OffsetCommit"] == 0 {
		t.Error(asked)
	}
}

// TestCommittedBehindSink commits nothing that the sink's broker has not stored.
func TestCommittedBehindSink(t *testing.T) {
	t.Setenv("TIDEMARK_KAFKA", "") // brokers that refuse are those in this process
	c := newCluster(t)
	r := c.copy(1)
	c.send(r.in, values(5, func(int) int32 { return 0 }))
	r.await(5)
	r.awaitCommitted(5)
	fault := c.fake.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Produce}, Topic: r.out, Err: kerr.NotEnoughReplicas, Count: -1})
	c.send(r.in, values(5, func(int) int32 { return 0 }))
	for end := time.Now().Add(10 * time.Second); fault.Hits() < 5 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
	}
	if at := r.committed(); at != 5 || fault.Hits() < 5 {
		t.Errorf("committed %d, %d refusals", at, fault.Hits())
	}
	fault.Remove()
	r.await(10)
	r.awaitCommitted(10)
}

// TestPartitionAddedLive reads a partition that comes while the run goes on, from its first record on.
func TestPartitionAddedLive(t *testing.T) {
	c := newCluster(t)
	r := c.copy(1)
	c.send(r.in, values(3, func(int) int32 { return 0 }))
	r.await(3)
	request := kmsg.NewPtrCreatePartitionsRequest()
	more := kmsg.NewCreatePartitionsRequestTopic()
	more.Topic, more.Count = r.in, 3
	request.Topics = append(request.Topics, more)
	if answer, err := request.RequestWith(c.context(), c.client); err != nil || answer.Topics[0].ErrorCode != 0 {
		t.Fatal(answer, err)
	}
	c.client = c.open() // which knows the new ones
	c.send(r.in, values(6, func(i int) int32 { return int32(i % 3) }))
	r.await(9)
}

// TestPartitionOfKeys: keys go to the partitions where Kafka's own producers put them, and values are compressed.
// TIDEMARK_KAFKA_PRODUCE is a command line that has Kafka's console producer write lines, key, tab and value, to $TOPIC.
func TestPartitionOfKeys(t *testing.T) {
	c := newCluster(t)
	r := c.copy(5)
	sent := values(200, func(i int) int32 { return int32(i % 5) })
	c.send(r.in, sent)
	want := map[string]int32{}
	if line := os.Getenv("TIDEMARK_KAFKA_PRODUCE"); line != "" {
		topic := c.topic("keys", 5)
		var lines strings.Builder
		for _, v := range sent {
			fmt.Fprintf(&lines, "%s\t%s\n", v.Key, v.Value)
		}
		producer := exec.Command("bash", "-c", line)
		producer.Env, producer.Stdin = append(os.Environ(), "TOPIC="+topic), strings.NewReader(lines.String())
		if out, err := producer.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, v := range c.read(topic) {
			want[string(v.Key)] = v.Partition
		}
	} else {
		other := kgo.StickyKeyPartitioner(nil).ForTopic("keys")
		for _, v := range sent {
			want[string(v.Key)] = int32(other.Partition(&kgo.Record{Key: v.Key}, 5))
		}
	}
	copied := r.await(len(sent))
	for _, v := range copied {
		if v.Partition != want[string(v.Key)] {
			t.Errorf("key %s is in partition %d, wants %d", v.Key, v.Partition, want[string(v.Key)])
		}
	}
	const snappy = 2
	if slices.ContainsFunc(copied, func(v *kgo.Record) bool { return v.Attrs.CompressionType() != snappy }) || len(want) != len(sent) {
		t.Errorf("not all are compressed by snappy; %d keys", len(want))
	}
}
