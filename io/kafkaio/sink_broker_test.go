package kafkaio

import (
	"errors"
	"os"
	"strings"
	"testing"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/kafkatest"
)

// TestBroker runs the life of a sink against the broker at TIDEMARK_KAFKA, host:port, and without it against one in this
// process: epochs, a death between them, two starts from the checkpoint, a roll-back and a process thought dead.
func TestBroker(t *testing.T) {
	address := os.Getenv("TIDEMARK_KAFKA")
	if address == "" {
		address = kafkatest.Cluster(t).ListenAddrs()[0]
	}
	topic := kafkatest.Topic(t, address, 1)
	reader := kafkatest.Open(t, client.Options{Brokers: []string{address}})
	committed := func(want string) { // a broker says that a transaction is over shortly before readers see it
		t.Helper()
		eventually(t, "that "+want+" is read", func() bool {
			return strings.Join(kafkatest.Read(t, reader, topic, 0, 0, true), " ") == want
		})
	}
	o := newSinkOptions()
	o.Brokers, o.Topic = []string{address}, topic
	o.Delivery = exactlyOnceDelivery
	open := func(prepared []byte) *exactlyOnce {
		return openSink(t, o, connector.Environment{Pipeline: topic, Node: "out", Prepared: prepared}).(*exactlyOnce)
	}
	first := open(nil)
	var state []byte
	for _, v := range strings.Split("a b c d", " ") {
		writeAll(t, first, v)
		state = prepare(t, first)
		commitPrepared(t, first, state)
		commitPrepared(t, first, state)
	}
	writeAll(t, first, "e")
	prepare(t, first) // its checkpoint is never written
	writeAll(t, first, "f")
	first.producer.Flush(kafkatest.Context(t))
	crash(first)
	for range 3 {
		next := open(state)
		writeAll(t, next, "lost")
		next.producer.Flush(kafkatest.Context(t))
		crash(next)
	}
	second := open(state)
	committed("a b c d")
	for _, v := range strings.Split("e f g h i", " ") {
		writeAll(t, second, v)
		state = prepare(t, second)
		commitPrepared(t, second, state)
	}
	writeAll(t, second, "taken back")
	second.producer.Flush(kafkatest.Context(t))
	if err := second.Abort(); err != nil {
		t.Error(err)
	}
	committed("a b c d e f g h i") // it would stop at a transaction that is open
	zombie := open(state)
	writeAll(t, zombie, "j")
	late := prepare(t, zombie)
	third := open(nil)
	var lost *LostError
	if err := zombie.CommitPrepared(kafkatest.Context(t), late); !errors.As(err, &lost) {
		t.Error(err)
	}
	writeAll(t, third, "k")
	if err := zombie.Abort(); err != nil {
		t.Error(err)
	}
	commit(t, third)
	committed("a b c d e f g h i k")
	o.TransactionTimeout = 3_600_000
	if err := o.Check(testEnvironment); err == nil || !strings.Contains(err.Error(), "brokers allow 15m") {
		t.Error(err)
	}
}
