package window

import (
	"fmt"
	"time"

	"tidemark/stream"
)

// Calendar windows are the days, weeks, months, quarters or years of a time zone. A day begins at the first instant
// of its date: where midnight does not exist, when the clocks go forward at midnight, some time later. So days have
// 23 or 25 hours at times, and a date that a zone has left out has no window. Weeks begin on Mondays.
type Calendar struct {
	Unit Unit
	// Zone is nil for UTC.
	Zone *time.Location
}

// Unit is what calendar windows are.
type Unit uint8

// The units.
const (
	Day Unit = iota
	Week
	Month
	Quarter
	Year
)

// Units are the names of the units, in their order.
var Units = [...]string{Day: "day", Week: "week", Month: "month", Quarter: "quarter", Year: "year"}

// String gives the unit's name.
func (u Unit) String() string { return Units[u] }

// Validate wants one of the units.
func (s Calendar) Validate() error {
	if int(s.Unit) >= len(Units) {
		return fmt.Errorf("calendar is unit %d, must be below %d", s.Unit, len(Units))
	}
	return nil
}

// Typical is about how long the windows are, in milliseconds: the shortest that they are in UTC.
func (s Calendar) Typical() int64 {
	return [...]int64{Day: 1, Week: 7, Month: 28, Quarter: 90, Year: 365}[s.Unit] * dayMillis
}

const dayMillis = 86_400_000

func (s Calendar) open(lateness int64, l *layout) Operator {
	if s.Zone == nil {
		s.Zone = time.UTC
	}
	return newTumbling(&calendar{Calendar: s}, s.Typical(), lateness, l)
}

// calendar finds the window of a time. Because it takes long to reckon with dates and zones, windows found are kept.
type calendar struct {
	Calendar
	near [256]Window // by quarters of the typical length, modulo 256
}

const (
	// Between these there are dates, before and after them one window each. What records can have lies within.
	firstDated = stream.FirstTime - 800*dayMillis
	lastDated  = stream.LastTime + 800*dayMillis
	// edge is beyond every time that is asked for.
	edge = beyond + 2*maxSpan
)

func (c *calendar) tile(t stream.Time) Window {
	dated := min(max(t, firstDated), lastDated)
	near := &c.near[uint64(int64(dated)*4/c.Typical())%uint64(len(c.near))]
	if t < near.Start || t >= near.End {
		*near = c.find(dated)
	}
	switch {
	case t < near.Start:
		return Window{-edge, near.Start}
	case t >= near.End:
		return Window{near.End, edge}
	}
	return *near
}

// find looks for the window of a time. That of its date has begun; where clocks were set back over midnight the
// date of tomorrow may have begun too, and been interrupted by the rest of today.
func (c *calendar) find(t stream.Time) Window {
	y, m, d := time.UnixMilli(int64(t)).In(c.Zone).Date()
	start := c.first(y, m, d)
	for {
		next := c.following(start)
		if end := c.begin(next); t < end {
			return Window{c.begin(start), end}
		}
		start = next
	}
}

// first gives the first date of a unit in which a date is. Dates are their midnights in UTC.
func (c *calendar) first(y int, m time.Month, d int) time.Time {
	switch c.Unit {
	case Week:
		weekday := time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Weekday()
		d -= (int(weekday) + 6) % 7
	case Month:
		d = 1
	case Quarter:
		m, d = (m-1)/3*3+1, 1
	case Year:
		m, d = 1, 1
	}
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// following gives the first date of the unit after the one that begins at a date.
func (c *calendar) following(date time.Time) time.Time {
	switch c.Unit {
	case Week:
		return date.AddDate(0, 0, 7)
	case Month:
		return date.AddDate(0, 1, 0)
	case Quarter:
		return date.AddDate(0, 3, 0)
	case Year:
		return date.AddDate(1, 0, 0)
	}
	return date.AddDate(0, 0, 1)
}

// farthest is more than any zone has ever been ahead of UTC, in seconds.
const farthest = 27 * 3600

// begin gives the first instant at which the zone has a date, or a later one. It looks at one offset from UTC after
// the other, as they were in force.
func (c *calendar) begin(date time.Time) stream.Time {
	midnight := date.Unix()
	for at := time.Unix(midnight-farthest, 0).In(c.Zone); ; {
		_, offset := at.Zone()
		_, to := at.ZoneBounds()
		if !to.IsZero() && !to.After(at) {
			to = to.Add(24 * time.Hour) // the package time takes the last day of a leap year for the next year's
		}
		if first := max(midnight-int64(offset), at.Unix()); to.IsZero() || first < to.Unix() {
			return stream.Time(first * 1000)
		}
		at = to
	}
}
