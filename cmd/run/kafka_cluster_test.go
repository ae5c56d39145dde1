package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"tidemark/cmd/run/internal/orders"
)

// Tests of whole pipelines on Kafka run against the broker at TIDEMARK_KAFKA, host:port, and without it against brokers
// in this process. What they send and read goes through another client than the command's own.
//
// TIDEMARK_KAFKA_RESTART is a command line that kills the broker and starts it again. TIDEMARK_KAFKA_CONSUME is one that
// prints the records of the topic $TOPIC as Kafka's own console consumer does, with their keys.

// cluster is where a test runs.
type cluster struct {
	t       *testing.T
	address string
	fake    *kfake.Cluster
	client  *kgo.Client
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	c := &cluster{t: t, address: os.Getenv("TIDEMARK_KAFKA")}
	if c.address == "" {
		fake, err := kfake.NewCluster(kfake.NumBrokers(3))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(fake.Close)
		c.fake, c.address = fake, strings.Join(fake.ListenAddrs(), ",")
	}
	c.client = c.open()
	return c
}

// open opens a client that ends with the test.
func (c *cluster) open(options ...kgo.Opt) *kgo.Client {
	c.t.Helper()
	client, err := kgo.NewClient(append([]kgo.Opt{
		kgo.SeedBrokers(strings.Split(c.address, ",")...), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.MetadataMinAge(50 * time.Millisecond), kgo.ProducerLinger(0),
	}, options...)...)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(client.Close)
	return client
}

func (c *cluster) context() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	c.t.Cleanup(cancel)
	return ctx
}

var topics atomic.Int32

// topic makes a topic of a name of its own.
func (c *cluster) topic(name string, partitions int32, config ...string) string {
	c.t.Helper()
	name = fmt.Sprintf("%s-%d-%d", name, time.Now().UnixMilli(), topics.Add(1))
	wanted := kmsg.NewCreateTopicsRequestTopic()
	wanted.Topic, wanted.NumPartitions, wanted.ReplicationFactor = name, partitions, 1
	for i := 0; i+1 < len(config); i += 2 {
		entry := kmsg.NewCreateTopicsRequestTopicConfig()
		entry.Name, entry.Value = config[i], &config[i+1]
		wanted.Configs = append(wanted.Configs, entry)
	}
	request := kmsg.NewPtrCreateTopicsRequest()
	request.Topics = append(request.Topics, wanted)
	answer, err := request.RequestWith(c.context(), c.client)
	if err == nil {
		err = kerr.ErrorForCode(answer.Topics[0].ErrorCode)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); !c.known(name, partitions); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			c.t.Fatalf("the topic %s was made, and is not there", name)
		}
	}
	return name
}

// known reports whether the partitions of a topic can be used. A broker may say so a little later than that it made them.
func (c *cluster) known(topic string, partitions int32) bool {
	c.t.Helper()
	found := c.metadata(topic)
	return found.ErrorCode == 0 && len(found.Partitions) == int(partitions) &&
		!slices.ContainsFunc(found.Partitions, func(p kmsg.MetadataResponseTopicPartition) bool { return p.ErrorCode != 0 })
}

// metadata gives what a broker knows of a topic.
func (c *cluster) metadata(topic string) kmsg.MetadataResponseTopic {
	c.t.Helper()
	request := kmsg.NewPtrMetadataRequest()
	named := kmsg.NewMetadataRequestTopic()
	named.Topic = &topic
	request.Topics = append(request.Topics, named)
	answer, err := request.RequestWith(c.context(), c.client)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer.Topics[0]
}

// send sends records and waits until they are stored.
func (c *cluster) send(topic string, records []orders.Record) {
	c.t.Helper()
	sent := make([]*kgo.Record, len(records))
	for i, r := range records {
		sent[i] = &kgo.Record{Topic: topic, Partition: r.Partition, Key: r.Key, Value: r.Value, Timestamp: r.Sent}
	}
	if err := c.client.ProduceSync(c.context(), sent...).FirstErr(); err != nil {
		c.t.Fatal(err)
	}
}

// disturb kills the broker and starts it again, or lets other brokers take over.
func (c *cluster) disturb() error {
	if line := os.Getenv("TIDEMARK_KAFKA_RESTART"); line != "" {
		if out, err := exec.Command("bash", "-c", line).CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	}
	if c.fake != nil {
		c.fake.ShufflePartitionLeaders()
	}
	return nil
}

// ends gives the offsets behind the last committed records of a topic.
func (c *cluster) ends(topic string) map[int32]int64 {
	c.t.Helper()
	wanted := kmsg.NewListOffsetsRequestTopic()
	wanted.Topic = topic
	for _, p := range c.metadata(topic).Partitions {
		one := kmsg.NewListOffsetsRequestTopicPartition()
		one.Partition, one.Timestamp = p.Partition, -1
		wanted.Partitions = append(wanted.Partitions, one)
	}
	request := kmsg.NewPtrListOffsetsRequest()
	request.ReplicaID, request.IsolationLevel, request.Topics = -1, 1, append(request.Topics, wanted)
	ends := map[int32]int64{}
	for _, shard := range c.client.RequestSharded(c.context(), request) {
		if shard.Err != nil {
			c.t.Fatal(shard.Err)
		}
		for _, p := range shard.Resp.(*kmsg.ListOffsetsResponse).Topics[0].Partitions {
			if p.ErrorCode != 0 {
				c.t.Fatal(kerr.ErrorForCode(p.ErrorCode))
			}
			ends[p.Partition] = p.Offset
		}
	}
	return ends
}

// tail reads a topic from its beginning, for as long as it grows.
type tail struct {
	*cluster
	topic  string
	client *kgo.Client
	next   map[int32]int64
}

func (c *cluster) tail(topic string) *tail {
	return &tail{cluster: c, topic: topic, next: map[int32]int64{}, client: c.open(
		kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.FetchIsolationLevel(kgo.ReadCommitted()))}
}

// rest reads what there is by now.
func (l *tail) rest() (records []*kgo.Record) {
	l.t.Helper()
	for partition, end := range l.ends(l.topic) {
		for l.next[partition] < end {
			fetches := l.client.PollFetches(l.context())
			for _, e := range fetches.Errors() {
				if errors.Is(e.Err, context.DeadlineExceeded) {
					l.t.Fatal(e.Err)
				}
			}
			fetches.EachRecord(func(r *kgo.Record) {
				records = append(records, r)
				l.next[r.Partition] = r.Offset + 1
			})
		}
	}
	return records
}

// read gives the records of a topic, those of each partition in order.
func (c *cluster) read(topic string) []*kgo.Record {
	c.t.Helper()
	l := c.tail(topic)
	defer l.client.Close()
	return l.rest()
}
