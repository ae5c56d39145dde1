package expression

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"tidemark/operators/zone"
	"tidemark/stream"
)

// unitDigits gives, for a unit of time, the places by which a number is shifted to give milliseconds.
var unitDigits = map[string]int{"s": 3, "ms": 0, "us": -3, "ns": -6}

// timeOf is time(x, unit). Fractions of a millisecond are cut off downward.
func timeOf(x, unit any) (any, error) {
	digits, ok := unitDigits[fmt.Sprint(unit)]
	if !ok {
		return nil, fmt.Errorf("time has no unit %q: use s, ms, us or ns", fmt.Sprint(unit))
	}
	var t stream.Time
	switch x := x.(type) {
	case time.Time:
		return x, nil
	case int:
		t, ok = millis(int64(x), digits)
	case int64:
		t, ok = millis(x, digits)
	case float64:
		t, ok = millisFloat(x, digits)
	case string:
		text := strings.TrimSpace(x)
		if !isDecimal(text) {
			return nil, fmt.Errorf("time wants a number, got %q: text is read by date(x)", shorten(text))
		}
		t, ok = millisText(text, digits)
	default:
		return nil, fmt.Errorf("time wants a number, got %s", typeWord(x))
	}
	if !ok {
		return nil, fmt.Errorf("time(%v, %q) is not a time in the years 1 to 9999", x, unit)
	}
	return t.Std(), nil
}

// millis converts a whole number of units, 10^-digits of a millisecond each.
func millis(x int64, digits int) (stream.Time, bool) {
	switch digits {
	case 3:
		if x > math.MaxInt64/1000 || x < math.MinInt64/1000 {
			return 0, false
		}
		x *= 1000
	case -3:
		x = floor(x, 1000)
	case -6:
		x = floor(x, 1_000_000)
	}
	return stream.Time(x), stream.Time(x).InRange()
}

func floor(x, by int64) int64 {
	q := x / by
	if x%by < 0 {
		q--
	}
	return q
}

// millisFloat converts a number of units with a fraction. A product that misses a whole millisecond only by
// the rounding of floats is that millisecond.
func millisFloat(x float64, digits int) (stream.Time, bool) {
	ms := x * 1000
	switch digits {
	case 0:
		ms = x
	case -3:
		ms = x / 1000
	case -6:
		ms = x / 1e6
	}
	down := math.Floor(ms)
	if up := down + 1; digits != 0 && up-ms <= 2*(math.Nextafter(math.Abs(ms), math.Inf(1))-math.Abs(ms)) {
		down = up
	}
	if !(down >= float64(stream.FirstTime) && down <= float64(stream.LastTime)) {
		return 0, false
	}
	return stream.Time(down), true
}

// millisText converts digits, with a fraction or without.
func millisText(s string, digits int) (stream.Time, bool) {
	whole, fraction, split := strings.Cut(s, ".")
	if !split {
		x, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return 0, false
		}
		return millis(x, digits)
	}
	if fraction == "" || digits != 3 || strings.Trim(fraction, "0123456789") != "" {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return 0, false
		}
		return millisFloat(x, digits)
	}
	x, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return 0, false
	}
	f, _ := strconv.ParseInt((fraction + "000")[:3], 10, 64)
	t, ok := millis(x, 3)
	if strings.HasPrefix(whole, "-") {
		f = -f
		if strings.Trim(fraction[min(3, len(fraction)):], "0") != "" {
			f--
		}
	}
	return t + stream.Time(f), ok && (t + stream.Time(f)).InRange()
}

func formatTime(args ...any) (any, error) {
	t, ok := args[0].(time.Time)
	if !ok {
		return nil, fmt.Errorf("format_time wants a timestamp, got %s", typeWord(args[0]))
	}
	in := time.UTC
	if len(args) == 3 {
		var err error
		if in, err = zone.Load(args[2].(string)); err != nil {
			return nil, fmt.Errorf("format_time: unknown time zone %v", args[2])
		}
	}
	return t.In(in).Format(args[1].(string)), nil
}

func truncTime(args ...any) (any, error) {
	t, ok := args[0].(time.Time)
	if !ok {
		return nil, fmt.Errorf("trunc_time wants a timestamp, got %s", typeWord(args[0]))
	}
	text := args[1].(string)
	ms, ok := parseSpan(text)
	if !ok {
		return nil, fmt.Errorf("trunc_time: %q is no duration: use units ms s m h d w, such as 1h", text)
	}
	return stream.Time(floor(t.UnixMilli(), ms) * ms).Std(), nil
}

var spanUnits = map[string]int64{"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}

// parseSpan reads a positive duration such as 1h30m in milliseconds.
func parseSpan(s string) (int64, bool) {
	var total int64
	for s != "" {
		digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
		n, err := strconv.ParseInt(s[:digits], 10, 32)
		s = s[digits:]
		letters := len(s) - len(strings.TrimLeft(s, "msdhw"))
		unit, ok := spanUnits[s[:letters]]
		if err != nil || !ok {
			return 0, false
		}
		total += n * unit
		s = s[letters:]
	}
	return total, total > 0
}
