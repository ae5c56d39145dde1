package kafkaio

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
	"tidemark/io/kafkaio/internal/kafkatest"
)

// policies are the values of on_offset_out_of_range.
var policies = []string{"fail", "earliest", "latest"}

// TestDeletedWhileRead: retention overtakes a reader that was away.
func TestDeletedWhileRead(t *testing.T) {
	for _, policy := range policies {
		cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
		c := kafkatest.Client(t, cluster)
		write(t, c, "orders", 0, 0, 3)
		var gate kafkatest.Gate
		r, w, err := open(t, source(cluster, func(o *SourceOptions) { o.OnOutOfRange, o.pace.dial = policy, gate.Dial }))
		if err != nil {
			t.Fatal(err)
		}
		p := read(r, 0)
		if _, err := p.take(t, 3); err != nil {
			t.Fatal(err)
		}
		gate.Shut()
		for p.beat(t, 50*time.Millisecond) == nil { // what was under way
		}
		write(t, c, "orders", 0, 3, 12)
		cluster.DeleteRecords("orders", 0, 9)
		gate.Open()
		switch policy {
		case "fail":
			_, err := p.take(t, 1)
			var outside *consume.OutOfRangeError
			if !errors.As(err, &outside) || outside.Records() != 6 {
				t.Error(err)
			}
		case "earliest":
			if got, err := p.take(t, 3); err != nil || !slices.Equal(got, numbers(9, 12)) {
				t.Error(got, err)
			}
			if !strings.Contains(w.String(), "orders/0: 6 records from offset 3 on have been deleted; going on at the earliest offset, 9") {
				t.Error(w)
			}
		case "latest":
			eventually(t, "the warning", func() bool { return p.beat(t, time.Second) != nil || w.String() != "" })
			write(t, c, "orders", 0, 12, 14)
			if got, err := p.take(t, 2); err != nil || !slices.Equal(got, numbers(12, 14)) {
				t.Error(got, err)
			}
			if !strings.Contains(w.String(), "6 records from offset 3 on have been deleted; going on at the latest offset, 12: 3 records are passed over") {
				t.Error(w)
			}
		}
	}
}

// TestMadeAnew: the topic is deleted and another one has its name, which has more or fewer records than were read.
func TestMadeAnew(t *testing.T) {
	for _, policy := range policies {
		for _, size := range []int{2, 30} {
			cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
			c := kafkatest.Client(t, cluster)
			write(t, c, "orders", 0, 0, 6)
			r, w, err := open(t, source(cluster, func(o *SourceOptions) { o.OnOutOfRange, o.pace.gone = policy, 5*time.Second }))
			if err != nil {
				t.Fatal(err)
			}
			p := read(r, 0)
			if _, err := p.take(t, 6); err != nil {
				t.Fatal(err)
			}
			cluster.DeleteTopic("orders")
			cluster.CreateTopic("orders", 1, nil)
			c.Moved(orders)
			write(t, c, "orders", 0, 100, 100+size)
			go r.Added(kafkatest.Context(t)) // it looks at the topic
			var got []string
			for err == nil && w.String() == "" {
				got, err = p.next(t, kafkatest.Context(t)) // perhaps of the new one, before anybody knew
			}
			if err == nil {
				write(t, c, "orders", 0, 200, 201)
				for err == nil && !slices.Contains(got, "200") {
					var values []string
					values, err = p.take(t, 1)
					got = append(got, values...)
				}
			}
			var replaced *consume.ReplacedError
			var outside *consume.OutOfRangeError
			want := map[string][]string{"earliest": append(numbers(100, 100+size), "200"), "latest": {"200"}}[policy]
			switch {
			case policy == "fail" && !errors.As(err, &replaced) && !errors.As(err, &outside):
				t.Errorf("%d: %v", size, err)
			case policy != "fail" && (err != nil || !slices.Equal(got, want) || !strings.Contains(w.String(), "made anew, or has lost records, when it was read up to offset ") || !strings.Contains(w.String(), "going on at the "+policy)):
				t.Errorf("%s %d: %v, want %v, %v\n%s", policy, size, got, want, err, w)
			}
		}
	}
}

// TestTopicGoes: a topic that is deleted ends the run, whatever the policy.
func TestTopicGoes(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	c := kafkatest.Client(t, cluster)
	write(t, c, "orders", 0, 0, 1)
	r, _, err := open(t, source(cluster, func(o *SourceOptions) { o.OnOutOfRange = "earliest" }))
	if err != nil {
		t.Fatal(err)
	}
	p := read(r, 0)
	p.take(t, 1)
	cluster.DeleteTopic("orders")
	_, err = p.take(t, 1)
	var gone *consume.GoneError
	if !errors.As(err, &gone) {
		t.Error(err)
	}
}

// TestBoundedAnew: the end of a bounded read is that of the new topic.
func TestBoundedAnew(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	c := kafkatest.Client(t, cluster)
	write(t, c, "orders", 0, 0, 60)
	r, w, err := open(t, source(cluster, func(o *SourceOptions) {
		o.OnOutOfRange, o.Stop, o.pace.gone = "earliest", &Stop{At: "latest"}, 5*time.Second
	}))
	if err != nil {
		t.Fatal(err)
	}
	p := read(r, 0)
	if got, err := p.next(t, kafkatest.Context(t)); err != nil || len(got) == 0 || len(got) > 20 {
		t.Fatal(got, err)
	}
	cluster.DeleteTopic("orders")
	cluster.CreateTopic("orders", 1, nil)
	c.Moved(client.TopicPartition{Topic: "orders"})
	write(t, c, "orders", 0, 100, 102)
	got, err := p.rest(t)
	if n := len(got); err != nil || n < 2 || !slices.Equal(got[n-2:], numbers(100, 102)) || !strings.Contains(w.String(), "made anew") {
		t.Error(got, err, w)
	}
}
