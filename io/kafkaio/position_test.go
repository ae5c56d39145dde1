package kafkaio

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/kafkatest"
)

var orders = client.TopicPartition{Topic: "orders"}

// TestPositions reads a partition that has the offsets [3, 12) from and to wherever options say.
func TestPositions(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	c := kafkatest.Client(t, cluster)
	write(t, c, "orders", 0, 0, 12)
	cluster.DeleteRecords("orders", 0, 3)
	for i, group := range []int64{2, 5, 12, 20} {
		offsets := map[client.TopicPartition]int64{orders: group}
		if err := c.Commit(kafkatest.Context(t), fmt.Sprint("at", []int{2, 5, 12, 20}[i]), offsets); err != nil {
			t.Fatal(err)
		}
	}
	latest := &Stop{At: "latest"}
	at := func(partition int32, offset int64) map[int32]int64 { return map[int32]int64{partition: offset} }
	for name, k := range map[string]struct {
		group    string
		start    *Start
		stop     *Stop
		policy   string
		from, to int
		warning  string
		err      string
	}{
		"defaults":              {stop: latest, from: 3, to: 12},
		"earliest":              {start: &Start{At: "earliest"}, stop: latest, from: 3, to: 12},
		"latest":                {start: &Start{At: "latest"}, stop: latest, from: 12, to: 12},
		"timestamp":             {start: &Start{Timestamp: "2024-01-01T00:00:07Z"}, stop: latest, from: 7, to: 12},
		"between two":           {start: &Start{Timestamp: "1704067206500"}, stop: latest, from: 7, to: 12},
		"before all":            {start: &Start{Timestamp: "2023-01-01"}, stop: latest, from: 3, to: 12},
		"behind all":            {start: &Start{Timestamp: "2024-01-01 01:00:00"}, stop: latest, from: 12, to: 12},
		"offsets":               {start: &Start{Offsets: at(0, 4)}, stop: latest, from: 4, to: 12},
		"stop at time":          {stop: &Stop{Timestamp: "2024-01-01T00:00:08Z"}, from: 3, to: 8},
		"stop behind all":       {stop: &Stop{Timestamp: "2034-01-01T00:00:08Z"}, from: 3, to: 12},
		"stop before all":       {stop: &Stop{Timestamp: "2014-01-01T00:00:08Z"}, from: 3, to: 3},
		"stop at offset":        {stop: &Stop{Offsets: at(0, 7)}, from: 3, to: 7},
		"stop in a batch":       {start: &Start{Offsets: at(0, 7)}, stop: &Stop{Offsets: at(0, 8)}, from: 7, to: 8},
		"stop before start":     {start: &Start{Offsets: at(0, 7)}, stop: &Stop{Offsets: at(0, 5)}, from: 7, to: 7},
		"group":                 {group: "at5", stop: latest, from: 5, to: 12},
		"group, start":          {group: "at5", start: &Start{At: "latest"}, stop: latest, from: 5, to: 12},
		"group at end":          {group: "at12", stop: latest, from: 12, to: 12},
		"group without":         {group: "none", start: &Start{Offsets: at(0, 4)}, stop: latest, from: 4, to: 12},
		"forced":                {group: "at5", start: &Start{At: "earliest", Force: true}, stop: latest, from: 3, to: 12},
		"forced offset":         {group: "at5", start: &Start{Offsets: at(0, 9), Force: true}, stop: latest, from: 9, to: 12},
		"deleted":               {start: &Start{Offsets: at(0, 1)}, stop: latest, err: "orders/0 begins at offset 3: the 2 records from 1 on have been deleted; set on_offset_out_of_range"},
		"deleted, earliest":     {start: &Start{Offsets: at(0, 1)}, stop: latest, policy: "earliest", from: 3, to: 12, warning: "orders/0: 2 records from offset 1 on have been deleted; going on at the earliest offset, 3"},
		"deleted, latest":       {start: &Start{Offsets: at(0, 1)}, stop: latest, policy: "latest", from: 12, to: 12, warning: "2 records from offset 1 on have been deleted; going on at the latest offset, 12: 9 records are passed over"},
		"deleted group":         {group: "at2", stop: latest, err: "orders/0 begins at offset 3: the record at 2 has been deleted"},
		"all of it deleted":     {start: &Start{Offsets: at(0, 0)}, stop: &Stop{Offsets: at(0, 2)}, policy: "earliest", from: 3, to: 3, warning: "2 records from offset 0 on"},
		"beyond":                {group: "at20", stop: latest, err: "orders/0 ends at offset 12, 8 before offset 20"},
		"beyond, earliest":      {group: "at20", stop: latest, policy: "earliest", from: 3, to: 12, warning: "orders/0: it ends at offset 12, 8 before offset 20"},
		"beyond, latest":        {start: &Start{Offsets: at(0, 13)}, stop: latest, policy: "latest", from: 12, to: 12, warning: "it ends at offset 12, 1 before offset 13, where the reading was to go on: records were lost or the topic was made anew; going on at the latest offset, 12: 9 records are passed over"},
		"start of none":         {start: &Start{Offsets: at(3, 1)}, stop: latest, err: `start.offsets: topic "orders" has no partition 3: its partitions are 0 to 0`},
		"stop of none":          {stop: &Stop{Offsets: at(3, 1)}, err: `stop.offsets: topic "orders" has no partition 3`},
		"at the end explicitly": {start: &Start{Offsets: at(0, 12)}, stop: latest, from: 12, to: 12},
	} {
		t.Run(name, func(t *testing.T) {
			o := source(cluster, func(o *SourceOptions) {
				o.Group, o.Start, o.Stop = k.group, k.start, k.stop
				if k.policy != "" {
					o.OnOutOfRange = k.policy
				}
			})
			if !o.Bounded() {
				t.Error("it is not bounded")
			}
			r, w, err := open(t, o)
			if err != nil || k.err != "" {
				if k.err == "" || err == nil || !strings.Contains(err.Error(), k.err) {
					t.Errorf("%v, want %q", err, k.err)
				}
				return
			}
			p := read(r, 0)
			if p.Start() != int64(k.from) || p.Lag(int64(k.from)) != max(int64(k.to-k.from), 0) {
				t.Errorf("begins at %d, lags %d, want [%d, %d)", p.Start(), p.Lag(int64(k.from)), k.from, k.to)
			}
			got, err := p.rest(t)
			if err != nil || !slices.Equal(got, numbers(k.from, k.to)) {
				t.Errorf("%v, want [%d, %d), %v", got, k.from, k.to, err)
			}
			if text := w.String(); !strings.Contains(text, k.warning) || (k.warning == "") != (text == "") || strings.Contains(text, "\n") {
				t.Errorf("it warns %q, want %q", text, k.warning)
			}
		})
	}
}

// TestStopAhead waits for an offset that does not exist yet.
func TestStopAhead(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(1, "orders"))
	c := kafkatest.Client(t, cluster)
	write(t, c, "orders", 0, 0, 2)
	r, _, err := open(t, source(cluster, func(o *SourceOptions) { o.Stop = &Stop{Offsets: map[int32]int64{0: 4}} }))
	if err != nil {
		t.Fatal(err)
	}
	p := read(r, 0)
	got, err := p.take(t, 2)
	if err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	if _, err := p.next(t, kafkatest.Context(t)); err != nil {
		t.Error(err)
	}
	write(t, c, "orders", 0, 2, 9)
	if got, err := p.rest(t); err != nil || !slices.Equal(got, numbers(2, 4)) {
		t.Error(got, err)
	}
}

// TestStopLacksPartition: a bounded read has an end in each partition.
func TestStopLacksPartition(t *testing.T) {
	cluster := kafkatest.Cluster(t, kfake.SeedTopics(2, "orders"))
	_, _, err := open(t, source(cluster, func(o *SourceOptions) { o.Stop = &Stop{Offsets: map[int32]int64{0: 4}} }))
	if err == nil || !strings.Contains(err.Error(), `stop.offsets lacks partition 1 of topic "orders"`) {
		t.Error(err)
	}
}
