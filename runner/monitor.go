package runner

import (
	"sync"

	"tidemark/io/connector"
	"tidemark/runner/plan"
	"tidemark/stream"
)

// Monitor shows what a run is at. The run keeps it up to date a few times a second, and anyone may look.
type Monitor struct {
	mu     sync.Mutex
	status Status
}

// Status gives the latest.
func (m *Monitor) Status() Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.status
}

func (m *Monitor) set(s Status) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.status = s
}

// Status is what a run is at. Nobody changes it any more.
type Status struct {
	Nodes      []NodeStatus
	Partitions []PartitionStatus
}

// NodeStatus is what a node is at.
type NodeStatus struct {
	Counts
	// Watermark is that of the node's output, Input that which has come in; MinTime before there is one.
	Watermark, Input stream.Time
	// EventTime says that the node has watermarks.
	EventTime bool
	// Busy is the time at work in seconds, Pressed the time in which the run could not go on since this node waited
	// for whoever it writes to.
	Busy, Pressed float64
	// Stateful nodes hold Windows keys in open windows in StateBytes of memory.
	Stateful   bool
	Windows    int
	StateBytes int64
}

// PartitionStatus is what a partition of a source is at.
type PartitionStatus struct {
	Source, Partition string
	Watermark         stream.Time
	Idle              bool
	// Lag is the number of records that wait in the partition; −1 where nobody knows.
	Lag int64
}

// status takes stock. It is called by the worker with the token.
func (e *engine) status() Status {
	var st Status
	marks := map[string]stream.Time{} // by node
	for _, s := range e.sources {
		n := NodeStatus{Counts: *s.counts, Watermark: s.watermark, Input: stream.MinTime, EventTime: s.plan.Timestamp != nil, Busy: s.meter.seconds()}
		marks[s.plan.Name] = s.watermark
		st.Nodes = append(st.Nodes, n)
		for i, p := range s.partitions {
			ps := PartitionStatus{Source: s.plan.Name, Partition: p.name, Watermark: p.watermark, Lag: -1}
			if s.combiner != nil {
				_, ps.Idle = s.combiner.Partition(i)
			}
			if p.records != nil {
				ps.Lag = p.records.Lag(p.at())
			}
			st.Partitions = append(st.Partitions, ps)
		}
	}
	for _, node := range e.nodes {
		switch n := node.(type) {
		case *transform:
			input := inputMark(n.plan.Inputs, marks)
			ns := NodeStatus{Counts: *n.counts, Watermark: input, Input: input, EventTime: n.plan.From.EventTime, Busy: n.meter.seconds()}
			if n.operator != nil {
				ns.Stateful, ns.Windows, ns.StateBytes = true, n.operator.Entries(), n.operator.Bytes()
				ns.Watermark = n.operator.Watermark()
			}
			marks[n.plan.Name] = ns.Watermark
			st.Nodes = append(st.Nodes, ns)
		case *sink:
			input := inputMark(n.plan.Inputs, marks)
			ns := NodeStatus{Counts: *n.counts, Watermark: input, Input: input, Busy: n.meter.seconds()}
			for _, in := range n.plan.Inputs {
				ns.EventTime = ns.EventTime || in.EventTime
			}
			if p, ok := n.out.(connector.Pressured); ok {
				ns.Pressed = p.Waited()
			}
			st.Nodes = append(st.Nodes, ns)
		}
	}
	return st
}

// inputMark gives the least watermark of a node's inputs.
func inputMark(inputs []*plan.Output, marks map[string]stream.Time) stream.Time {
	least := stream.MaxTime
	for _, in := range inputs {
		if m, ok := marks[in.Node]; ok && in.EventTime {
			least = min(least, m)
		}
	}
	if least == stream.MaxTime && len(inputs) > 0 {
		return marks[inputs[0].Node]
	}
	return least
}
