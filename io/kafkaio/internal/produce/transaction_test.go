package produce_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/produce"
)

func prepare(t *testing.T, p *produce.Producer, values ...string) produce.Prepared {
	t.Helper()
	send(t, p, values...)
	done, err := p.Prepare(kafkatest.Context(t))
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func end(t *testing.T, c *client.Client, done produce.Prepared, commit bool) {
	t.Helper()
	if err := done.End(kafkatest.Context(t), c, commit); err != nil {
		t.Fatal(err)
	}
}

func TestCommitAndRollBack(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(2), kfake.SeedTopics(1, "out", "in"))
	c := kafkatest.Client(t, cluster)
	p := open(t, c, produce.Options{Transactions: []string{"job-out-0"}})
	read := func(committed bool) string { return fmt.Sprint(kafkatest.Read(t, c, "out", 0, 0, committed)) }

	done := prepare(t, p, "a", "b")
	if done.Records != 2 || fmt.Sprint(done.Partitions) != "[0]" || !done.Begun {
		t.Errorf("%+v", done)
	}
	if read(true) != "[]" || read(false) != "[a b]" {
		t.Errorf("before the commit: %s, %s", read(true), read(false))
	}
	end(t, c, done, true)
	end(t, c, done, true) // again is harmless
	if read(true) != "[a b]" {
		t.Error(read(true))
	}
	end(t, c, prepare(t, p, "c"), false)
	empty := prepare(t, p)
	if empty.Begun {
		t.Errorf("%+v", empty)
	}
	end(t, c, empty, true)
	send(t, p, "d")
	in := client.TopicPartition{Topic: "in"}
	if err := p.CommitOffsets(kafkatest.Context(t), "group", map[client.TopicPartition]int64{in: 42}); err != nil {
		t.Fatal(err)
	}
	end(t, c, prepare(t, p), true)
	if read(true) != "[a b d]" || read(false) != "[a b c d]" {
		t.Errorf("at the end: %s, %s", read(true), read(false))
	}
	offsets, err := c.Committed(kafkatest.Context(t), "group", []client.TopicPartition{in})
	if err != nil || offsets[in] != 42 {
		t.Error(offsets, err)
	}
}

// TestRecovery: another process commits what a dead one prepared, and rolls back what came after.
func TestRecovery(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(2), kfake.SeedTopics(2, "out"))
	c := kafkatest.Client(t, cluster)
	saved, _ := json.Marshal(prepare(t, open(t, c, produce.Options{Transactions: []string{"job-out-0"}}), "a", "b"))
	later := open(t, c, produce.Options{Transactions: []string{"job-out-1"}})
	send(t, later, "lost")
	flush(t, later)

	again := kafkatest.Client(t, cluster)
	var done produce.Prepared
	if err := json.Unmarshal(saved, &done); err != nil {
		t.Fatal(err)
	}
	end(t, again, done, true)
	for _, id := range []string{"job-out-0", "job-out-1"} {
		p := open(t, again, produce.Options{Transactions: []string{id}})
		end(t, again, prepare(t, p, id), true)
	}
	got := append(kafkatest.Read(t, again, "out", 0, 0, true), kafkatest.Read(t, again, "out", 1, 0, true)...)
	if len(got) != 4 {
		t.Errorf("%q", got)
	}
	for _, v := range got {
		if v == "lost" {
			t.Error("what was not prepared is there")
		}
	}
	// the dead process comes back
	var fenced *client.FencedError
	send(t, later, "zombie")
	if err := later.Flush(kafkatest.Context(t)); !errors.As(err, &fenced) {
		t.Errorf("%v", err)
	}
}

func TestTransactionErrors(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	c := kafkatest.Client(t, cluster)
	ctx := kafkatest.Context(t)
	_, err := produce.Open(ctx, c, produce.Options{Topic: "out", Transactions: []string{"long"}, TransactionTimeout: time.Hour})
	var long *client.TimeoutTooLongError
	if !errors.As(err, &long) {
		t.Error(err)
	}
	t.Log(err)

	p := open(t, c, produce.Options{Transactions: []string{"once"}})
	done := prepare(t, p, "a")
	end(t, c, done, true)
	var state *client.StateError
	if err := done.End(ctx, c, false); !errors.As(err, &state) {
		t.Error(err)
	}
	t.Log(done.End(ctx, c, false))

	done = prepare(t, p, "b")
	open(t, c, produce.Options{Transactions: []string{"once"}})
	var fenced *client.FencedError
	if err := done.End(ctx, c, true); !errors.As(err, &fenced) {
		t.Error(err)
	}
	t.Log(done.End(ctx, c, true))
}

// TestTimeout: a transaction that is open for too long can not be committed any more.
func TestTimeout(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	c := kafkatest.Client(t, cluster)
	p := open(t, c, produce.Options{Transactions: []string{"slow"}, TransactionTimeout: 100 * time.Millisecond})
	done := prepare(t, p, "a")
	time.Sleep(400 * time.Millisecond)
	var fenced *client.FencedError
	if err := done.End(kafkatest.Context(t), c, true); !errors.As(err, &fenced) {
		t.Errorf("%v", err)
	}
	if got := kafkatest.Read(t, c, "out", 0, 0, true); len(got) != 0 {
		t.Errorf("%q", got)
	}
}
