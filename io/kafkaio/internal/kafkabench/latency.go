package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
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
	in, out := o.topic+"-in", o.topic+"-out"
	for _, topic := range []string{in, out} {
		if err := create(ctx, c, topic, o.partitions); err != nil {
			return err
		}
	}
	words := append(slices.Clone(o.arguments[1:]), "run", o.arguments[0], "--set", "BROKERS="+c.Brokers(), "--set", "IN="+in, "--set", "OUT="+out)
	pipeline := exec.CommandContext(ctx, words[0], words[1:]...)
	pipeline.Stdout, pipeline.Stderr = os.Stderr, os.Stderr
	pipeline.Cancel = func() error { return pipeline.Process.Signal(syscall.SIGTERM) }
	if err := pipeline.Start(); err != nil {
		return err
	}
	m := newMeasurement(o)
	runErr := m.run(ctx, c, in, out)
	err := errors.Join(runErr, pipeline.Process.Signal(syscall.SIGTERM))
	if ended := pipeline.Wait(); ended != nil && pipeline.ProcessState.ExitCode() > 0 {
		err = errors.Join(err, ended)
	}
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
	length := time.Duration(m.options.windows+warmUp+2) * window * time.Millisecond
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	var all sync.WaitGroup
	failed := make(chan error, 2*m.options.partitions)
	each := func(topic string, f func(context.Context, *client.Client, client.TopicPartition) error) {
		for partition := range m.options.partitions {
			all.Go(func() {
				err := f(ctx, c, client.TopicPartition{Topic: topic, Partition: int32(partition)})
				if err != nil && ctx.Err() == nil {
					failed <- err
					cancel()
				}
			})
		}
	}
	each(out, m.consume)
	each(in, m.produce)
	all.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
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
	}
}

func (m *measurement) sent(partition int32, start int64, at time.Time) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if _, known := m.first[partition][start]; !known {
		m.first[partition][start] = at
	}
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
	slices.Sort(rows)
	at := func(q float64) float64 { return rows[min(int(q*float64(len(rows))), len(rows)-1)].Seconds() * 1e3 }
	load, _ := os.ReadFile("/proc/loadavg") // there may be none
	fmt.Printf("%d events/s, %d windows, %d results: p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, max %.1f ms; %d cores, load %s\n",
		m.options.rate, len(slowest), len(rows), at(0.5), at(0.9), at(0.99), at(1), runtime.NumCPU(), bytes.TrimSpace(load))
	return nil
}
