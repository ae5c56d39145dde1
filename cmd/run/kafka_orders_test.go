package main

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tidemark/cmd/run/internal/orders"
	"tidemark/runner"
)

// setup is the pipelines of orders on topics of a test.
type setup struct {
	*cluster
	records                           []orders.Record
	orders, results, repaired, broken string
	clock                             func() time.Time
}

// newSetup makes the topics. A minute of the pipelines' clock passes in a second.
func newSetup(t *testing.T, o orders.Options) *setup {
	t.Chdir(root)
	c := newCluster(t)
	t.Setenv("KAFKA_BROKERS", c.address)
	began := time.Now()
	return &setup{cluster: c, records: orders.Generate(o),
		orders: c.topic("order_event", orders.Partitions), results: c.topic("order_uv", 3, "cleanup.policy", "compact"),
		repaired: c.topic("order_repair", 2), broken: c.topic("order_dirty", 1),
		clock: func() time.Time { return o.Start.Add(60 * time.Since(began)) }}
}

func (s *setup) arguments(pipeline string, more ...string) []string {
	return append([]string{"run", pipeline, "--set", "orders=" + s.orders, "--set", "results=" + s.results,
		"--set", "repair=" + s.repaired, "--set", "broken=" + s.broken, "--set", "out=" + s.t.TempDir(), "--report", "json"}, more...)
}

// live is a run of order_uv.yaml that goes on until it is stopped.
type live struct {
	*setup
	monitor runner.Monitor
	stop    context.CancelFunc
	ended   chan int
	stderr  bytes.Buffer // of the run until it has ended
}

// begin starts a live run, which reads what is sent from now on.
func (s *setup) begin(flags ...string) *live {
	s.t.Helper()
	l := &live{setup: s, ended: make(chan int, 1)}
	var ctx context.Context
	ctx, l.stop = context.WithCancel(context.Background())
	taken := make(chan struct{})
	testOptions = func(o *runner.Options) {
		o.Monitor, o.Clock, o.TickEvery, o.CommitEvery = &l.monitor, s.clock, 5*time.Millisecond, 50*time.Millisecond
		close(taken)
	}
	go func() {
		l.ended <- run(ctx, s.arguments("pipelines/order_uv.yaml", flags...), nil, &bytes.Buffer{}, &l.stderr)
	}()
	<-taken
	testOptions = nil
	s.t.Cleanup(l.stop)
	l.await("the run begins", func(st runner.Status) bool { return len(st.Partitions) == orders.Partitions })
	return l
}

// await waits until the run is somewhere.
func (l *live) await(what string, is func(runner.Status) bool) {
	l.t.Helper()
	for end := time.Now().Add(time.Minute); !is(l.monitor.Status()); time.Sleep(2 * time.Millisecond) {
		select {
		case code := <-l.ended:
			l.t.Fatalf("the run has ended with %d\n%s", code, l.stderr.String())
		default:
		}
		if time.Now().After(end) {
			l.t.Fatalf("%s: not yet, at %+v", what, l.monitor.Status())
		}
	}
}

// feed sends records as they come, in pieces that the run takes before the next comes.
func (l *live) feed(records []orders.Record) {
	l.t.Helper()
	taken := l.taken()
	for piece := range slices.Chunk(records, 100) {
		l.send(l.orders, piece)
		taken += int64(len(piece))
		l.await("the orders are counted", func(runner.Status) bool { return l.taken() == taken })
	}
}

// taken is the number of records that the run has read.
func (l *live) taken() int64 { return l.monitor.Status().Nodes[0].In }

// end stops the run and gives its report.
func (l *live) end() runner.Report {
	l.t.Helper()
	l.stop()
	select {
	case code := <-l.ended:
		if code != exitDone {
			l.t.Fatalf("exit code %d\n%s", code, l.stderr.String())
		}
	case <-time.After(time.Minute):
		l.t.Fatal("the run does not end")
	}
	return report(l.t, l.stderr.Bytes())
}

// report reads the report behind whatever else a run says.
func report(t *testing.T, stderr []byte) (r runner.Report) {
	t.Helper()
	if err := json.Unmarshal(stderr[bytes.IndexByte(stderr, '{'):], &r); err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	return r
}

// repair runs order_repair.yaml to its end.
func (s *setup) repair(flags ...string) runner.Report {
	s.t.Helper()
	var stderr bytes.Buffer
	if code := run(context.Background(), s.arguments("pipelines/order_repair.yaml", flags...), nil, &bytes.Buffer{}, &stderr); code != exitDone {
		s.t.Fatalf("repair: exit code %d\n%s", code, stderr.String())
	}
	return report(s.t, stderr.Bytes())
}

func countsOf(r runner.Report, node string) runner.Counts {
	for _, c := range r.Nodes {
		if c.Node == node {
			return c
		}
	}
	return runner.Counts{}
}

var season = orders.Options{Seed: 7, Start: time.Date(2024, 5, 1, 10, 0, 20, 0, time.UTC), Minutes: 9, PerSecond: 10}

// TestOrders counts orders live, with two outages, and repairs the minutes of late ones, once while the live run goes on
// and once behind it. Then the results are what a count of everything gives.
func TestOrders(t *testing.T) {
	s := newSetup(t, season)
	l := s.begin("--drain")
	third := len(s.records) / 3
	var outages sync.WaitGroup
	for i, piece := range [][]orders.Record{s.records[:third], s.records[third : 2*third], s.records[2*third:]} {
		if i > 0 {
			outages.Go(func() {
				if err := s.disturb(); err != nil {
					t.Error(err)
				}
			})
		}
		l.feed(piece)
		if i == 1 {
			s.repair()
		}
	}
	outages.Wait()
	r := l.end()
	want := orders.Count(s.records)
	if late := countsOf(r, "uv").Late; late < 50 || differs(s.table(s.results), want) == "" {
		t.Errorf("%d late orders: there is nothing to repair", late)
	}
	for range 2 { // it may be run again
		s.repair()
		if problem := differs(s.table(s.results), want); problem != "" {
			t.Error(problem)
		}
	}
	s.checkAside(r)
}

// checkAside holds what was put aside against what was sent.
func (s *setup) checkAside(r runner.Report) {
	s.t.Helper()
	sent := map[string]int{}
	for _, o := range s.records {
		sent[string(o.Value)]++
	}
	aside := func(topic string, value func([]byte) string) (n int64) {
		for _, r := range s.read(topic) {
			if text := value(r.Value); text != "" {
				n++
				if sent[text]--; sent[text] < 0 {
					s.t.Errorf("%s: %s was not sent, or not that often", topic, text)
				}
			}
		}
		return n
	}
	if n := aside(s.repaired, func(value []byte) string { return string(value) }); n != countsOf(r, "uv").Late {
		s.t.Errorf("%d records to repair, %d late ones", n, countsOf(r, "uv").Late)
	}
	n := aside(s.broken, func(value []byte) string {
		var d struct {
			Reason, Node string
			Raw          any
		}
		if err := json.Unmarshal(value, &d); err != nil || d.Reason == "" {
			s.t.Errorf("%s: %v", value, err)
		}
		if raw, ok := d.Raw.(string); ok && d.Node == "orders" {
			return raw
		}
		return ""
	})
	if n != countsOf(r, "orders").Dirty || n < 100 {
		s.t.Errorf("%d broken records, the run has counted %d", n, countsOf(r, "orders").Dirty)
	}
}

// TestOrdersAfterStop ends the live run in the middle of minutes, twice, and goes on: what it has given up is read again,
// but not the minutes' orders of before. A repair of all rows gives the results.
func TestOrdersAfterStop(t *testing.T) {
	s := newSetup(t, season)
	third := len(s.records) / 3
	for i := range 3 {
		l := s.begin()
		l.await("what was given up is read again", func(st runner.Status) bool {
			return !slices.ContainsFunc(st.Partitions, func(p runner.PartitionStatus) bool { return p.Lag != 0 })
		})
		l.feed(s.records[i*third : (i+1)*third])
		if r := l.end(); !strings.Contains(strings.Join(r.Warnings, "\n"), "given up") {
			t.Error(r.Warnings)
		}
	}
	want := orders.Count(s.records)
	s.repair("--set", "all=true")
	if problem := differs(s.table(s.results), want); problem != "" {
		t.Error(problem)
	}
}

// TestRepairFrom repairs the minutes from a time on, and leaves the others alone.
func TestRepairFrom(t *testing.T) {
	s := newSetup(t, season)
	s.send(s.orders, s.records)
	from := time.Date(2024, 5, 1, 10, 4, 0, 0, time.UTC)
	s.repair("--set", "all=true", "--set", "from="+from.Format(time.RFC3339))
	want := orders.Count(s.records)
	for k := range want {
		if k.WindowStart.Before(from) {
			delete(want, k)
		}
	}
	if problem := differs(s.table(s.results), want); problem != "" || len(want) < 100 {
		t.Error(problem)
	}
}
