package spec

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Duration is a span of time in milliseconds.
type Duration int64

// The units of durations, in milliseconds.
const (
	Millisecond Duration = 1
	Second               = 1000 * Millisecond
	Minute               = 60 * Second
	Hour                 = 60 * Minute
	Day                  = 24 * Hour
	Week                 = 7 * Day
)

// units from the largest to the smallest.
var units = []struct {
	name string
	size Duration
}{{"w", Week}, {"d", Day}, {"h", Hour}, {"m", Minute}, {"s", Second}, {"ms", Millisecond}}

// unitWords are other spellings of units, as people write them, and ours.
var unitWords = map[string]string{
	"msec": "ms", "msecs": "ms", "milli": "ms", "millis": "ms", "millisecond": "ms", "milliseconds": "ms",
	"sec": "s", "secs": "s", "second": "s", "seconds": "s", "S": "s", "min": "m", "mins": "m", "minute": "m",
	"minutes": "m", "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "H": "h", "day": "d", "days": "d", "D": "d",
	"week": "w", "weeks": "w", "W": "w", "MS": "ms", "Ms": "ms",
}

// calendarWords are spans without a fixed length, and the calendar window that they ask for.
var calendarWords = map[string]string{
	"mo": "month", "mon": "month", "month": "month", "months": "month", "quarter": "quarter", "quarters": "quarter",
	"q": "quarter", "Q": "quarter", "y": "year", "Y": "year", "yr": "year", "year": "year", "years": "year",
}

// String writes d with the largest units that fit: 1h30m, 0s.
func (d Duration) String() string {
	if d == 0 {
		return "0s"
	}
	text, rest := "", uint64(d)
	if d < 0 {
		text, rest = "-", -rest
	}
	for _, u := range units {
		if n := rest / uint64(u.size); n > 0 && (u.name != "w" || rest%uint64(u.size) == 0) {
			text += strconv.FormatUint(n, 10) + u.name
			rest -= n * uint64(u.size)
		}
	}
	return text
}

// ParseDuration reads a duration: numbers with the units ms s m h d w, combined at will (1h30m), or 0. A leading
// minus is read; who wants none refuses it. With an error comes a hint: how it should be written.
func ParseDuration(text string) (d Duration, hint string, err error) {
	body, negative := strings.CutPrefix(text, "-")
	if body == "0" {
		return 0, "", nil
	}
	if body == "" {
		return 0, "write 5s (units: ms, s, m, h, d, w)", fmt.Errorf("%q is no duration", text)
	}
	sum := 0.0
	for rest := body; rest != ""; {
		n := digits(rest)
		unit := letters(rest[n:])
		size := unitSize(unit)
		if n == 0 || size == 0 {
			return badDuration(text, body, rest[:n], rest[n:])
		}
		count, _ := strconv.ParseInt(rest[:n], 10, 64) // too large a count is the greatest int64, refused below
		d += Duration(count) * size
		if sum += float64(count) * float64(size); sum >= math.MaxInt64/2 {
			return 0, "the greatest duration is a few million years", fmt.Errorf("%q is too long", text)
		}
		rest = rest[n+len(unit):]
	}
	if negative {
		d = -d
	}
	return d, "", nil
}

// badDuration says what is wrong with a duration whose part `number` is followed by `rest`.
func badDuration(text, body, number, rest string) (Duration, string, error) {
	word := letters(strings.TrimLeft(rest, " "))
	switch {
	case number != "" && rest == "":
		return 0, fmt.Sprintf("write %ss (or %sms, %sm)", number, number, number), fmt.Errorf("%q has no unit", text)
	case number != "" && strings.HasPrefix(rest, "."):
		return 0, wholeHint(body), fmt.Errorf("%q is not a whole number of a unit", text)
	case number != "" && word == "M":
		return 0, fmt.Sprintf("write %sm for minutes; for months window: {calendar: month}", number), fmt.Errorf("%q has no known unit", text)
	case number != "" && calendarWords[word] != "":
		return 0, fmt.Sprintf("write window: {calendar: %s}", calendarWords[word]), fmt.Errorf("%q has no fixed length", text)
	case word == "us" || word == "µs" || word == "ns":
		return 0, "the smallest unit is ms", fmt.Errorf("%q is finer than a millisecond", text)
	}
	if mended := mendDuration(body); mended != "" {
		return 0, "write " + mended, fmt.Errorf("%q is no duration", text)
	}
	return 0, "write 5s, 1m30s (units: ms, s, m, h, d, w)", fmt.Errorf("%q is no duration", text)
}

// mendDuration spells a duration such as `10 sec` in our units, and gives nothing if it can't.
func mendDuration(text string) string {
	out := ""
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimLeft(rest, " ,") {
		n := digits(rest)
		number := rest[:n]
		rest = strings.TrimLeft(rest[n:], " ")
		unit := letters(rest)
		rest = rest[len(unit):]
		if ours := unitWords[unit]; ours != "" {
			unit = ours
		}
		if n == 0 || unitSize(unit) == 0 {
			return ""
		}
		out += number + unit
	}
	return out
}

// wholeHint writes a fraction such as 1.5h in whole units.
func wholeHint(body string) string {
	n := strings.TrimLeft(body, "0123456789.")
	value, err := strconv.ParseFloat(strings.TrimSuffix(body, n), 64)
	unit := strings.TrimSpace(n)
	if ours := unitWords[unit]; ours != "" {
		unit = ours
	}
	size := unitSize(unit)
	if err != nil || size == 0 && unit != "" || value*float64(size) > float64(520*Week) {
		return "write whole numbers: 1m30s"
	}
	if unit == "" {
		return "write " + Duration(value*float64(Second)).String() + " (units: ms, s, m, h, d, w)"
	}
	return "write " + Duration(value*float64(size)).String()
}

func digits(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// letters is the word that text begins with.
func letters(text string) string {
	for i, r := range text {
		if r < 'A' || r > 'Z' && r < 'a' || r > 'z' && r < 128 {
			return text[:i]
		}
	}
	return text
}

func unitSize(name string) Duration {
	for _, u := range units {
		if u.name == name {
			return u.size
		}
	}
	return 0
}
