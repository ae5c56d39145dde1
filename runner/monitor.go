package runner

import (
	"slices"
	"sync"
	"time"

	"tidemark/io/connector"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// Monitor shows what a run is at. The run keeps it up to date a few times a second, from its first record to its end,
// and anyone may look. What piles up while the run can't go on, since a sink waits for whoever it writes to, is looked
// at when it is asked for.
type Monitor struct {
	mu     sync.Mutex
	status Status
	// waits and lags are where the nodes' Pressed and the partitions' Lag come from, nil where nobody knows.
	waits []connector.Pressured
	lags  []lag
	// next is when it is worth while to take stock again. It belongs to whoever holds the token.
	next time.Time
}

// lag is a partition with the position that the run has come to.
type lag struct {
	records  connector.RecordPartition
	position int64
}

// Status gives the latest; before the run has begun it is empty.
func (m *Monitor) Status() Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	st := Status{Nodes: slices.Clone(m.status.Nodes), Partitions: slices.Clone(m.status.Partitions)}
	for i, w := range m.waits {
		if w != nil {
			st.Nodes[i].Pressed = max(st.Nodes[i].Pressed, w.Waited())
		}
	}
	for i, l := range m.lags {
		if l.records != nil {
			st.Partitions[i].Lag = l.records.Lag(l.position)
		}
	}
	return st
}

// Status is what a run is at.
type Status struct {
	// Nodes are the sources, then transforms and sinks, each after what it reads.
	Nodes []NodeStatus
	// Partitions are those of all sources.
	Partitions []PartitionStatus
}

// NodeStatus is what a node is at.
type NodeStatus struct {
	Counts
	// Watermark is that of the node's output, Input that which has come in: MinTime before there is one, and at a
	// source; MaxTime behind the end of the input.
	Watermark, Input stream.Time
	// EventTime says that the node has watermarks.
	EventTime bool
	// Busy is the time at work in seconds, of all workers together. Pressed is the time in which the run could not go
	// on since this node waited for whoever it writes to; it is no part of Busy. Pressured says that the node knows it.
	Busy, Pressed float64
	Pressured     bool
	// Stateful nodes hold Windows keys in open windows in StateBytes of memory.
	Stateful   bool
	Windows    int
	StateBytes int64
}

// PartitionStatus is what a partition of a source is at.
type PartitionStatus struct {
	Source, Partition string
	// Watermark is MinTime before there is one, MaxTime behind the end of the partition.
	Watermark stream.Time
	// Idle says that the partition does not hold the others back, since it has given nothing for a while.
	Idle bool
	// Lag is the number of records that wait in the partition; −1 where nobody knows.
	Lag int64
}

// monitorShare bounds what taking stock costs: at most one part in so many of the run's time.
const monitorShare = 50

// monitor brings the monitor up to date, unless that would cost too much. It is called by the worker with the token.
func (e *engine) monitor() {
	if m := e.options.Monitor; m != nil && !time.Now().Before(m.next) {
		e.show()
	}
}

// show brings the monitor up to date. It is called by the worker with the token, or while no worker runs.
func (e *engine) show() {
	m := e.options.Monitor
	if m == nil {
		return
	}
	e.watch.leave() // so that the times are those up to now
	began := time.Now()
	s := &survey{engine: e, marks: map[string]stream.Time{}}
	s.take()
	m.next = began.Add(monitorShare * time.Since(began))
	m.mu.Lock()
	defer m.mu.Unlock()
	m.status, m.waits, m.lags = s.status, s.waits, s.lags
}

// survey takes stock of a run. marks has the watermark of every node that was seen.
type survey struct {
	engine *engine
	status Status
	waits  []connector.Pressured
	lags   []lag
	marks  map[string]stream.Time
}

// take visits all nodes.
func (s *survey) take() {
	for _, source := range s.engine.sources {
		s.source(source)
	}
	var merged *union // of the node that follows it
	for _, n := range s.engine.nodes {
		switch n := n.(type) {
		case *union:
			merged = n
			continue
		case *transform:
			s.transform(n, merged)
		case *sink:
			s.sink(n, merged)
		}
		merged = nil
	}
}

// node takes up a node.
func (s *survey) node(n NodeStatus, waits connector.Pressured) {
	s.marks[n.Node] = n.Watermark
	s.status.Nodes = append(s.status.Nodes, n)
	s.waits = append(s.waits, waits)
}

func (s *survey) source(source *source) {
	s.node(NodeStatus{
		Counts: *source.counts, Watermark: source.watermark, Input: stream.MinTime,
		EventTime: source.plan.Timestamp != nil, Busy: source.meter.seconds(),
	}, nil)
	for i, p := range source.partitions {
		ps := PartitionStatus{Source: source.plan.Name, Partition: p.name, Watermark: p.watermark, Lag: -1}
		if p.ended {
			ps.Watermark = stream.MaxTime
		} else if source.combiner != nil {
			_, ps.Idle = source.combiner.Partition(i)
		}
		l := lag{records: p.records}
		if l.records != nil {
			s.engine.mu.Lock() // a feed moves the position of a partition that gives nothing
			l.position = p.at()
			s.engine.mu.Unlock()
			ps.Lag = l.records.Lag(l.position)
		}
		s.status.Partitions = append(s.status.Partitions, ps)
		s.lags = append(s.lags, l)
	}
}

func (s *survey) transform(t *transform, merged *union) {
	input := s.input(t.plan.Inputs, merged)
	n := NodeStatus{Counts: *t.counts, Watermark: input, Input: input, EventTime: t.plan.From.EventTime, Busy: t.meter.seconds()}
	if o := t.operator; o != nil {
		n.Stateful, n.Windows, n.StateBytes, n.Watermark = true, o.Entries(), o.Bytes(), o.Watermark()
	}
	s.node(n, nil)
}

func (s *survey) sink(k *sink, merged *union) {
	input := s.input(k.plan.Inputs, merged)
	n := NodeStatus{
		Counts: *k.counts, Watermark: input, Input: input, Busy: k.meter.seconds(),
		EventTime: slices.ContainsFunc(k.plan.Inputs, func(in *plan.Output) bool { return in.EventTime }),
	}
	waits, ok := k.out.(connector.Pressured)
	if ok {
		n.Pressured, n.Pressed = true, waits.Waited()
		n.Busy = max(n.Busy-n.Pressed, 0)
	}
	s.node(n, waits)
}

// input gives the watermark of what a node reads: that of the union before it, else the least of its inputs.
func (s *survey) input(inputs []*plan.Output, merged *union) stream.Time {
	if merged != nil {
		return merged.minimum.Watermark()
	}
	least, found := stream.MaxTime, false
	for _, in := range inputs {
		if in.EventTime {
			least, found = min(least, s.marks[in.Node]), true
		}
	}
	if !found {
		return stream.MinTime
	}
	return least
}
