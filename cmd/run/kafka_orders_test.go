package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tidemark/cmd/run/internal/orders"
	"tidemark/runner"
)

var season = orders.Options{Seed: 7, Start: time.Date(2024, 5, 1, 10, 0, 20, 0, time.UTC), Minutes: 9, PerSecond: 10}

// TestOrders counts orders live, with two outages, and repairs the minutes of late ones, once while the live run goes on
// and once behind it. Then the results are what a count of everything gives.
//
// The orders are of today: a broker that starts again forgets the producers whose records are older than a day, and then
// stores twice what they send again.
func TestOrders(t *testing.T) {
	today := season
	today.Start = time.Now().Truncate(time.Minute).Add(-10 * time.Minute)
	s := newSetup(t, today)
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
			l.await("the silent partition is not waited for", func(st runner.Status) bool { return st.Partitions[orders.Partitions-1].Idle })
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

// TestOrdersAfterKill kills the process of the live run and starts another one. A repair of all rows gives the results.
func TestOrdersAfterKill(t *testing.T) {
	s := newSetup(t, season)
	for i := range s.records {
		s.records[i].Partition %= 3
	}
	s.orders = s.topic("order_event", 3) // of which none falls silent
	results, half := s.tail(s.results), len(s.records)/2
	for i, end := range []os.Signal{os.Kill, syscall.SIGTERM} {
		process := exec.Command(built(t), s.arguments("pipelines/order_uv.yaml", "--set", "start=earliest", "--drain")...)
		var stderr bytes.Buffer
		process.Stderr = &stderr
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { process.Process.Kill() })
		s.send(s.orders, s.records[i*half:(i+1)*half])
		for limit := time.Now().Add(time.Minute); len(results.rest()) == 0; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(limit) {
				t.Fatal("no rows come")
			}
		}
		process.Process.Signal(end)
		if err := process.Wait(); err != nil && end == syscall.SIGTERM {
			t.Fatalf("%v\n%s", err, stderr.String())
		}
		time.Sleep(100 * time.Millisecond) // what it sent last is stored
		results.rest()                     // and is no sign of life of the next process
	}
	s.repair("--set", "all=true")
	if problem := differs(s.table(s.results), orders.Count(s.records)); problem != "" {
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

// TestRepairSameBytes: a read that has an end gives the same records in the same order, with all kinds of settings.
func TestRepairSameBytes(t *testing.T) {
	s := newSetup(t, season)
	t.Cleanup(func() { testOptions = nil })
	s.send(s.orders, s.records)
	for i := range s.records {
		s.records[i].Partition %= 2
	}
	s.send(s.repaired, s.records[1000:3000])
	written := func(flags ...string) []byte {
		s.results = s.topic("order_uv", 3)
		s.repair(flags...)
		partitions := make([]bytes.Buffer, 3)
		for _, r := range s.read(s.results) {
			fmt.Fprintf(&partitions[r.Partition], "%d %s %s %s\n", r.Partition, r.Timestamp.UTC(), r.Key, r.Value)
		}
		return append(append(partitions[0].Bytes(), partitions[1].Bytes()...), partitions[2].Bytes()...)
	}
	want := written("--parallelism", "1")
	if bytes.Count(want, []byte("\n")) < 100 {
		t.Fatalf("no more is written than\n%s", want)
	}
	for _, v := range variants {
		testOptions = func(o *runner.Options) { o.ChunkSize, o.BatchRows, o.Lanes = v.chunk, v.rows, v.lanes }
		if got := written("--parallelism", strconv.Itoa(v.parallelism)); !bytes.Equal(got, want) {
			t.Errorf("%+v: %s", v, firstDifference(got, want))
		}
	}
}
