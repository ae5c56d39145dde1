// Package roll says when a sink that writes parts begins a new one.
package roll

import (
	"time"

	"tidemark/io/connector"
)

// Limits are the option roll. A part is ended by the first limit that it reaches; 0 is no limit.
type Limits struct {
	Rows  int64 `spec:"rows" doc:"after so many rows"`
	Size  int64 `spec:"size,size" doc:"after so many bytes, at the end of the row that reaches them"`
	Every int64 `spec:"every,duration" doc:"after so much clock time since its first row, in milliseconds"`
}

// Validate gives what is wrong with the limits, which are under a name in the options; nil limits are fine.
func (l *Limits) Validate(name string) []connector.Problem {
	var found []connector.Problem
	if l == nil {
		return nil
	}
	for _, limit := range []struct {
		name, example string
		value         int64
	}{{"rows", "1000000", l.Rows}, {"size", "256MiB", l.Size}, {"every", "1h", l.Every}} {
		if limit.value < 0 {
			found = append(found, connector.Problem{Option: name + "." + limit.name,
				Message: limit.name + " must be more than 0", Hint: "write " + limit.name + ": " + limit.example})
		}
	}
	if *l == (Limits{}) {
		found = append(found, connector.Problem{Option: name, Message: name + " says nothing",
			Hint: "write rows, size or every, such as " + name + ": {rows: 1000000}"})
	}
	return found
}

// Meter measures a part against limits.
type Meter struct {
	limits Limits
	clock  func() time.Time
	// Rows and Size are what the part has.
	Rows, Size int64
	since      time.Time
}

// NewMeter makes a meter for an empty part; limits may be nil.
func NewMeter(limits *Limits, clock func() time.Time) *Meter {
	m := &Meter{clock: clock}
	if limits != nil {
		m.limits = *limits
	}
	return m
}

// Reset begins a new part.
func (m *Meter) Reset() { m.Rows, m.Size = 0, 0 }

// Add counts rows and bytes.
func (m *Meter) Add(rows, size int64) {
	if m.Rows == 0 && m.limits.Every > 0 {
		m.since = m.clock()
	}
	m.Rows += rows
	m.Size += size
}

// Room is how many rows may be added before Rows is reached; limit if that is less or there is no such limit.
func (m *Meter) Room(limit int) int {
	if m.limits.Rows == 0 {
		return limit
	}
	return int(min(int64(limit), m.limits.Rows-m.Rows))
}

// Fits reports whether the limits still hold with so many rows and bytes more, so that no row among them can be
// the last one.
func (m *Meter) Fits(rows, size int64) bool {
	return (m.limits.Rows == 0 || m.Rows+rows < m.limits.Rows) && (m.limits.Size == 0 || m.Size+size < m.limits.Size)
}

// Full reports whether the part has reached its rows or its size.
func (m *Meter) Full() bool {
	return m.limits.Rows > 0 && m.Rows >= m.limits.Rows || m.limits.Size > 0 && m.Size >= m.limits.Size
}

// Due reports whether the part's time is over. A part without rows has all the time there is.
func (m *Meter) Due() bool {
	return m.limits.Every > 0 && m.Rows > 0 && m.clock().Sub(m.since) >= time.Duration(m.limits.Every)*time.Millisecond
}
