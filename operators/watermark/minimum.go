package watermark

import "tidemark/stream"

// Minimum combines the watermarks of several partitions, or of a node's inputs: the least one of those that
// are active, and the greatest of all when none is (Flink: WatermarkOutputMultiplexer). The result only rises.
//
// A member at MaxTime has ended: nothing more comes of it, so it neither holds the others back nor speaks for those
// that are idle, which may wake up at any time.
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

// AllIdle reports whether all members that have not ended are idle, and there are such.
func (m *Minimum) AllIdle() bool {
	idle := false
	for _, p := range m.members {
		switch {
		case p.watermark == stream.MaxTime:
		case !p.idle:
			return false
		default:
			idle = true
		}
	}
	return idle
}

// Of gives a member's own watermark.
func (m *Minimum) Of(i int) stream.Time { return m.members[i].watermark }

// Combine computes the combined watermark and reports whether it rose.
func (m *Minimum) Combine() (stream.Time, bool) {
	least, greatest, idle := stream.MaxTime, stream.MinTime, len(m.members) == 0 // none have come to anything yet
	for _, p := range m.members {
		switch {
		case p.watermark == stream.MaxTime:
		case p.idle:
			greatest, idle = max(greatest, p.watermark), true
		default:
			least = min(least, p.watermark)
		}
	}
	if least == stream.MaxTime && idle {
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
