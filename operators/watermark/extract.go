package watermark

import (
	"fmt"
	"math"
	"time"

	"tidemark/stream"
)

// Failure is a row without a usable timestamp.
type Failure struct {
	Row    int32
	Reason string
}

// UnitError is a number as timestamp where no unit was given. It ends a run: any guess could be wrong for all
// records.
type UnitError struct {
	Row   int32
	Value float64
	Fits  Unit // the unit in which the number is a time from 1990 to 2100, or NoUnit
}

// Error says which unit would fit.
func (e *UnitError) Error() string {
	number := fmt.Sprintf("the timestamp %s is a number without a unit", formatNumber(e.Value))
	if e.Fits == NoUnit {
		return number + "; give its unit (s, ms, us or ns)"
	}
	t, _ := fromFloat(e.Value, e.Fits)
	return fmt.Sprintf("%s; unit: %s fits (it gives %v)", number, e.Fits, t)
}

// Extractor turns a column of timestamps into event times. It is not safe for concurrent use, and is copied
// freely.
type Extractor struct {
	unit     Unit
	zone     *time.Location
	days     dayCache
	failures []Failure
	fatal    *UnitError
}

// NewExtractor makes an extractor. Numbers, and digits in text, are in unit; NoUnit refuses them. Text
// without a zone is read in zone; nil is UTC.
func NewExtractor(unit Unit, zone *time.Location) *Extractor {
	if zone == nil {
		zone = time.UTC
	}
	return &Extractor{unit: unit, zone: zone}
}

// Extract sets times[row] to the event time of each of the rows (nil: all of times). Fractions of a
// millisecond are cut, downwards. It gives the rows that have none, ascending and valid until the next call,
// whose times are undefined; and the first number without a unit, if any.
func (e *Extractor) Extract(c *stream.Column, rows []int32, times []stream.Time) ([]Failure, *UnitError) {
	e.failures, e.fatal = e.failures[:0], nil
	switch {
	case c.Odd == 0 && c.Kind == stream.Int && e.unit != NoUnit:
		e.ints(c.Ints, rows, times)
	case c.Odd == 0 && c.Kind == stream.Instant:
		e.instants(c.Ints, rows, times)
	case c.Odd == 0 && c.Kind == stream.String:
		e.texts(c, rows, times)
	case rows == nil:
		for row := range times {
			e.one(c, int32(row), times)
		}
	default:
		for _, row := range rows {
			e.one(c, row, times)
		}
	}
	return e.failures, e.fatal
}

func (e *Extractor) ints(values []int64, rows []int32, times []stream.Time) {
	if rows == nil {
		for i := range times {
			t, ok := e.unit.Millis(values[i])
			if times[i] = t; !ok {
				e.number(float64(values[i]), int32(i), times)
			}
		}
		return
	}
	for _, r := range rows {
		t, ok := e.unit.Millis(values[r])
		if times[r] = t; !ok {
			e.number(float64(values[r]), r, times)
		}
	}
}

func (e *Extractor) instants(values []int64, rows []int32, times []stream.Time) {
	if rows == nil {
		for i := range times {
			e.instant(stream.Time(values[i]), int32(i), times)
		}
		return
	}
	for _, r := range rows {
		e.instant(stream.Time(values[r]), r, times)
	}
}

func (e *Extractor) texts(c *stream.Column, rows []int32, times []stream.Time) {
	if rows == nil {
		for i := range times {
			e.text(c.Bytes(i), int32(i), times)
		}
		return
	}
	for _, r := range rows {
		e.text(c.Bytes(int(r)), r, times)
	}
}

// one takes a row of any column.
func (e *Extractor) one(c *stream.Column, row int32, times []stream.Time) {
	switch tag := c.Tag(int(row)); {
	case tag == stream.TagOK:
	case tag == stream.TagOther:
		e.boxed(c.Boxed[row], row, times)
		return
	case tag == stream.TagNull:
		e.fail(row, "the timestamp is null")
		return
	default:
		e.fail(row, "the timestamp is missing")
		return
	}
	switch c.Kind {
	case stream.Int:
		e.integer(c.Ints[row], row, times)
	case stream.Float:
		e.number(c.Floats[row], row, times)
	case stream.String:
		e.text(c.Bytes(int(row)), row, times)
	case stream.Instant:
		e.instant(stream.Time(c.Ints[row]), row, times)
	case stream.Bool:
		e.fail(row, fmt.Sprintf("not a date: %v", c.Bools[row]))
	default:
		e.boxed(c.Boxed[row], row, times)
	}
}

func (e *Extractor) boxed(v any, row int32, times []stream.Time) {
	switch x := v.(type) {
	case nil:
		e.fail(row, "the timestamp is null")
	case int64:
		e.integer(x, row, times)
	case float64:
		e.number(x, row, times)
	case string:
		e.text([]byte(x), row, times)
	case time.Time:
		e.instant(stream.Time(x.UnixMilli()), row, times)
	case []any:
		e.fail(row, "not a date: a list")
	case map[string]any:
		e.fail(row, "not a date: an object")
	default:
		e.fail(row, fmt.Sprintf("not a date: %v", v))
	}
}

func (e *Extractor) integer(v int64, row int32, times []stream.Time) {
	if e.unit != NoUnit {
		if t, ok := e.unit.Millis(v); ok {
			times[row] = t
			return
		}
	}
	e.number(float64(v), row, times)
}

// number takes a float, or an integer that is known not to be a time.
func (e *Extractor) number(v float64, row int32, times []stream.Time) {
	if e.unit == NoUnit {
		if e.fatal == nil {
			e.fatal = &UnitError{Row: row, Value: v, Fits: fitting(v)}
		}
		return
	}
	t, ok := fromFloat(v, e.unit)
	if !ok {
		reason := fmt.Sprintf("timestamp out of range: %s %s is not in the years 0001 to 9999", formatNumber(v), e.unit)
		switch u := fitting(v); {
		case isTicks(v):
			reason += "; it looks like ticks of .NET: (x - 621355968000000000) / 10000 gives ms"
		case u != NoUnit:
			reason += fmt.Sprintf("; unit: %s would fit", u)
		}
		e.fail(row, reason)
		return
	}
	times[row] = t
}

func (e *Extractor) instant(t stream.Time, row int32, times []stream.Time) {
	if !t.InRange() {
		e.fail(row, "timestamp out of range: not in the years 0001 to 9999")
		return
	}
	times[row] = t
}

func (e *Extractor) text(text []byte, row int32, times []stream.Time) {
	t, ok := e.days.parse(text, e.zone)
	if ok && t.InRange() {
		times[row] = t
		return
	}
	if v, digits := number(text); !ok && digits && e.unit != NoUnit {
		if t, ok := fromDecimal(text, e.unit); ok {
			times[row] = t
			return
		}
		e.number(v, row, times)
		return
	}
	switch {
	case ok:
		e.fail(row, fmt.Sprintf("timestamp out of range: %s is not in the years 0001 to 9999", text))
	case len(text) > 40:
		e.fail(row, fmt.Sprintf("not a date: %.40q…", text))
	default:
		e.fail(row, fmt.Sprintf("not a date: %q", text))
	}
}

func (e *Extractor) fail(row int32, reason string) {
	e.failures = append(e.failures, Failure{row, reason})
}

// fitting gives the unit in which v is a plausible time.
func fitting(v float64) Unit {
	if math.Abs(v) < 1<<63 && !isTicks(v) {
		u, _ := LooksLike(int64(v))
		return u
	}
	return NoUnit
}

// isTicks reports whether a number is likely a time of .NET, which counts 100 ns from the year 1 on. As ns from 1970
// on it would lie in a few months of 1990.
func isTicks(v float64) bool {
	const year2000, year2100 = 630822816000000000, 662380416000000000
	return v >= year2000 && v < year2100
}
