package infer

import (
	"fmt"
	"strconv"
	"strings"

	"tidemark/operators/watermark"
	"tidemark/spec"
	"tidemark/stream"
)

// writeClock writes where the time is, and how far records are behind.
func (s *Source) writeClock(b *block) {
	k := s.clock
	switch {
	case s.table.records() == 0:
		b.line(2, "", "there are no records: which column has the time can't be told")
		return
	case k == nil:
		b.line(2, "", "no column has times that could be read: windows of event time need a timestamp")
		return
	}
	var why []string
	name := reference(k.column.name)
	value := scalar(name)
	switch {
	case k.unit != watermark.NoUnit:
		value = fmt.Sprintf("{expr: %s, unit: %s}", flowScalar(name), k.unit)
		why = append(why, "as "+k.unit.String()+" the values are times of "+k.years())
	case k.layout != "":
		value = scalar(fmt.Sprintf("date(%s, %s)", k.text(), strconv.Quote(k.layout)))
		if !zoned(k.layout) {
			why = append(why, `without a zone they are read as UTC; local times want "Europe/Berlin" behind the layout`)
		}
	case s.table.zoneless(k.column):
		why = append(why, fmt.Sprintf("without a zone they are read as UTC; local times want {expr: %s, timezone: Europe/Berlin}", flowScalar(name)))
	}
	if k.unsure != "" {
		why = append(why, k.unsure)
	}
	if n := k.lacking(); n > 0 {
		why = append(why, fmt.Sprintf("%s have none that can be read and are dirty", rows(n, s.table.good())))
	}
	if n := k.odd(); n > 0 {
		why = append(why, fmt.Sprintf("%s have one outside 1990 to 2100", rows(n, s.table.good())))
	}
	b.line(2, "timestamp: "+value, strings.Join(why, "; "))
	b.line(2, fmt.Sprintf("watermark: {bounded: %s}", k.bound()), k.disorder(s.table.good()))
}

// text is the expression of the text that has the time. Nulls are no dates, but may stand there.
func (k *clock) text() string {
	one := func(c *column) string {
		if c.nulls > 0 {
			return reference(c.name) + ` ?? ""`
		}
		return reference(c.name)
	}
	if k.beside == nil {
		return one(k.column)
	}
	within := func(c *column) string {
		if c.nulls > 0 {
			return "(" + one(c) + ")"
		}
		return one(c)
	}
	return within(k.column) + ` + " " + ` + within(k.beside)
}

// rows says how many of the rows.
func rows(n, total int) string {
	return percent(n, total) + " of the rows"
}

// years gives the span of the plausible times.
func (k *clock) years() string {
	least, greatest := stream.MaxTime, stream.MinTime
	for _, times := range k.times {
		for _, at := range times {
			if at != noTime && watermark.Plausible(at) {
				least, greatest = min(least, at), max(greatest, at)
			}
		}
	}
	from, to := least.Std().Year(), greatest.Std().Year()
	if from == to {
		return strconv.Itoa(from)
	}
	return fmt.Sprintf("%d to %d", from, to)
}

// bounds are durations that people would write, in milliseconds.
var bounds = []spec.Duration{0, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 2 * 60_000, 5 * 60_000, 10 * 60_000, 15 * 60_000,
	30 * 60_000, 3_600_000, 2 * 3_600_000, 3 * 3_600_000, 6 * 3_600_000, 12 * 3_600_000}

// bound gives a duration that no row of the sample is further behind than.
func (k *clock) bound() spec.Duration {
	greatest := spec.Duration(0)
	if n := len(k.steps); n > 0 {
		greatest = spec.Duration(k.steps[n-1])
	}
	for _, d := range bounds {
		if greatest <= d {
			return d
		}
	}
	const day = 86_400_000
	return (greatest + day - 1) / day * day
}

// disorder says how many rows are behind, and how far.
func (k *clock) disorder(total int) string {
	n := len(k.steps)
	if n == 0 {
		return "no row of the sample is behind an earlier one of its file"
	}
	text := fmt.Sprintf("%s are up to %s behind an earlier one of their file", rows(n, total), spec.Duration(k.steps[n-1]))
	// A few rows with a wrong clock make all results wait.
	if most := k.steps[(n-1)*9/10]; n >= 10 && k.steps[n-1] > 10*most {
		text += fmt.Sprintf(", 90 %% of those up to %s", spec.Duration(most))
	}
	return text
}
