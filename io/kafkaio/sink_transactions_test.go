package kafkaio

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/kafkatest"
)

func exactly(o *SinkOptions) { o.Delivery = exactlyOnceDelivery }

// openEpochs opens an exactly_once sink; prepared is what the checkpoint has that it resumes from.
func openEpochs(t *testing.T, cluster *kfake.Cluster, prepared []byte) *exactlyOnce {
	t.Helper()
	env := testEnvironment
	env.Prepared = prepared
	return openSink(t, sinkTo(cluster, exactly), env).(*exactlyOnce)
}

func prepare(t *testing.T, out *exactlyOnce) []byte {
	t.Helper()
	state, err := out.Prepare(kafkatest.Context(t))
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func commitPrepared(t *testing.T, out *exactlyOnce, state []byte) {
	t.Helper()
	if err := out.CommitPrepared(kafkatest.Context(t), state); err != nil {
		t.Fatal(err)
	}
}

// crash ends an output as the death of its process does: nothing is committed or rolled back.
func crash(out *exactlyOnce) {
	out.giveUp()
	out.client.Close()
}

func wantStored(t *testing.T, cluster *kfake.Cluster, committed, all string) {
	t.Helper()
	if got := stored(t, cluster, true); got != committed {
		t.Errorf("committed: %q, want %q", got, committed)
	}
	if got := stored(t, cluster, false); got != all {
		t.Errorf("uncommitted: %q, want %q", got, all)
	}
}

// TestEpochs: writing goes on while an epoch waits to be committed.
func TestEpochs(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(2), kfake.SeedTopics(1, "out"))
	out := openEpochs(t, cluster, nil)
	want := ""
	for _, v := range strings.Split("a b c d e f g", " ") {
		writeAll(t, out, v)
		state := prepare(t, out)
		if got := stored(t, cluster, true); got != want {
			t.Errorf("before the commit: %q, want %q", got, want)
		}
		commitPrepared(t, out, state)
		commitPrepared(t, out, state) // again is harmless
		if empty := prepare(t, out); empty != nil {
			t.Errorf("an empty epoch has the state %s", empty)
		}
		want = strings.TrimSpace(want + " " + v)
	}
	writeAll(t, out, "last")
	commit(t, out)
	wantStored(t, cluster, want+" last", want+" last")
	if err := out.Abort(); err != nil || stored(t, cluster, true) != want+" last" {
		t.Errorf("after Abort: %v, %s", err, stored(t, cluster, true))
	}
}

// TestCommitOfPrepared: Commit makes visible what is prepared too, and Prepare wants the last epoch to be committed.
func TestCommitOfPrepared(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	out := openEpochs(t, cluster, nil)
	writeAll(t, out, "a")
	prepare(t, out)
	writeAll(t, out, "b")
	if _, err := out.Prepare(kafkatest.Context(t)); err == nil || !strings.Contains(err.Error(), "waits to be committed") {
		t.Error(err)
	}
	commit(t, out)
	wantStored(t, cluster, "a b", "a b")
}

func TestRollBack(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	out := openEpochs(t, cluster, nil)
	writeAll(t, out, "a")
	state := prepare(t, out)
	writeAll(t, out, "b")
	if err := out.Flush(); err != nil {
		t.Fatal(err)
	}
	for stored(t, cluster, false) != "a b" {
		time.Sleep(time.Millisecond)
	}
	if err := out.Abort(); err != nil {
		t.Fatal(err)
	}
	// what is prepared is left for whoever resumes
	wantStored(t, cluster, "", "a b")
	next := openEpochs(t, cluster, state)
	wantStored(t, cluster, "a", "a b")
	writeAll(t, next, "c")
	commit(t, next)
	wantStored(t, cluster, "a c", "a b c")
}

// TestResume: another process commits what a dead one prepared, rolls back what came after, and so does one more
// process when that one dies before its first checkpoint.
func TestResume(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(3), kfake.SeedTopics(1, "out"))
	first := openEpochs(t, cluster, nil)
	var state []byte
	want := ""
	for _, v := range []string{"a", "b"} { // the second process begins with another id than the first
		writeAll(t, first, v)
		state = prepare(t, first)
		want = strings.TrimSpace(want + " " + v)
		if v == "a" {
			commitPrepared(t, first, state)
		}
	}
	writeAll(t, first, "open")
	first.producer.Flush(kafkatest.Context(t))
	crash(first)
	for range 4 {
		next := openEpochs(t, cluster, state)
		if got := stored(t, cluster, true); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
		writeAll(t, next, "again")
		next.producer.Flush(kafkatest.Context(t))
		crash(next)
	}
	last := openEpochs(t, cluster, state)
	for _, v := range strings.Split("c d e f", " ") {
		writeAll(t, last, v)
		commitPrepared(t, last, prepare(t, last))
	}
	commit(t, last)
	if got := stored(t, cluster, true); got != want+" c d e f" {
		t.Errorf("%q", got)
	}
}

// TestCheckpointNotSafe: an epoch is committed, the next one is prepared but its checkpoint is never written, and the
// one after that is being written when the process dies. To resume from the first must commit nothing of the others.
func TestCheckpointNotSafe(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	first := openEpochs(t, cluster, nil)
	writeAll(t, first, "a")
	state := prepare(t, first)
	commitPrepared(t, first, state)
	writeAll(t, first, "b")
	prepare(t, first)
	writeAll(t, first, "c")
	first.producer.Flush(kafkatest.Context(t))
	crash(first)
	wantStored(t, cluster, "a", "a b c")
	next := openEpochs(t, cluster, state)
	writeAll(t, next, "b", "c")
	commit(t, next)
	wantStored(t, cluster, "a b c", "a b c b c")
}

// TestZombie: a process that was taken for dead can neither write nor commit, and does no harm to its successor.
func TestZombie(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	zombie := openEpochs(t, cluster, nil)
	writeAll(t, zombie, "a")
	state := prepare(t, zombie)
	next := openEpochs(t, cluster, nil)
	writeAll(t, next, "b")
	err := zombie.CommitPrepared(kafkatest.Context(t), state)
	var lost *LostError
	if !errors.As(err, &lost) || lost.Records != 1 || !strings.Contains(err.Error(), "1 record for topic") {
		t.Error(err)
	}
	writeAll(t, zombie, "c")
	var fenced *client.FencedError
	if err := zombie.Commit(); !errors.As(err, &lost) {
		t.Error(err)
	}
	zombie.producer.Flush(kafkatest.Context(t)) // it finds out
	for _, err := range []error{zombie.Flush(), zombie.WriteRecord(&connector.Record{})} {
		if !errors.As(err, &fenced) || !strings.Contains(err.Error(), "resume from the last one") {
			t.Error(err)
		}
	}
	if err := zombie.Abort(); err != nil {
		t.Error(err)
	}
	commit(t, next)
	wantStored(t, cluster, "b", "a b")
}

// TestTimeoutPassed: an epoch that waits for too long is lost, which is an error of whoever commits it.
func TestTimeoutPassed(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	short := sinkTo(cluster, func(o *SinkOptions) { exactly(o); o.TransactionTimeout = 100 })
	out := openSink(t, short, testEnvironment).(*exactlyOnce)
	writeAll(t, out, "a", "b")
	state := prepare(t, out)
	var lost *LostError
	time.Sleep(400 * time.Millisecond)
	if err := out.CommitPrepared(kafkatest.Context(t), state); !errors.As(err, &lost) || lost.Records != 2 {
		t.Error(err)
	}
	env := testEnvironment
	env.Prepared = state
	_, err := short.Open(kafkatest.Context(t), env)
	if !errors.As(err, &lost) || !strings.Contains(err.Error(), `2 records for topic "out"`) {
		t.Error(err)
	}
	t.Log(err)
	wantStored(t, cluster, "", "a b")
}

func TestTimeoutTooLong(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	long := sinkTo(cluster, func(o *SinkOptions) { exactly(o); o.TransactionTimeout = time.Hour.Milliseconds() })
	err := long.Check(testEnvironment)
	if err == nil || !strings.Contains(err.Error(), "write transaction_timeout: 15m") {
		t.Error(err)
	}
	t.Log(err)
	long.Delivery = "at_least_once" // then it does not matter
	if err := long.Check(testEnvironment); err != nil {
		t.Error(err)
	}
}

func TestStateOfAnother(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "out"))
	for _, state := range []string{"{}", "x", `{"file": "a"}`} {
		env := testEnvironment
		env.Prepared = []byte(state)
		if _, err := sinkTo(cluster, exactly).Open(context.Background(), env); err == nil || !strings.Contains(err.Error(), "another kind") {
			t.Error(err)
		}
	}
	var settler any = openEpochs(t, cluster, nil)
	if _, is := settler.(connector.Settler); is {
		t.Error("what is not committed does not count as settled")
	}
}
