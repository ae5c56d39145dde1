package parquetio

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"strconv"
	"time"

	"tidemark/stream"
)

// tagBad marks a value that cannot be given; its reason is boxed. It never leaves the package.
const tagBad stream.Tag = 255

// want is what a column is to hold, beyond what its file says.
type want struct {
	// float asks for floats where the file has integers.
	float bool
	// millis asks for instants in whole milliseconds, rounded down.
	millis bool
}

// converter turns values as they are stored into what they mean.
type converter struct{ text []byte }

// convert changes the values of a column in place.
func (c *converter) convert(col *stream.Column, t leafType, w want) {
	switch t.means {
	case meansUnsigned:
		unsigned(col)
	case meansHalf:
		halves(col)
	case meansDate:
		days(col)
	case meansInstant:
		instants(col, t.unit, w.millis)
	case meansInt96:
		julian(col, w.millis)
	case meansDecimal:
		c.texts(col, func(dst []byte, row int) ([]byte, string) { return appendDecimal(dst, col, row, t.scale) })
	case meansTime:
		c.texts(col, func(dst []byte, row int) ([]byte, string) { return appendTimeOfDay(dst, col.Ints[row], t.unit) })
	case meansUUID:
		c.texts(col, func(dst []byte, row int) ([]byte, string) { return appendUUID(dst, col.Bytes(row)), "" })
	case meansInterval:
		c.texts(col, func(dst []byte, row int) ([]byte, string) { return appendInterval(dst, col.Bytes(row)), "" })
	case meansBinary:
		c.texts(col, func(dst []byte, row int) ([]byte, string) {
			return base64.StdEncoding.AppendEncode(dst, col.Bytes(row)), ""
		})
	}
	if w.float && col.Kind == stream.Int {
		widen(col)
	}
}

// texts replaces all values by text, or by the reason why there is none.
func (c *converter) texts(col *stream.Column, write func(dst []byte, row int) (text []byte, reason string)) {
	n := col.Len()
	c.text = c.text[:0]
	refs := stream.Resize(col.Refs, n)
	type fault struct {
		row    int
		reason string
	}
	var faults []fault
	for row := range n {
		start := len(c.text)
		text, reason := write(c.text, row)
		if reason != "" {
			faults = append(faults, fault{row, reason})
			text = text[:start]
		}
		c.text = text
		refs[row] = stream.Ref{Off: uint32(start) | stream.ArenaBit, Len: uint32(len(text) - start)}
	}
	col.Kind, col.Refs, col.Data = stream.String, refs, nil
	col.Arena, c.text = c.text, col.Arena
	for _, f := range faults {
		col.SetBoxed(f.row, tagBad, f.reason)
	}
}

// unsigned keeps the digits of integers that an int64 does not hold.
func unsigned(col *stream.Column) {
	for i, v := range col.Ints {
		if v < 0 {
			col.SetBoxed(i, stream.TagOther, strconv.FormatUint(uint64(v), 10))
		}
	}
}

// widen makes floats of integers.
func widen(col *stream.Column) {
	col.Kind = stream.Float
	col.Floats = stream.Resize(col.Floats, len(col.Ints))
	inexact := func(i int, digits string) {
		col.SetBoxed(i, tagBad, "is "+digits+", an integer that no float holds exactly")
	}
	for i, v := range col.Ints {
		f := float64(v)
		col.Floats[i] = f
		if (v > 1<<53 && (f >= 1<<63 || int64(f) != v) || v < -1<<53 && int64(f) != v) && col.Tag(i) == stream.TagOK {
			inexact(i, strconv.FormatInt(v, 10))
		}
	}
	for i := 0; i < len(col.Ints) && col.Odd > 0; i++ {
		if col.Tags[i] == stream.TagOther {
			if digits, is := col.Boxed[i].(string); is {
				inexact(i, digits)
			}
		}
	}
}

const outside = "is an instant outside the years 1 to 9999"

// days makes instants, at midnight, of days since 1970.
func days(col *stream.Column) {
	col.Kind = stream.Instant
	for i, d := range col.Ints {
		ms := d * 86_400_000
		col.Ints[i] = ms
		if !stream.Time(ms).InRange() {
			col.SetBoxed(i, tagBad, outside)
		}
	}
}

// instants makes instants of counts of a unit since 1970.
func instants(col *stream.Column, unit int64, millis bool) {
	col.Kind = stream.Instant
	per := int64(1)
	for range unit - unitMillis {
		per *= 1000
	}
	const first, span = int64(stream.FirstTime), uint64(stream.LastTime - stream.FirstTime)
	for i, v := range col.Ints {
		ms, rest := v, int64(0)
		if per > 1 {
			if ms, rest = v/per, v%per; rest < 0 {
				ms, rest = ms-1, rest+per
			}
			col.Ints[i] = ms
		}
		if uint64(ms-first) > span {
			col.SetBoxed(i, tagBad, outside)
		} else if rest != 0 && !millis {
			col.SetBoxed(i, stream.TagOther, exact(ms, rest*(1_000_000/per)))
		}
	}
}

// exact gives the instant some nanoseconds after a millisecond.
func exact(ms, nanos int64) time.Time {
	return time.UnixMilli(ms).Add(time.Duration(nanos)).UTC()
}

// julian makes instants of INT96: nanoseconds of the day, then the Julian day (Spark, Hive, Impala).
func julian(col *stream.Column, millis bool) {
	const epoch, dayMillis = 2_440_588, 86_400_000
	n := col.Len()
	col.Ints = stream.Resize(col.Ints, n)
	for i := range n {
		b := col.Bytes(i)
		nanos, day := int64(binary.LittleEndian.Uint64(b)), int64(int32(binary.LittleEndian.Uint32(b[8:])))
		ms, rest := nanos/1_000_000, nanos%1_000_000
		if rest < 0 {
			ms, rest = ms-1, rest+1_000_000
		}
		ms += (day - epoch) * dayMillis
		col.Ints[i] = ms
		if !stream.Time(ms).InRange() {
			col.SetBoxed(i, tagBad, outside)
		} else if rest != 0 && !millis {
			col.SetBoxed(i, stream.TagOther, exact(ms, rest))
		}
	}
	col.Kind = stream.Instant
}

// halves makes floats of IEEE 754 numbers of 16 bits.
func halves(col *stream.Column) {
	n := col.Len()
	col.Floats = stream.Resize(col.Floats, n)
	for i := range n {
		h := binary.LittleEndian.Uint16(col.Bytes(i))
		exponent, fraction := int(h>>10&31), float64(h&0x3ff)
		v := 0.0
		switch exponent {
		case 0:
			v = math.Ldexp(fraction, -24)
		case 31:
			if v = math.Inf(1); fraction != 0 {
				v = math.NaN()
			}
		default:
			v = math.Ldexp(1024+fraction, exponent-25)
		}
		if h&0x8000 != 0 {
			v = math.Copysign(v, -1)
		}
		col.Floats[i] = v
	}
	col.Kind = stream.Float
}
