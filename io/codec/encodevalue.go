package codec

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"tidemark/stream"
)

// AppendValue appends a boxed value as JSON: maps with their names sorted, a time.Time as RFC 3339 in UTC
// with as many digits as it needs, NaN and the infinities as null.
func AppendValue(dst []byte, v any) []byte {
	e := valueEncoder{}
	return e.append(dst, v)
}

// valueEncoder writes values, and counts what JSON can't express.
type valueEncoder struct {
	times     TimeFormat
	nonFinite int64 // written as null so far
	names     []string
}

func (e *valueEncoder) append(dst []byte, v any) []byte {
	switch x := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, x)
	case int64:
		return appendInt(dst, x)
	case int:
		return appendInt(dst, int64(x))
	case float64:
		return e.float(dst, x)
	case string:
		return appendQuoted(dst, bytesOf(x))
	case time.Time:
		return e.time(dst, x)
	case []any:
		return e.list(dst, x)
	case map[string]any:
		return e.object(dst, x)
	}
	// Not one of the kinds of a boxed value; its text is better than nothing.
	return appendQuoted(dst, []byte(fmt.Sprint(v)))
}

func (e *valueEncoder) list(dst []byte, list []any) []byte {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = e.append(dst, v)
	}
	return append(dst, ']')
}

func (e *valueEncoder) object(dst []byte, object map[string]any) []byte {
	// Names of objects inside are kept behind those of the ones around.
	first := len(e.names)
	for name := range object {
		e.names = append(e.names, name)
	}
	slices.Sort(e.names[first:])
	dst = append(dst, '{')
	for i := first; i < first+len(object); i++ {
		if i > first {
			dst = append(dst, ',')
		}
		dst = append(appendQuoted(dst, bytesOf(e.names[i])), ':')
		dst = e.append(dst, object[e.names[i]])
	}
	clear(e.names[first:])
	e.names = e.names[:first]
	return append(dst, '}')
}

// float writes the shortest text that reads back as v, as encoding/json does.
func (e *valueEncoder) float(dst []byte, v float64) []byte {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		e.nonFinite++
		return append(dst, "null"...)
	}
	if i := int64(v); float64(i) == v && i > -1e15 && i < 1e15 && (i != 0 || !math.Signbit(v)) {
		return appendInt(dst, i)
	}
	format := byte('f')
	if abs := math.Abs(v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	dst = strconv.AppendFloat(dst, v, format, -1, 64)
	if n := len(dst); format == 'e' && dst[n-4] == 'e' && dst[n-3] == '-' && dst[n-2] == '0' {
		// 1e-09 is written 1e-9.
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// AppendInstant appends a time in milliseconds as JSON.
func AppendInstant(dst []byte, ms int64, times TimeFormat) []byte {
	e := valueEncoder{times: times}
	return e.instant(dst, ms)
}

// instant writes a time in milliseconds.
func (e *valueEncoder) instant(dst []byte, ms int64) []byte {
	switch e.times {
	case Milliseconds:
		return appendInt(dst, ms)
	case Seconds:
		return appendSeconds(dst, floor(ms, 1000), (ms-floor(ms, 1000)*1000)*1e6)
	}
	dst = append(dst, '"')
	dst = stream.Time(ms).Append(dst)
	return append(dst, '"')
}

// time writes an instant that milliseconds don't hold. As milliseconds it is rounded down.
func (e *valueEncoder) time(dst []byte, t time.Time) []byte {
	switch e.times {
	case Milliseconds:
		return appendInt(dst, t.UnixMilli())
	case Seconds:
		return appendSeconds(dst, t.Unix(), int64(t.Nanosecond()))
	}
	dst = append(dst, '"')
	dst = t.UTC().AppendFormat(dst, time.RFC3339Nano)
	return append(dst, '"')
}

// appendSeconds writes seconds and nanoseconds since 1970, the latter counted upwards also before it.
func appendSeconds(dst []byte, seconds, nanos int64) []byte {
	if seconds < 0 && nanos > 0 {
		// −1.25 s is −2 s and 0.75 s.
		seconds, nanos = seconds+1, 1e9-nanos
		if seconds == 0 {
			dst = append(dst, '-')
		}
	}
	dst = appendInt(dst, seconds)
	if nanos == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := int64(1e8); nanos > 0; unit /= 10 {
		dst = append(dst, byte('0'+nanos/unit))
		nanos %= unit
	}
	return dst
}

// floor divides and rounds down.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
