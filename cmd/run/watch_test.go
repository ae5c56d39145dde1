package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"go.uber.org/goleak"

	"tidemark/runner"
)

// broker starts a Kafka broker with topics of two partitions each, and gives a client that writes to it.
func broker(t *testing.T, topics ...string) (address string, c *kgo.Client) {
	t.Helper()
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(2, topics...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(cluster.Close)
	address = cluster.ListenAddrs()[0]
	if c, err = kgo.NewClient(kgo.SeedBrokers(address), kgo.RecordPartitioner(kgo.ManualPartitioner())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return address, c
}

// send writes records to a partition.
func send(t *testing.T, c *kgo.Client, topic string, partition int32, values ...string) {
	t.Helper()
	for _, v := range values {
		r := &kgo.Record{Topic: topic, Partition: partition, Value: []byte(v)}
		if err := c.ProduceSync(context.Background(), r).FirstErr(); err != nil {
			t.Fatal(err)
		}
	}
}

// safeBuffer is a buffer that may be read while it is written.
type safeBuffer struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buffer.String()
}

// await waits until f gives something.
func await(t *testing.T, what string, f func() string) string {
	t.Helper()
	for range 1000 {
		if s := f(); s != "" {
			return s
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s never comes", what)
	return ""
}

// going is a command line that is run beside the test.
type going struct {
	t      *testing.T
	cancel context.CancelFunc
	done   chan int
	stderr safeBuffer
}

func goOn(t *testing.T, args ...string) *going {
	ctx, cancel := context.WithCancel(context.Background())
	g := &going{t: t, cancel: cancel, done: make(chan int, 1)}
	t.Cleanup(cancel)
	go func() { g.done <- run(ctx, args, strings.NewReader(""), io.Discard, &g.stderr) }()
	return g
}

// url is where the metrics are, as standard error says.
func (g *going) url() string {
	g.t.Helper()
	listening := regexp.MustCompile(`(?m)^tidemark: metrics at (http://\S+/metrics)$`)
	return await(g.t, "the address of metrics", func() string {
		if m := listening.FindStringSubmatch(g.stderr.String()); m != nil {
			return m[1]
		}
		return ""
	})
}

// stop ends it as a signal does, and wants exit code 0.
func (g *going) stop() {
	g.t.Helper()
	g.cancel()
	select {
	case code := <-g.done:
		if code != exitDone {
			g.t.Errorf("exit code %d\n%s", code, g.stderr.String())
		}
	case <-time.After(10 * time.Second):
		g.t.Fatal("the run does not end")
	}
}

// scrape reads the metrics of a pipeline.
func scrape(t *testing.T, url string) string {
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
	return string(text)
}

const kafkaPipeline = `
sources:
  orders:
    type: kafka
    brokers: "%s"
    topics: [orders]
    timestamp: {expr: ts, unit: ms}
    watermark: {bounded: 0s, idle: off, max_ahead: off}
transforms:
  count: {from: orders, where: v > 0, window: {tumbling: 1m}, aggregate: {n: count()}}
sinks:
  out: {from: count, type: kafka, brokers: "%[1]s", topic: counts}
  late: {from: count.late, type: discard}
settings: {metrics: "localhost:0"}
`

// TestMetrics scrapes a pipeline from Kafka to Kafka while it runs.
func TestMetrics(t *testing.T) {
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { // behind the broker's end
		if err := goleak.Find(before); err != nil {
			t.Error(err)
		}
	})
	address, client := broker(t, "orders", "counts")
	g := goOn(t, "run", pipeline(t, fmt.Sprintf(kafkaPipeline, address)))
	url := g.url()
	send(t, client, "orders", 0, `{"ts":60000,"v":1}`, `{"ts":61000,"v":0}`, `{"ts":125000,"v":1}`)
	send(t, client, "orders", 1, `{"ts":121000,"v":1}`, `{"ts":60000,"v":1}`, `{"ts":122000,"v":null}`)
	for _, line := range []string{
		`tidemark_records_total{node="orders",result="in"} 6`,
		`tidemark_records_total{node="orders",result="out"} 6`,
		`tidemark_records_total{node="count",result="filtered"} 1`,
		`tidemark_records_total{node="count",result="dirty"} 1`,
		`tidemark_watermark_ms{node="orders",partition="orders/0"} 124999`,
		`tidemark_watermark_ms{node="orders",partition="orders/1"} 121999`,
		`tidemark_watermark_ms{node="orders",partition=""} 121999`,
		`tidemark_watermark_ms{node="count",partition=""} 121999`,
		`tidemark_input_watermark_ms{node="count"} 121999`,
		`tidemark_idle{partition="orders/1",source="orders"} 0`,
		`tidemark_source_lag{partition="orders/1",source="orders"} 0`,
		`tidemark_windows{node="count"} 1`,
		`tidemark_records_total{node="out",result="out"} 1`,
		`tidemark_backpressure_seconds_total{node="out"} `,
		`tidemark_busy_seconds_total{node="count"} `,
		`tidemark_state_bytes{node="count"} `,
	} {
		await(t, line, func() string {
			if strings.Contains(scrape(t, url), "\n"+line) {
				return line
			}
			return ""
		})
	}
	g.stop()
	if c, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/metrics")); err == nil {
		c.Close()
		t.Error("metrics are served behind the end")
	}
}

// discarding is a pipeline with more behind it.
const discarding = `
sources:
  in: {type: file, path: in.jsonl, timestamp: ts, watermark: 0s}
sinks:
  out: {from: in, type: discard}
`

// TestMetricsAddress wants an address that can be listened at before anything runs. That of the command line wins.
func TestMetricsAddress(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("in.jsonl", []byte(`{"ts":"2024-05-01T10:00:00Z"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	t.Setenv("ADDRESS", taken.Addr().String())
	inFile := discarding + "settings: {metrics: \"" + taken.Addr().String() + "\"}\n"
	inEnvironment := discarding + "settings: {metrics: \"${ADDRESS}\"}\n"
	for _, c := range []struct {
		text string
		args []string
		code int
		want string
	}{
		{discarding, []string{"--metrics", taken.Addr().String()}, exitFailed, "tidemark: metrics at " + taken.Addr().String() + ": the address is in use; end what listens there"},
		{inFile, nil, exitFailed, "tidemark: metrics at " + taken.Addr().String() + ": the address is in use"},
		{inFile, []string{"--metrics", "localhost:0"}, exitDone, "tidemark: metrics at http://127.0.0.1:"},
		{inEnvironment, nil, exitFailed, "tidemark: metrics at ${ADDRESS}: the address is in use"},
		{discarding, []string{"--metrics", "192.0.2.1:9090"}, exitFailed, "give an address of this machine"},
		{discarding, []string{"--metrics", "9090"}, exitWrong, `--metrics wants an address such as :9090, got "9090"`},
		{discarding, []string{"--metrics", "localhost:"}, exitWrong, `--metrics wants an address such as :9090, got "localhost:"`},
	} {
		code, _, stderr := command(append([]string{"run", pipeline(t, c.text)}, c.args...)...)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit code %d\n%s", c.args, code, stderr)
		}
		if began := strings.Contains(stderr, "1 record"); began != (code == exitDone) || code == exitFailed && strings.Count(stderr, "\n") != 1 {
			t.Errorf("%v: standard error is\n%s", c.args, stderr)
		}
		if c.text == inEnvironment && strings.Contains(stderr, taken.Addr().String()) {
			t.Errorf("the environment is shown:\n%s", stderr)
		}
	}
}

// TestMetricsFromEnvironment serves at an address that nobody is told.
func TestMetricsFromEnvironment(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("ADDRESS", "localhost:0")
	if err := os.WriteFile("in.jsonl", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	code, _, stderr := command("run", pipeline(t, discarding+"settings: {metrics: \"${ADDRESS}\"}\n"))
	if code != exitDone || !strings.HasPrefix(stderr, "tidemark: metrics at ${ADDRESS}\n") {
		t.Errorf("exit code %d\n%s", code, stderr)
	}
}

// TestProgress tells of a live run in lines of their own, and of none unless asked for where there is no terminal.
func TestProgress(t *testing.T) {
	defer func(every time.Duration) { logged = every }(logged)
	logged = 20 * time.Millisecond
	address, client := broker(t, "orders", "counts")
	text := pipeline(t, strings.Replace(fmt.Sprintf(kafkaPipeline, address), "settings:", "#", 1))
	for _, mode := range []string{"auto", "plain", "none"} {
		g := goOn(t, "run", text, "--progress", mode)
		send(t, client, "orders", 0, `{"ts":60000,"v":1}`)
		send(t, client, "orders", 1, `{"ts":60000,"v":"x"}`)
		line := regexp.MustCompile(`(?m)^tidemark: \d+ records/s, watermark 1970-01-01T00:00:59.999Z, \d+h\d+m\d+s behind the clock, lag 0, late 0, dirty [1-9]$`)
		if mode == "plain" {
			await(t, "progress", func() string { return line.FindString(g.stderr.String()) })
		} else {
			time.Sleep(300 * time.Millisecond)
		}
		g.stop()
		if got := strings.Contains(g.stderr.String(), "records/s"); got != (mode == "plain") {
			t.Errorf("%s: standard error is\n%s", mode, g.stderr.String())
		}
	}
}

// TestSilence tells on standard error, and nowhere else, what a run waits for.
func TestSilence(t *testing.T) {
	testOptions = func(o *runner.Options) {
		began := time.Now()
		o.Clock = func() time.Time { return began.Add(500 * time.Since(began)) }
	}
	defer func() { testOptions = nil }()
	address, client := broker(t, "orders", "counts")
	send(t, client, "orders", 0, `{"ts":60000,"v":1}`)
	t.Setenv("TOPIC", "orders")
	text := strings.NewReplacer("settings:", "#", "topics: [orders]", "topics: ['${TOPIC}']").Replace(fmt.Sprintf(kafkaPipeline, address))
	g := goOn(t, "run", pipeline(t, text), "--report", "json")
	line := regexp.MustCompile(`(?m)^tidemark: nothing has come out for .*; \S+ is held by \S+/1, which has had no record with an event time$`)
	said := await(t, "the line about silence", func() string { return line.FindString(g.stderr.String()) })
	g.stop()
	if strings.Contains(said, "orders/1") {
		t.Errorf("it shows what came from the environment: %s", said)
	}
	lines := strings.Split(strings.TrimSpace(g.stderr.String()), "\n")
	if report := lines[len(lines)-1]; !strings.HasPrefix(report, `{"seconds":`) || strings.Contains(report, "nothing has come out") {
		t.Errorf("the report is %s", report)
	}
}

// TestEnvFile looks into the environment, then into the file, and shows nothing of either.
func TestEnvFile(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("FIRST", "from-environment")
	files := map[string]string{
		"dev.env":       "# for development\nexport FIRST='wrong'\nSECOND=\"from-file\"\n",
		"bad.env":       "SECOND=from-file\nTHIRD from-file\n",
		"pipeline.yaml": "sources:\n  in: {type: file, path: \"${FIRST}/${SECOND}.jsonl\", schema: {v: int}}\nsinks:\n  out: {from: in, type: stdout}\n",
		filepath.Join("from-environment", "from-file.jsonl"): "{\"v\":1}\n",
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args         string
		code         int
		stdout, said string
	}{
		{"run pipeline.yaml --env-file dev.env", exitDone, "{\"v\":1}\n", "done: 1 record"},
		{"lint pipeline.yaml --env-file dev.env", exitDone, "", ""},
		{"explain pipeline.yaml --env-file dev.env", exitDone, "", ""},
		{"run pipeline.yaml", exitWrong, "", "SECOND is not set"},
		{"run pipeline.yaml --env-file dev.env --set SECOND=other", exitWrong, "", "${FIRST}/${SECOND}.jsonl"},
		{"lint pipeline.yaml --env-file dev.env --no-env", exitDone, "", "SECOND is not set"},
		{"run pipeline.yaml --env-file bad.env", exitWrong, "", "tidemark: bad.env:2: there is no =; write NAME=VALUE"},
		{"explain pipeline.yaml --env-file none.env", exitWrong, "", "tidemark: cannot read --env-file: open none.env: no such file"},
	} {
		code, stdout, stderr := command(strings.Fields(c.args)...)
		if code != c.code || c.stdout != "" && stdout != c.stdout || !strings.Contains(stdout+stderr, c.said) {
			t.Errorf("%s: exit code %d\n%s\n%s", c.args, code, stdout, stderr)
		}
		for _, secret := range []string{"from-environment", "from-file"} {
			if strings.Contains(stdout+stderr, secret) {
				t.Errorf("%s shows %s:\n%s%s", c.args, secret, stdout, stderr)
			}
		}
	}
}
