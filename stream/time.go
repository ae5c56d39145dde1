package stream

import (
	"math"
	"time"
)

// Time is an instant in milliseconds since 1970-01-01T00:00Z; negative before it.
type Time int64

const (
	// MinTime is the watermark before anything is known. No record has it.
	MinTime Time = math.MinInt64
	// MaxTime is the watermark after the end of the input. No record has it.
	MaxTime Time = math.MaxInt64

	// FirstTime is 0001-01-01T00:00Z, the earliest event time that a record may have.
	FirstTime Time = -62135596800000
	// LastTime is 9999-12-31T23:59:59.999Z, the latest event time that a record may have.
	LastTime Time = 253402300799999
)

// InRange reports whether t is an event time that a record may have (years 0001 to 9999).
func (t Time) InRange() bool { return t >= FirstTime && t <= LastTime }

// Std gives t as a time.Time in UTC.
func (t Time) Std() time.Time { return time.UnixMilli(int64(t)).UTC() }

// String gives t as RFC 3339 in UTC, and the sentinels as -inf and +inf.
func (t Time) String() string {
	switch {
	case t == MinTime:
		return "-inf"
	case t == MaxTime:
		return "+inf"
	}
	return string(t.Append(nil))
}

// Append appends t as RFC 3339 in UTC, with milliseconds only where they are not zero.
func (t Time) Append(dst []byte) []byte {
	if !t.InRange() {
		return t.Std().AppendFormat(dst, time.RFC3339Nano)
	}
	days, ms := floorDiv(int64(t), 86_400_000)
	y, m, d := civil(days)
	dst = append4(dst, y)
	dst = append2(append(dst, '-'), m)
	dst = append2(append(dst, '-'), d)
	dst = append2(append(dst, 'T'), ms/3_600_000)
	dst = append2(append(dst, ':'), ms/60_000%60)
	dst = append2(append(dst, ':'), ms/1000%60)
	if frac := ms % 1000; frac != 0 {
		dst = append(dst, '.', byte('0'+frac/100), byte('0'+frac/10%10), byte('0'+frac%10))
		for dst[len(dst)-1] == '0' {
			dst = dst[:len(dst)-1]
		}
	}
	return append(dst, 'Z')
}

// floorDiv gives the quotient of a by b rounded down, and the remainder, which is never negative.
func floorDiv(a, b int64) (q, r int64) {
	q, r = a/b, a%b
	if r < 0 {
		q, r = q-1, r+b
	}
	return q, r
}

// civil gives the Gregorian date of a day counted from 1970-01-01 (after Howard Hinnant's civil_from_days).
func civil(days int64) (y, m, d int64) {
	era, doe := floorDiv(days+719468, 146097)
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	d = doy - (153*mp+2)/5 + 1
	m = mp + 3
	if m > 12 {
		m -= 12
	}
	y = yoe + era*400
	if m <= 2 {
		y++
	}
	return y, m, d
}

func append2(dst []byte, v int64) []byte {
	return append(dst, byte('0'+v/10), byte('0'+v%10))
}

func append4(dst []byte, v int64) []byte {
	return append(dst, byte('0'+v/1000), byte('0'+v/100%10), byte('0'+v/10%10), byte('0'+v%10))
}
