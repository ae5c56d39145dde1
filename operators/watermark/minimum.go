package watermark

import "tidemark/stream"

// Minimum combines the watermarks of several partitions, or of a node's inputs: the least one of those that
// are active, and the greatest of all when none is (Flink: WatermarkOutputMultiplexer). The result only rises.
type Minimum struct {
	members []member
	current stream.Time
}

type member struct {
	watermark stream.Time
	idle      bool
}

// NewMinimum makes a combination of n members, all active and without a watermark.
func NewMinimum(n int) *Minimum {
	m := &Minimum{current: stream.MinTime}
	for range n {
		m.Add()
	}
	return m
}

// Add adds an active member without a watermark and gives its number.
func (m *Minimum) Add() int {
	m.members = append(m.members, member{watermark: stream.MinTime})
	return len(m.members) - 1
}

// Set raises a member's watermark and makes it active again, even if the watermark is not higher. It reports
// whether the member's watermark rose. The combined watermark stays as it is until Combine.
func (m *Minimum) Set(i int, w stream.Time) bool {
	p := &m.members[i]
	p.idle = false
	if w <= p.watermark {
		return false
	}
	p.watermark = w
	return true
}

// SetIdle leaves a member out until its next watermark.
func (m *Minimum) SetIdle(i int) { m.members[i].idle = true }

// Activate counts a member again with the watermark that it has, or leaves it out.
func (m *Minimum) Activate(i int, active bool) { m.members[i].idle = !active }

// Idle reports whether a member is left out.
func (m *Minimum) Idle(i int) bool { return m.members[i].idle }

// Of gives a member's own watermark.
func (m *Minimum) Of(i int) stream.Time { return m.members[i].watermark }

// Combine computes the combined watermark and reports whether it rose.
func (m *Minimum) Combine() (stream.Time, bool) {
	least, greatest, active := stream.MaxTime, stream.MinTime, false
	for _, p := range m.members {
		greatest = max(greatest, p.watermark)
		if !p.idle {
			least, active = min(least, p.watermark), true
		}
	}
	if !active {
		least = greatest
	}
	rose := m.raise(least)
	return m.current, rose
}

// others gives the least watermark of the active members but one, MaxTime where there are none.
func (m *Minimum) others(i int) stream.Time {
	least := stream.MaxTime
	for j, p := range m.members {
		if j != i && !p.idle {
			least = min(least, p.watermark)
		}
	}
	return least
}

func (m *Minimum) raise(w stream.Time) bool {
	rose := w > m.current
	m.current = max(m.current, w)
	return rose
}

// End raises the combined watermark to MaxTime, whatever the members say, and reports whether it rose.
func (m *Minimum) End() bool { return m.raise(stream.MaxTime) }

// Watermark gives the combined watermark, MinTime when there is none yet.
func (m *Minimum) Watermark() stream.Time { return m.current }
