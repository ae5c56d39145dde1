package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"tidemark/io/kafkaio/internal/client"
	"tidemark/io/kafkaio/internal/consume"
	"tidemark/io/kafkaio/internal/recordbatch"
)

// window is the size of the pipeline's windows in milliseconds, keys how many results each has.
const window, keys = 1000, 8

// every is how often a batch is sent to each partition.
const every = 4 * time.Millisecond

// warmUp is how many windows pass before the first that counts.
const warmUp = 5

// latency runs a pipeline between two topics. It writes events whose time is that of their sending, and measures how
// long after the event that closed its window each result arrives: in each partition that is the first event at or
// behind the window's end, and of these the last.
func latency(ctx context.Context, c *client.Client, o options) error {
	if len(o.arguments) < 2 {
		return errors.New("latency wants a pipeline and a command that runs it")
	}
	name := fmt.Sprintf("%s-%d", o.topic, time.Now().UnixMilli())
	in, out := name+"-in", name+"-out"
	for _, topic := range []string{in, out} {
		if err := create(ctx, c, topic, o.partitions); err != nil {
			return err
		}
		defer remove(context.Background(), c, topic)
	}
	words := append(slices.Clone(o.arguments[1:]), "run", o.arguments[0], "--set", "BROKERS="+c.Brokers(), "--set", "IN="+in, "--set", "OUT="+out)
	pipeline := exec.CommandContext(ctx, words[0], words[1:]...)
	pipeline.Stdout, pipeline.Stderr = os.Stderr, os.Stderr
	if err := pipeline.Start(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		cancel(fmt.Errorf("the pipeline has ended: %w", cmp.Or(pipeline.Wait(), errors.New("by itself"))))
	}()
	m := newMeasurement(o)
	err := m.run(ctx, c, in, out)
	_ = pipeline.Process.Signal(syscall.SIGTERM) // it may have ended
	<-ended
	if err != nil {
		return err
	}
	return m.report()
}

// measurement is what both ends of the pipeline know.
type measurement struct {
	options options
	mutex   sync.Mutex
	// first are, by partition and window, the times at which the first event in or behind the window was sent.
	first []map[int64]time.Time
	// writes are how long each batch of events took until the broker had it.
	writes []time.Duration
	// arrived are the results in the order in which they came.
	arrived []arrival
}

type arrival struct {
	end int64 // of the window, milliseconds since 1970
	at  time.Time
}

func newMeasurement(o options) *measurement {
	m := &measurement{options: o, first: make([]map[int64]time.Time, o.partitions)}
	for i := range m.first {
		m.first[i] = make(map[int64]time.Time)
	}
	return m
}

// run writes and reads until there are enough windows.
func (m *measurement) run(ctx context.Context, c *client.Client, in, out string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	enough := errors.New("there are enough windows")
	defer time.AfterFunc(time.Duration(m.options.windows+warmUp+2)*window*time.Millisecond, func() { cancel(enough) }).Stop()
	var all sync.WaitGroup
	each := func(topic string, f func(context.Context, *client.Client, client.TopicPartition) error) {
		for partition := range m.options.partitions {
			all.Go(func() {
				cancel(f(ctx, c, client.TopicPartition{Topic: topic, Partition: int32(partition)})) // the first cause counts
			})
		}
	}
	each(out, m.consume)
	each(in, m.produce)
	all.Wait()
	if err := context.Cause(ctx); err != enough {
		return err
	}
	return nil
}

// produce writes a partition's share of the events.
func (m *measurement) produce(ctx context.Context, c *client.Client, at client.TopicPartition) error {
	var b recordbatch.Builder
	var value []byte
	tick := time.NewTicker(every)
	defer tick.Stop()
	began, n := time.Now(), 0
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
		now := time.Now()
		ms := now.UnixMilli()
		due := int(now.Sub(began).Seconds() * float64(m.options.rate) / float64(m.options.partitions))
		for ; n < due; n++ {
			value = fmt.Appendf(value[:0], `{"key":%d,"value":%d,"at":%d,"text":"%040d"}`, n%keys, n, ms, n)
			b.Append(ms, nil, value, nil)
		}
		if b.Len() == 0 {
			continue
		}
		m.sent(at.Partition, ms-ms%window, now)
		if err := write(ctx, c, at, b.Build(nil, recordbatch.None)); err != nil {
			return err
		}
		b.Reset()
		m.written(time.Since(now))
	}
}

func (m *measurement) sent(partition int32, start int64, at time.Time) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if _, known := m.first[partition][start]; !known {
		m.first[partition][start] = at
	}
}

func (m *measurement) written(took time.Duration) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.writes = append(m.writes, took)
}

// consume reads results.
func (m *measurement) consume(ctx context.Context, c *client.Client, at client.TopicPartition) error {
	p := consume.Open(c, consume.Options{TopicPartition: at, Committed: true})
	defer p.Close()
	for {
		f, err := p.Next(ctx)
		if err != nil {
			return err
		}
		now := time.Now()
		_, err = recordbatch.Walk(f.Set, f.From, f.Aborted, func(r *recordbatch.Record) error {
			var row struct {
				End int64 `json:"window_end"`
			}
			if err := json.Unmarshal(r.Value, &row); err != nil {
				return err
			}
			m.mutex.Lock()
			defer m.mutex.Unlock()
			m.arrived = append(m.arrived, arrival{row.End, now})
			return nil
		})
		f.Release()
		if err != nil {
			return err
		}
	}
}

// closed gives when the event was sent that closed the window with an end.
func (m *measurement) closed(end int64) (last time.Time, known bool) {
	for _, first := range m.first {
		at, ok := first[end]
		if !ok {
			return last, false
		}
		if at.After(last) {
			last = at
		}
	}
	return last, true
}

// report prints the latencies, and how busy the machine was.
func (m *measurement) report() error {
	var rows []time.Duration
	slowest := make(map[int64]time.Duration)
	begin := int64(0)
	for _, a := range m.arrived {
		closed, known := m.closed(a.end)
		if begin == 0 {
			begin = a.end + warmUp*window
		}
		if known && a.end >= begin {
			took := a.at.Sub(closed)
			rows = append(rows, took)
			slowest[a.end] = max(slowest[a.end], took)
		}
	}
	if len(slowest) < m.options.windows {
		return fmt.Errorf("results of %d windows came, %d were wanted", len(slowest), m.options.windows)
	}
	load, _ := os.ReadFile("/proc/loadavg") // there may be none
	fmt.Printf("%d events/s, %d windows, %d cores, load %s\n", m.options.rate, len(slowest), runtime.NumCPU(), bytes.TrimSpace(load))
	fmt.Println("results behind the events that closed them:", quantiles(rows))
	fmt.Println("last results of the windows:               ", quantiles(slices.Collect(maps.Values(slowest))))
	fmt.Println("to compare, one write, sent to confirmed:  ", quantiles(m.writes))
	return nil
}

// quantiles says how some durations are distributed, in milliseconds.
func quantiles(d []time.Duration) string {
	slices.Sort(d)
	var b strings.Builder
	for _, q := range []struct {
		name string
		at   float64
	}{{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"max", 1}} {
		fmt.Fprintf(&b, " %s %5.1f", q.name, d[min(int(q.at*float64(len(d))), len(d)-1)].Seconds()*1e3)
	}
	return b.String() + " ms"
}
