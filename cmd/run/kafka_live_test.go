package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
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

// newSetup makes the topics. The pipelines' clock shows when the orders were made.
func newSetup(t *testing.T, o orders.Options) *setup {
	t.Chdir(root)
	c := newCluster(t)
	t.Setenv("KAFKA_BROKERS", c.address)
	began := time.Now()
	return &setup{cluster: c, records: orders.Generate(o),
		orders: c.topic("order_event", orders.Partitions), results: c.topic("order_uv", 3, "cleanup.policy", "compact"),
		repaired: c.topic("order_repair", 2), broken: c.topic("order_dirty", 1),
		clock: func() time.Time { return o.Start.Add(time.Since(began)) }}
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
	pipeline := s.hasty("pipelines/order_uv.yaml")
	taken := make(chan struct{})
	testOptions = func(o *runner.Options) {
		o.Monitor, o.Clock, o.TickEvery, o.CommitEvery = &l.monitor, s.clock, 5*time.Millisecond, 50*time.Millisecond
		close(taken)
	}
	go func() {
		l.ended <- run(ctx, s.arguments(pipeline, flags...), nil, &bytes.Buffer{}, &l.stderr)
	}()
	<-taken
	testOptions = nil
	s.t.Cleanup(l.stop)
	l.await("the run begins", func(st runner.Status) bool { return len(st.Partitions) == orders.Partitions })
	return l
}

// hasty gives a pipeline that waits for a silent partition for a second, and not for a minute.
func (s *setup) hasty(path string) string {
	s.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(text, []byte("idle: 1m")) {
		s.t.Fatal(path, err)
	}
	path = filepath.Join(s.t.TempDir(), filepath.Base(path))
	if err := os.WriteFile(path, bytes.Replace(text, []byte("idle: 1m"), []byte("idle: 1s"), 1), 0o644); err != nil {
		s.t.Fatal(err)
	}
	return path
}

// await waits until the run is somewhere.
func (l *live) await(what string, is func(runner.Status) bool) {
	l.t.Helper()
	for end := time.Now().Add(2 * time.Minute); !is(l.monitor.Status()); time.Sleep(2 * time.Millisecond) {
		select {
		case code := <-l.ended:
			l.t.Fatalf("the run has ended with %d\n%s", code, l.stderr.String())
		default:
		}
		if time.Now().After(end) {
			l.t.Fatalf("%s: not yet, at %+v", what, l.monitor.Status().Partitions)
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
	if err := json.Unmarshal(stderr[max(bytes.Index(stderr, []byte(`{"seconds"`)), 0):], &r); err != nil {
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
