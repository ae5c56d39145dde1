package watermark

import (
	"encoding/binary"
	"time"

	"tidemark/operators/zone"
	"tidemark/stream"
)

// dayCache remembers the last date read, since neighbours mostly have the same.
type dayCache struct {
	head uint64 // "2024-05-"
	tail uint16 // "01"
	ms   int64
}

// parse reads text as RFC 3339, where T may also be a space, and the zone may be left out: then the time is
// meant in zone. More than milliseconds are cut. Dates that don't exist, 24:00 and leap seconds are refused.
// The result may be out of range by the zone.
func (d *dayCache) parse(s []byte, zone *time.Location) (stream.Time, bool) {
	if len(s) < 19 {
		return 0, false
	}
	head, tail := binary.LittleEndian.Uint64(s), binary.LittleEndian.Uint16(s[8:])
	if (head != d.head || tail != d.tail) && !d.date(s, head, tail) {
		return 0, false
	}
	ms, ok := clock(binary.LittleEndian.Uint64(s[11:]))
	if separator := s[10]; !ok || separator|0x20 != 't' && separator != ' ' {
		return 0, false
	}
	ms += d.ms
	rest := s[19:]
	if len(rest) == 1 && rest[0]|0x20 == 'z' {
		return stream.Time(ms), true
	}
	if len(rest) > 0 && rest[0] == '.' {
		fraction, n := milliseconds(rest[1:])
		if n == 0 {
			return 0, false
		}
		ms, rest = ms+fraction, rest[1+n:]
	}
	if len(rest) == 0 {
		return local(ms, zone), true
	}
	offset, ok := zoneOffset(rest)
	return stream.Time(ms - offset), ok
}

// date reads the first ten bytes.
func (d *dayCache) date(s []byte, head uint64, tail uint16) bool {
	year, ok1 := digits(s[:4])
	month, ok2 := digits(s[5:7])
	day, ok3 := digits(s[8:10])
	if !ok1 || !ok2 || !ok3 || s[4] != '-' || s[7] != '-' || year == 0 || month < 1 || month > 12 {
		return false
	}
	t := time.Date(int(year), time.Month(month), int(day), 0, 0, 0, 0, time.UTC)
	if int64(t.Day()) != day {
		return false
	}
	d.head, d.tail, d.ms = head, tail, t.UnixMilli()
	return true
}

// clock reads "15:04:05", all eight bytes at once.
func clock(x uint64) (ms int64, ok bool) {
	const (
		shape  = 0x30303A30303A3030 // "00:00:00"
		colons = 0x0000FF0000FF0000
		above9 = 0x7676767676767676 // moves 10 and more to 0x80 and more
		high   = 0x8080808080808080
	)
	x ^= shape
	if x&colons != 0 || (x|(x+above9))&high != 0 {
		return 0, false
	}
	x = x*10 + x>>8 // tens and ones in the bytes of the tens
	h, m, s := int64(byte(x)), int64(byte(x>>24)), int64(byte(x>>48))
	return ((h*60+m)*60 + s) * 1000, h < 24 && m < 60 && s < 60
}

// milliseconds reads the digits of a fraction of a second and gives their number.
func milliseconds(s []byte) (ms int64, n int) {
	unit := int64(100)
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		ms += int64(s[n]-'0') * unit
		unit /= 10
		n++
	}
	return ms, n
}

// zoneOffset reads "Z" or "+05:30", in milliseconds.
func zoneOffset(s []byte) (ms int64, ok bool) {
	if len(s) == 1 {
		return 0, s[0]|0x20 == 'z'
	}
	if len(s) != 6 || s[3] != ':' || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	h, ok1 := digits(s[1:3])
	m, ok2 := digits(s[4:6])
	ms = (h*60 + m) * 60_000
	if s[0] == '-' {
		ms = -ms
	}
	return ms, ok1 && ok2 && h < 24 && m < 60
}

// local gives the instant at which clocks in a zone show what UTC's would show at ms.
func local(ms int64, z *time.Location) stream.Time {
	if z == time.UTC {
		return stream.Time(ms)
	}
	return stream.Time(zone.Local(stream.Time(ms).Std(), z).UnixMilli())
}
