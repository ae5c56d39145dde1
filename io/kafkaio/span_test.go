package kafkaio

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"

	"tidemark/io/connector"
	"tidemark/io/kafkaio/internal/kafkatest"
	"tidemark/io/kafkaio/internal/produce"
)

// TestStartWhileWritten begins at the end of a topic that grows between one question and the next.
func TestStartWhileWritten(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	ctx := kafkatest.Context(t)
	w, err := produce.Open(ctx, kafkatest.Client(t, cluster), produce.Options{Topic: "orders", Linger: time.Microsecond})
	if err != nil {
		t.Fatal(err)
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				w.Close(ctx)
				return
			case <-time.After(50 * time.Microsecond):
				w.Send(ctx, &produce.Message{Value: []byte("1"), Timestamp: time.Now().UnixMilli()})
			}
		}
	}()
	for range 20 {
		for _, start := range []*Start{{At: "latest"}, {Timestamp: "2100-01-01"}} {
			r, warnings, err := open(t, source(cluster, func(o *SourceOptions) { o.Start = start }))
			if err != nil || warnings.String() != "" {
				t.Fatalf("%+v: %v %s", *start, err, warnings)
			}
			r.Close()
		}
	}
	close(stop)
	<-stopped
}

// TestStopWithinTransaction ends before a transaction that is open, wherever in it the end was asked for.
func TestStopWithinTransaction(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	c := kafkatest.Client(t, cluster)
	write(t, c, "orders", 0, 0, 9)
	ctx := kafkatest.Context(t)
	w, err := produce.Open(ctx, c, produce.Options{Topic: "orders", Transactions: []string{"open"}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close(ctx)
	for i := int64(9); i < 20; i++ {
		w.Send(ctx, &produce.Message{Value: fmt.Append(nil, i), Timestamp: midnight + i*1000})
	}
	if err := w.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string]int{"2024-01-01T00:00:05Z": 5, "2024-01-01T00:00:15Z": 9, "2100-01-01": 9} {
		r, _, err := open(t, source(cluster, func(o *SourceOptions) { o.Stop = &Stop{Timestamp: at} }))
		if err != nil {
			t.Fatal(err)
		}
		p := read(r, 0)
		if got, err := p.rest(t); err != nil || len(got) != want {
			t.Errorf("up to %s: %d records, %v, want %d", at, len(got), err, want)
		}
	}
}

// TestCommitThatNeverWorks says once why, and again when it has worked in between.
func TestCommitThatNeverWorks(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	r, warnings, err := open(t, source(cluster, func(o *SourceOptions) { o.Group = "g" }))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		cluster.Fault(kfake.Fault{Keys: []kmsg.Key{kmsg.OffsetCommit}, Err: kerr.UnknownMemberID, Count: 3})
		for range 4 {
			if err := r.Commit(kafkatest.Context(t), map[connector.RecordPartition]int64{r.Partitions()[0]: 0}); err != nil {
				t.Error(err)
			}
		}
	}
	if n := strings.Count(warnings.String(), "offsets are not committed"); n != 2 {
		t.Errorf("%d warnings: %s", n, warnings)
	}
}
