package kafkatest

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"
)

var topics atomic.Int32

// Topic makes a topic of a name of its own at a broker of any kind.
func Topic(t testing.TB, broker string, partitions int, config ...kafka.ConfigEntry) string {
	t.Helper()
	name := fmt.Sprintf("test-%d-%d", time.Now().UnixNano(), topics.Add(1))
	transport := &kafka.Transport{}
	defer transport.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	k := kafka.Client{Addr: kafka.TCP(broker), Transport: transport}
	answer, err := k.CreateTopics(ctx, &kafka.CreateTopicsRequest{Topics: []kafka.TopicConfig{
		{Topic: name, NumPartitions: partitions, ReplicationFactor: 1, ConfigEntries: config},
	}})
	if err == nil {
		err = answer.Errors[name]
	}
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// Grow gives a topic more partitions.
func Grow(t testing.TB, broker, topic string, partitions int32) {
	t.Helper()
	transport := &kafka.Transport{}
	defer transport.CloseIdleConnections()
	k := kafka.Client{Addr: kafka.TCP(broker), Transport: transport}
	answer, err := k.CreatePartitions(Context(t), &kafka.CreatePartitionsRequest{
		Topics: []kafka.TopicPartitionsConfig{{Name: topic, Count: partitions}},
	})
	if err == nil {
		err = answer.Errors[topic]
	}
	if err != nil {
		t.Fatal(err)
	}
}
