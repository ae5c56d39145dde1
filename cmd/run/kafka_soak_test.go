package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"tidemark/cmd/run/internal/orders"
)

// What a soak sends: so many orders a second of so many buyers. The process may grow by no more than growth, in MB.
const (
	soakRate   = 5000
	soakBuyers = 1000
	growth     = 64
)

// soakFor is how long it lasts: TIDEMARK_SOAK, such as 30m, or a few seconds.
func soakFor(t *testing.T) time.Duration {
	text := os.Getenv("TIDEMARK_SOAK")
	if text == "" {
		return 3 * time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestSoak counts orders live, in a process of its own, while they are sent and the broker goes down twice. Each order is
// counted once, and the process does not grow.
func TestSoak(t *testing.T) {
	s := newSetup(t, orders.Options{Start: time.Now()})
	duration := soakFor(t)
	var stderr bytes.Buffer
	process := exec.Command(built(t), s.arguments("pipelines/order_uv.yaml", "--set", "start=earliest", "--drain")...)
	process.Stderr = &stderr
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { process.Process.Kill() })

	var outages sync.WaitGroup
	for _, at := range []time.Duration{duration / 3, duration * 2 / 3} {
		outages.Go(func() {
			time.Sleep(at)
			if err := s.disturb(); err != nil {
				t.Error(err)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	size := make(chan []int64, 1)
	go func() { size <- residents(ctx, process.Process.Pid, duration/100) }()
	f := s.flow()
	f.send(duration)
	cancel()
	outages.Wait()
	f.close()

	l, got := s.tail(s.results), orders.Table{}
	for end := time.Now().Add(time.Minute); !f.has(got); time.Sleep(50 * time.Millisecond) {
		if err := applyAll(got, l.rest()); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(end) {
			break
		}
	}
	process.Process.Signal(syscall.SIGTERM)
	if err := process.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	if problem := differs(s.table(s.results), f.want); problem != "" {
		t.Errorf("%s\n%s", problem, stderr.String())
	}
	r := report(t, stderr.Bytes())
	t.Logf("%d orders in %.0f s, %d late, %d rows, %.2f s of processor time", countsOf(r, "orders").In, duration.Seconds(), countsOf(r, "uv").Late,
		len(f.want), (process.ProcessState.UserTime() + process.ProcessState.SystemTime()).Seconds())
	checkGrowth(t, <-size)
}

// flow sends orders and counts those that the broker has stored.
type flow struct {
	*setup
	client *kgo.Client
	mutex  sync.Mutex
	want   orders.Table
	last   time.Time // of the orders before the end
	n      int
}

func (s *setup) flow() *flow {
	return &flow{setup: s, want: orders.Table{}, client: s.open(kgo.MaxBufferedRecords(60*soakRate), kgo.ProducerLinger(5*time.Millisecond))}
}

// send sends orders for so long.
func (f *flow) send(duration time.Duration) {
	began := time.Now()
	for tick := time.NewTicker(10 * time.Millisecond); time.Since(began) < duration; <-tick.C {
		for due := int(time.Since(began).Seconds() * soakRate); f.n < due; f.n++ {
			f.last = time.Now()
			f.order(fmt.Sprintf("u%04d", f.n%soakBuyers), f.last, int32(f.n/soakBuyers+f.n)%orders.Partitions)
		}
	}
}

// close sends an order two minutes ahead to each partition, so that the minutes of the others end, and waits until all
// are stored.
func (f *flow) close() {
	for p := range int32(orders.Partitions) {
		f.order("last", f.last.Add(2*time.Minute), p)
	}
	if err := f.client.Flush(f.context()); err != nil {
		f.t.Fatal(err)
	}
}

func (f *flow) order(buyer string, at time.Time, partition int32) {
	amount := float64(1+f.n%97) / 4
	f.client.Produce(context.Background(), &kgo.Record{Topic: f.orders, Partition: partition,
		Value: fmt.Appendf(nil, `{"order_id":"o%d","user_id":%q,"ts":%d,"amount":%g}`, f.n, buyer, at.UnixMilli(), amount),
	}, func(_ *kgo.Record, err error) {
		if err != nil {
			f.t.Error(err)
			return
		}
		f.mutex.Lock()
		defer f.mutex.Unlock()
		f.want.Add(buyer, at, amount)
	})
}

// has reports whether a table has the minutes that are over.
func (f *flow) has(got orders.Table) bool {
	want := maps.Clone(f.want)
	maps.DeleteFunc(want, func(k orders.Key, _ orders.Row) bool { return k.UserID == "last" })
	return differs(got, want) == ""
}

// residents samples how much memory a process has, for as long as it is wanted; nothing where the system does not say.
func residents(ctx context.Context, pid int, every time.Duration) (sizes []int64) {
	for tick := time.NewTicker(every); ; {
		select {
		case <-ctx.Done():
			return sizes
		case <-tick.C:
		}
		text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm"))
		if words := strings.Fields(string(text)); err == nil && len(words) > 1 {
			pages, _ := strconv.ParseInt(words[1], 10, 64)
			sizes = append(sizes, pages*int64(os.Getpagesize()))
		}
	}
}

// checkGrowth compares the memory of a process when it had been warm for a while with that at its end.
func checkGrowth(t *testing.T, sizes []int64) {
	const parts = 10
	if len(sizes) < 2*parts {
		t.Logf("%d samples of the memory", len(sizes))
		return
	}
	var middles []int64 // of each tenth of the time
	for i := range parts {
		part := slices.Sorted(slices.Values(sizes[i*len(sizes)/parts : (i+1)*len(sizes)/parts]))
		middles = append(middles, part[len(part)/2]>>20)
	}
	t.Logf("MB of memory in each tenth of the time: %d; %d at most", middles, slices.Max(sizes)>>20)
	if grown := middles[parts-1] - middles[parts/4]; grown > growth {
		t.Errorf("the process has grown by %d MB", grown)
	}
}
