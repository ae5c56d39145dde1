package kafkaio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/kafkatest"
)

func names(partitions []connector.RecordPartition) string {
	var all []string
	for _, p := range partitions {
		all = append(all, p.Name())
	}
	return strings.Join(all, " ")
}

// TestPartitionsInOrder: by topic and number, whatever names have in them.
func TestPartitionsInOrder(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(11, "a.b-c_d"), kfake.SeedTopics(2, "a"), kfake.SeedTopics(1, "orders"))
	r, _, err := open(t, source(cluster, func(o *SourceOptions) { o.Topic, o.Topics = "", []string{"a.b-c_d", "a"} }))
	if err != nil {
		t.Fatal(err)
	}
	want := "a/0 a/1"
	for i := range 11 {
		want += fmt.Sprint(" a.b-c_d/", i)
	}
	if got := names(r.Partitions()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestBrokersAsText: addresses in one text.
func TestBrokersAsText(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(3), kfake.SeedTopics(1, "orders"))
	_, _, err := open(t, source(cluster, func(o *SourceOptions) { o.Brokers = []string{strings.Join(cluster.ListenAddrs(), ", ")} }))
	if err != nil {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders", "order_items", "payments"))
	for name, k := range map[string]struct {
		edit func(o *SourceOptions)
		want string
	}{
		"near":    {func(o *SourceOptions) { o.Topic = "ordres" }, `topic "ordres" does not exist at 127.0.0.1`},
		"meant":   {func(o *SourceOptions) { o.Topic = "ordres" }, "did you mean orders? create it, or correct its name"},
		"nothing": {func(o *SourceOptions) { o.Topic = "clicks" }, ": create it, or correct its name"},
		"two":     {func(o *SourceOptions) { o.Topic, o.Topics = "", []string{"orders", "x", "payment"} }, `; topic "payment" does not exist`},
		"pattern": {func(o *SourceOptions) { o.Topic, o.Pattern, o.Stop = "", "order", &Stop{At: "latest"} }, `no topic matches pattern "order" at`},
		"away":    {func(o *SourceOptions) { o.Brokers, o.patience = []string{"localhost:1"}, 50*time.Millisecond }, "no broker answers at localhost:1"},
		"no file": {func(o *SourceOptions) { o.TLS = &TLS{CA: "/nowhere/ca.pem"} }, "tls.ca: open /nowhere/ca.pem"},
	} {
		_, _, err := open(t, source(cluster, k.edit))
		if err == nil || !strings.Contains(err.Error(), k.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", name, err, k.want)
		}
	}
}

func TestWrongLogin(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.EnableSASL(), kfake.Superuser("PLAIN", "ann", "secret"), kfake.SeedTopics(1, "orders"))
	for password, want := range map[string]string{"secret": "", "other": "correct sasl.user and sasl.password"} {
		_, _, err := open(t, source(cluster, func(o *SourceOptions) {
			o.SASL = &SASL{Mechanism: "plain", User: "ann", Password: password}
		}))
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), password)) {
			t.Errorf("%s: %v", password, err)
		}
	}
}

// TestAdded: a topic that grows while it is read, with start: latest.
func TestAdded(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	c := kafkatest.Client(t, cluster)
	write(t, c, "orders", 0, 0, 2)
	r, _, err := open(t, source(cluster, func(o *SourceOptions) { o.Start = &Start{At: "latest"} }))
	if err != nil {
		t.Fatal(err)
	}
	kafkatest.Grow(t, cluster.ListenAddrs()[0], "orders", 3)
	write(t, c, "orders", 2, 5, 8)
	added, err := r.Added(kafkatest.Context(t))
	if err != nil || names(added) != "orders/1 orders/2" || names(r.Partitions()) != "orders/0 orders/1 orders/2" {
		t.Fatal(names(added), err)
	}
	if got, err := read(r, 2).take(t, 3); err != nil || !slices.Equal(got, numbers(5, 8)) {
		t.Error(got, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	if added, err := r.Added(ctx); len(added) > 0 || err == nil {
		t.Error(names(added), err)
	}
	go r.Close()
	if _, err := r.Added(context.Background()); err == nil || errors.Is(err, io.EOF) {
		t.Error(err)
	}
}

// TestPattern: topics that come later, and none at the beginning.
func TestPattern(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "payments"))
	c := kafkatest.Client(t, cluster)
	r, w, err := open(t, source(cluster, func(o *SourceOptions) { o.Topic, o.Pattern, o.Start = "", "orders_.*", &Start{At: "latest"} }))
	if err != nil || !strings.Contains(w.String(), `no topic matches pattern "orders_.*"`) || len(r.Partitions()) > 0 {
		t.Fatal(w, err)
	}
	for i, topic := range []string{"orders_de", "orders_at"} {
		if err := cluster.CreateTopic(topic, 1, nil); err != nil {
			t.Fatal(err)
		}
		write(t, c, topic, 0, i, i+1)
		added, err := r.Added(kafkatest.Context(t))
		if err != nil || names(added) != topic+"/0" {
			t.Fatal(names(added), err)
		}
		p := &reading{RecordPartition: added[0], loader: r.Loader()}
		if got, err := p.take(t, 1); err != nil || got[0] != fmt.Sprint(i) {
			t.Error(got, err)
		}
	}
}

func TestBoundedHasNothingAdded(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(2, "orders"))
	r, _, err := open(t, source(cluster, func(o *SourceOptions) { o.Stop = &Stop{At: "latest"} }))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Added(kafkatest.Context(t)); err != io.EOF {
		t.Error(err)
	}
	for i := range 2 { // empty partitions end at once
		if _, err := r.Partitions()[i].Next(kafkatest.Context(t)); err != io.EOF {
			t.Error(err)
		}
	}
}

// TestHeartbeats: an idle partition says so again and again, one that can't be reached says nothing.
func TestHeartbeats(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	write(t, kafkatest.Client(t, cluster), "orders", 0, 0, 1)
	var gate kafkatest.Gate
	r, w, err := open(t, source(cluster, func(o *SourceOptions) { o.dial = gate.Dial }))
	if err != nil {
		t.Fatal(err)
	}
	p := read(r, 0)
	if _, err := p.take(t, 1); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := p.beat(t, time.Second); err != nil || p.at != 1 {
			t.Error(p.at, err)
		}
	}
	gate.Shut()
	for p.beat(t, 50*time.Millisecond) == nil { // what was under way
	}
	if err := p.beat(t, 200*time.Millisecond); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	gate.Open()
	if err := p.beat(t, 5*time.Second); err != nil || p.empty < 4 {
		t.Error(p.empty, err)
	}
	eventually(t, "that the broker is back", func() bool {
		return strings.Contains(w.String(), "fetch of orders/0 does not work, trying again: ") && strings.Contains(w.String(), "fetch of orders/0 works again after")
	})
}

// TestSurvives leader moves, errors that pass, and connections that are cut.
func TestSurvives(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.NumBrokers(3), kfake.SeedTopics(1, "orders"))
	c := kafkatest.Client(t, cluster)
	var gate kafkatest.Gate
	r, _, err := open(t, source(cluster, func(o *SourceOptions) { o.dial = gate.Dial }))
	if err != nil {
		t.Fatal(err)
	}
	p := read(r, 0)
	for round := range 9 {
		write(t, c, "orders", 0, round*10, round*10+10)
		if got, err := p.take(t, 10); err != nil || !slices.Equal(got, numbers(round*10, round*10+10)) {
			t.Fatal(got, err)
		}
		switch round % 3 {
		case 0:
			cluster.MoveTopicPartition("orders", 0, int32(round/3)%3)
		case 1:
			cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.Fetch}, Err: kerr.NotLeaderForPartition, Count: 2})
		case 2:
			gate.Cut()
		}
	}
}

func TestCommit(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(2, "orders"))
	c := kafkatest.Client(t, cluster)
	write(t, c, "orders", 0, 0, 5)
	r, w, err := open(t, source(cluster, func(o *SourceOptions) { o.Group = "g" }))
	if err != nil {
		t.Fatal(err)
	}
	committed := func(want string) {
		t.Helper()
		both := []client.TopicPartition{orders, {Topic: "orders", Partition: 1}}
		if got, err := c.Committed(kafkatest.Context(t), "g", both); err != nil || fmt.Sprint(got) != want {
			t.Errorf("%v, want %s, %v", got, want, err)
		}
	}
	commit := func(i int, offset int64) {
		t.Helper()
		if err := r.Commit(kafkatest.Context(t), map[connector.RecordPartition]int64{r.Partitions()[i]: offset}); err != nil {
			t.Error(err)
		}
	}
	commit(0, 3)
	committed("map[orders/0:3]")
	cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.OffsetCommit}, Err: kerr.UnknownMemberID, Count: 1})
	commit(0, 4)
	committed("map[orders/0:3]")
	if !strings.Contains(w.String(), `offsets are not committed, the next commit tries again, or else the next run reads again what came since the last one: commit of the offsets of group g: group "g" has members`) {
		t.Error(w)
	}
	commit(1, 0)
	committed("map[orders/0:4 orders/1:0]")
}

// TestCommitIsStopped: a run that is stopped has its last commit still to come, and only that one is worth a word.
func TestCommitIsStopped(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	r, w, err := open(t, source(cluster, func(o *SourceOptions) { o.Group = "g" }))
	if err != nil {
		t.Fatal(err)
	}
	position := map[connector.RecordPartition]int64{r.Partitions()[0]: 1}
	cluster.Close()
	stopped, stop := context.WithCancel(context.Background())
	stop()
	late, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	for _, ctx := range []context.Context{stopped, late} {
		if err := r.Commit(ctx, position); err != nil {
			t.Error(err)
		}
		told := strings.Contains(w.String(), "no broker took the offsets of group g in time: the next run reads again what came since the last commit")
		if told != (ctx == late) || strings.Contains(w.String(), "context") {
			t.Error(w)
		}
	}
}

// TestCommitWithoutGroup: there is nobody to tell.
func TestCommitWithoutGroup(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	r, _, err := open(t, source(cluster, nil))
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if err := r.Commit(gone, map[connector.RecordPartition]int64{r.Partitions()[0]: 1}); err != nil {
		t.Error(err)
	}
}

// TestCloses: Close ends a blocked Next, also where it is of the partition alone.
func TestCloses(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(2, "orders"))
	r, _, err := open(t, source(cluster, func(o *SourceOptions) { o.pace.maxWait = 20 * time.Second }))
	if err != nil {
		t.Fatal(err)
	}
	for i, close := range []func() error{r.Partitions()[0].Close, r.Close} {
		ended := make(chan error)
		go func() {
			_, err := r.Partitions()[i].Next(context.Background())
			ended <- err
		}()
		time.Sleep(20 * time.Millisecond)
		if err := close(); err != nil {
			t.Error(err)
		}
		if err := <-ended; err == nil || errors.Is(err, io.EOF) {
			t.Error(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}
