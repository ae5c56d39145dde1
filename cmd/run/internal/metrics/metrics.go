// Package metrics shows what a run is at in the words of Prometheus, and serves it.
//
// Everything is read from the run's own account when somebody asks, so that there is nothing to be kept up to date. The
// names are those of [Families]. What is not known is left out rather than given as 0: a watermark before the first one
// and behind the end of the input, the lag of a partition whose end is not known, and partitions that have ended.
package metrics

import (
	"fmt"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"tidemark/runner"
	"tidemark/stream"
)

// Family is a metric with all its labels.
type Family struct {
	Name, Help string
	Labels     []string
	// Counter says that it only grows; else it is a gauge.
	Counter bool
}

// The families by their place in [Families].
const (
	records = iota
	watermark
	inputWatermark
	idle
	lag
	busy
	pressed
	windows
	stateBytes
)

// Families are all metrics of a pipeline.
var Families = []Family{
	records:        {"tidemark_records_total", "Records by what became of them: in, out, filtered, late, dirty, used.", []string{"node", "result"}, true},
	watermark:      {"tidemark_watermark_ms", "Watermark in milliseconds since 1970: of a node's output, or of one partition of a source.", []string{"node", "partition"}, false},
	inputWatermark: {"tidemark_input_watermark_ms", "Watermark of what comes into a node, in milliseconds since 1970.", []string{"node"}, false},
	idle:           {"tidemark_idle", "1 while a partition has been silent for so long that it no longer holds the watermark back, else 0.", []string{"source", "partition"}, false},
	lag:            {"tidemark_source_lag", "Records of a partition that have not been read yet.", []string{"source", "partition"}, false},
	busy:           {"tidemark_busy_seconds_total", "Time at work, of all workers together.", []string{"node"}, true},
	pressed:        {"tidemark_backpressure_seconds_total", "Time in which the run stood still since a sink waited for whoever it writes to.", []string{"node"}, true},
	windows:        {"tidemark_windows", "Open windows, one for each key.", []string{"node"}, false},
	stateBytes:     {"tidemark_state_bytes", "Memory held by windows.", []string{"node"}, false},
}

// descriptions are those of the families.
var descriptions = func() (list []*prometheus.Desc) {
	for _, f := range Families {
		list = append(list, prometheus.NewDesc(f.Name, f.Help, f.Labels, nil))
	}
	return list
}()

// Collector gives the metrics of one run. It is a [prometheus.Collector].
type Collector struct {
	status func() runner.Status
	redact func(string) string
}

// NewCollector makes a collector of what status gives. redact takes what nobody may see out of names of partitions,
// such as parts of paths.
func NewCollector(status func() runner.Status, redact func(string) string) *Collector {
	return &Collector{status, redact}
}

// Describe implements [prometheus.Collector].
func (c *Collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range descriptions {
		out <- d
	}
}

// Collect implements [prometheus.Collector].
func (c *Collector) Collect(out chan<- prometheus.Metric) {
	st, w := c.status(), writer{out}
	for i := range st.Nodes {
		w.node(&st.Nodes[i])
	}
	names := c.partitionNames(st.Partitions)
	for i := range st.Partitions {
		w.partition(&st.Partitions[i], names[i])
	}
}

// partitionNames gives the partitions' labels, which differ within a source even where what is shown of their names
// does not.
func (c *Collector) partitionNames(partitions []runner.PartitionStatus) []string {
	names := make([]string, len(partitions))
	seen := map[[2]string]int{}
	for i := range partitions {
		p := &partitions[i]
		name := strings.ToValidUTF8(c.redact(p.Partition), "�")
		key := [2]string{p.Source, name}
		if seen[key]++; seen[key] > 1 {
			name = fmt.Sprintf("%s (%d)", name, seen[key])
		}
		names[i] = name
	}
	return names
}

// writer hands on values.
type writer struct{ out chan<- prometheus.Metric }

func (w writer) node(n *runner.NodeStatus) {
	for _, r := range []struct {
		result string
		n      int64
	}{{"in", n.In}, {"out", n.Out}, {"filtered", n.Filtered}, {"late", n.Late}, {"dirty", n.Dirty}, {"used", n.Used}} {
		w.value(records, float64(r.n), n.Node, r.result)
	}
	if n.EventTime {
		w.time(watermark, n.Watermark, n.Node, "")
		w.time(inputWatermark, n.Input, n.Node)
	}
	w.value(busy, n.Busy, n.Node)
	if n.Pressured {
		w.value(pressed, n.Pressed, n.Node)
	}
	if n.Stateful {
		w.value(windows, float64(n.Windows), n.Node)
		w.value(stateBytes, float64(n.StateBytes), n.Node)
	}
}

func (w writer) partition(p *runner.PartitionStatus, name string) {
	if p.Watermark == stream.MaxTime { // it has ended
		return
	}
	w.time(watermark, p.Watermark, p.Source, name)
	state := 0.0
	if p.Idle {
		state = 1
	}
	w.value(idle, state, p.Source, name)
	if p.Lag >= 0 {
		w.value(lag, float64(p.Lag), p.Source, name)
	}
}

// time hands on a watermark, unless there is none yet or the input has ended.
func (w writer) time(family int, t stream.Time, labels ...string) {
	if t > stream.MinTime && t < stream.MaxTime {
		w.value(family, float64(t), labels...)
	}
}

func (w writer) value(family int, v float64, labels ...string) {
	kind := prometheus.GaugeValue
	if Families[family].Counter {
		kind = prometheus.CounterValue
	}
	w.out <- prometheus.MustNewConstMetric(descriptions[family], kind, v, labels...)
}
