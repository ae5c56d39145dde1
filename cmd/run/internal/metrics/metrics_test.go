package metrics

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.uber.org/goleak"

	"tidemark/runner"
	"tidemark/stream"
)

// TestMain looks for goroutines that a server has left behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// collector gives the metrics of a status. It shows XX in place of a secret.
func collector(st runner.Status) *Collector {
	return NewCollector(func() runner.Status { return st }, strings.NewReplacer("secret", "XX").Replace)
}

var whole = runner.Status{
	Nodes: []runner.NodeStatus{
		{Counts: runner.Counts{Node: "orders", In: 10, Out: 9, Dirty: 1}, Watermark: 5000, Input: stream.MinTime, EventTime: true, Busy: 1.5},
		{Counts: runner.Counts{Node: "uv", In: 9, Out: 2, Filtered: 1, Late: 2, Used: 6}, Watermark: 4999, Input: 5000, EventTime: true, Busy: 0.25,
			Stateful: true, Windows: 3, StateBytes: 4096},
		{Counts: runner.Counts{Node: "result", In: 2, Out: 2, Used: 2}, Watermark: stream.MaxTime, Input: stream.MaxTime, EventTime: true, Pressed: 2, Pressured: true},
		{Counts: runner.Counts{Node: "broken"}, Watermark: stream.MinTime, Input: stream.MinTime},
	},
	Partitions: []runner.PartitionStatus{
		{Source: "orders", Partition: "order_event/0", Watermark: 5000, Lag: 42},
		{Source: "orders", Partition: "order_event/1", Watermark: stream.MinTime, Idle: true, Lag: -1},
		{Source: "orders", Partition: "order_event/2", Watermark: stream.MaxTime, Lag: 7},
	},
}

const exposition = `
# HELP tidemark_backpressure_seconds_total Time in which the run stood still since a sink waited for whoever it writes to.
# TYPE tidemark_backpressure_seconds_total counter
tidemark_backpressure_seconds_total{node="result"} 2
# HELP tidemark_busy_seconds_total Time at work, of all workers together.
# TYPE tidemark_busy_seconds_total counter
tidemark_busy_seconds_total{node="broken"} 0
tidemark_busy_seconds_total{node="orders"} 1.5
tidemark_busy_seconds_total{node="result"} 0
tidemark_busy_seconds_total{node="uv"} 0.25
# HELP tidemark_idle 1 while a partition has been silent for so long that it no longer holds the watermark back, else 0.
# TYPE tidemark_idle gauge
tidemark_idle{partition="order_event/0",source="orders"} 0
tidemark_idle{partition="order_event/1",source="orders"} 1
# HELP tidemark_input_watermark_ms Watermark of what comes into a node, in milliseconds since 1970.
# TYPE tidemark_input_watermark_ms gauge
tidemark_input_watermark_ms{node="uv"} 5000
# HELP tidemark_source_lag Records of a partition that have not been read yet.
# TYPE tidemark_source_lag gauge
tidemark_source_lag{partition="order_event/0",source="orders"} 42
# HELP tidemark_state_bytes Memory held by windows.
# TYPE tidemark_state_bytes gauge
tidemark_state_bytes{node="uv"} 4096
# HELP tidemark_watermark_ms Watermark in milliseconds since 1970: of a node's output, or of one partition of a source.
# TYPE tidemark_watermark_ms gauge
tidemark_watermark_ms{node="orders",partition=""} 5000
tidemark_watermark_ms{node="orders",partition="order_event/0"} 5000
tidemark_watermark_ms{node="uv",partition=""} 4999
# HELP tidemark_windows Open windows, one for each key.
# TYPE tidemark_windows gauge
tidemark_windows{node="uv"} 3
`

// TestExposition holds every family but the records against what is served.
func TestExposition(t *testing.T) {
	var names []string
	for _, f := range Families {
		if f.Name != "tidemark_records_total" {
			names = append(names, f.Name)
		}
	}
	if err := testutil.CollectAndCompare(collector(whole), strings.NewReader(exposition), names...); err != nil {
		t.Error(err)
	}
	const uv = `
# HELP tidemark_records_total Records by what became of them: in, out, filtered, late, dirty, used.
# TYPE tidemark_records_total counter
tidemark_records_total{node="uv",result="dirty"} 0
tidemark_records_total{node="uv",result="filtered"} 1
tidemark_records_total{node="uv",result="in"} 9
tidemark_records_total{node="uv",result="late"} 2
tidemark_records_total{node="uv",result="out"} 2
tidemark_records_total{node="uv",result="used"} 6
`
	if err := testutil.CollectAndCompare(collector(runner.Status{Nodes: whole.Nodes[1:2]}), strings.NewReader(uv), "tidemark_records_total"); err != nil {
		t.Error(err)
	}
}

// TestLint asks Prometheus's own linter about names and helps. The language promises watermarks in milliseconds, its
// unit of time, where Prometheus would have seconds.
func TestLint(t *testing.T) {
	problems, err := testutil.CollectAndLint(collector(whole))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if !strings.HasSuffix(p.Metric, "_watermark_ms") || p.Text != "metric names should not contain abbreviated units" {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	}
}

// TestPartitionNames keeps labels apart, free of secrets, and valid.
func TestPartitionNames(t *testing.T) {
	names := collector(whole).partitionNames([]runner.PartitionStatus{
		{Source: "a", Partition: "secret/x"}, {Source: "a", Partition: "XX/x"}, {Source: "b", Partition: "XX/x"},
		{Source: "a", Partition: "secret/x"}, {Source: "a", Partition: "\xff.jsonl"},
	})
	if got, want := strings.Join(names, "|"), "XX/x|XX/x (2)|XX/x|XX/x (3)|�.jsonl"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(text)
}

// TestServe scrapes twice, and finds nobody after the end.
func TestServe(t *testing.T) {
	s, err := Serve("localhost:0", collector(whole))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		status, body := get(t, s.URL())
		for _, line := range []string{`tidemark_records_total{node="orders",result="in"} 10`, "go_goroutines ", "process_cpu_seconds_total "} {
			if status != http.StatusOK || !strings.Contains(body, "\n"+line) {
				t.Errorf("%d, no %s in\n%s", status, line, body)
			}
		}
	}
	if status, _ := get(t, strings.TrimSuffix(s.URL(), "metrics")); status != http.StatusNotFound {
		t.Errorf("another page: %d", status)
	}
	address := s.listener.Addr().String()
	s.Close()
	if c, err := net.Dial("tcp", address); err == nil {
		c.Close()
		t.Error("somebody still listens")
	}
}

// TestRefusal says what to do about addresses that nobody can listen at.
func TestRefusal(t *testing.T) {
	taken, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for address, want := range map[string]string{
		taken.Addr().String(): "the address is in use; end what listens there, or give another one",
		"192.0.2.1:9090":      "nobody can listen there (bind: cannot assign requested address); give an address",
		"no.such.invalid:1":   "nobody can listen there (no such host); give an address",
		":99999":              "nobody can listen there (invalid port); give an address",
	} {
		s, err := Serve(address, collector(whole))
		if err == nil {
			s.Close()
			t.Errorf("%s is served", address)
		} else if !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), address) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
