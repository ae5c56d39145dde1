package watermark

import "tidemark/stream"

// Unit is what a number counts since 1970.
type Unit uint8

// The units. NoUnit is that of a timestamp whose unit was not given.
const (
	NoUnit Unit = iota
	Seconds
	Millis
	Micros
	Nanos
)

var unitNames = [...]string{"", "s", "ms", "us", "ns"}

// String gives the word of a pipeline file: s, ms, us or ns.
func (u Unit) String() string { return unitNames[u] }

// ParseUnit gives the unit of a word, and false if there is none of that name.
func ParseUnit(word string) (Unit, bool) {
	for u := Seconds; u <= Nanos; u++ {
		if unitNames[u] == word {
			return u, true
		}
	}
	return NoUnit, false
}

// perMilli has how many of a unit make a millisecond; for Seconds it is the other way round.
var perMilli = [...]int64{Seconds: 1000, Millis: 1, Micros: 1000, Nanos: 1_000_000}

// Millis gives a number of the unit as a time, rounded down, and false if that is outside years 0001 to 9999.
func (u Unit) Millis(v int64) (stream.Time, bool) {
	t := stream.Time(v)
	switch {
	case u == Seconds && (t < stream.FirstTime/1000 || t > stream.LastTime/1000):
		return 0, false
	case u == Seconds:
		t *= 1000
	case u != Millis:
		t = stream.Time(floorDiv(v, perMilli[u]))
	}
	return t, t.InRange()
}

// floorDiv gives the quotient of a by b, above 0, rounded down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

const (
	year1990 stream.Time = 631152000000
	year2100 stream.Time = 4102444800000
)

// Plausible reports whether a time is one that most data has: from 1990 until before 2100.
func Plausible(t stream.Time) bool { return t >= year1990 && t < year2100 }

// LooksLike gives the unit in which all values are plausible times, and false when there is none.
func LooksLike(values ...int64) (Unit, bool) {
	for u := Seconds; u <= Nanos; u++ {
		fits := len(values) > 0
		for _, v := range values {
			t, ok := u.Millis(v)
			fits = fits && ok && Plausible(t)
		}
		if fits {
			return u, true
		}
	}
	return NoUnit, false
}

// Suspect looks at the event times of the first records, which were read in unit u. It reports whether all of
// them are implausible, and the unit that would fit (NoUnit: none would).
func Suspect(times []stream.Time, u Unit) (fits Unit, suspect bool) {
	for _, t := range times {
		if Plausible(t) {
			return NoUnit, false
		}
	}
	if len(times) == 0 || u == NoUnit {
		return NoUnit, len(times) > 0
	}
	for fits = Seconds; fits <= Nanos; fits++ {
		if fits != u && allPlausible(times, u, fits) {
			return fits, true
		}
	}
	return NoUnit, true
}

// allPlausible says whether times that were read in one unit are plausible in another.
func allPlausible(times []stream.Time, from, to Unit) bool {
	factor := inMillis(to) / inMillis(from)
	for _, t := range times {
		if v := float64(t) * factor; v < float64(year1990) || v >= float64(year2100) {
			return false
		}
	}
	return true
}

// inMillis gives how many milliseconds a unit is.
func inMillis(u Unit) float64 {
	if u == Seconds {
		return 1000
	}
	return 1 / float64(perMilli[u])
}
