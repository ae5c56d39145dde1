package expression

import "tidemark/stream"

// parseUTC reads the common form of RFC 3339, 2006-01-02T15:04:05Z with up to three digits of a fraction. It
// is sure of what it accepts; all else is for time.Parse.
func parseUTC(s []byte) (stream.Time, bool) {
	if len(s) < 20 || len(s) > 24 || s[4] != '-' || s[7] != '-' || s[10] != 'T' || s[13] != ':' || s[16] != ':' || s[len(s)-1] != 'Z' {
		return 0, false
	}
	bad := 0
	year := int(two(s, 0, &bad)*100 + two(s, 2, &bad))
	month, day := two(s, 5, &bad), two(s, 8, &bad)
	hour, minute, second := two(s, 11, &bad), two(s, 14, &bad), two(s, 17, &bad)
	ms := int64(0)
	if len(s) > 20 {
		if s[19] != '.' || len(s) == 21 {
			return 0, false
		}
		ms = fraction(s[20:len(s)-1], &bad)
	}
	if bad != 0 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	days := daysFromCivil(int64(year), month, day)
	return stream.Time((days*86400+hour*3600+minute*60+second)*1000 + ms), true
}

// two reads two digits at i; anything else counts as bad.
func two(s []byte, i int, bad *int) int64 {
	a, b := s[i]-'0', s[i+1]-'0'
	if a > 9 || b > 9 {
		*bad++
	}
	return int64(a)*10 + int64(b)
}

// fraction reads up to three digits as milliseconds.
func fraction(s []byte, bad *int) int64 {
	ms, scale := int64(0), int64(100)
	for _, c := range s {
		if c -= '0'; c > 9 {
			*bad++
		}
		ms += int64(c) * scale
		scale /= 10
	}
	return ms
}

func daysIn(year int, month int64) int64 {
	switch month {
	case 4, 6, 9, 11:
		return 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// daysFromCivil gives the day of a Gregorian date, counted from 1970-01-01 (after Howard Hinnant).
func daysFromCivil(y, m, d int64) int64 {
	if m <= 2 {
		y--
	}
	era := floor(y, 400)
	yoe := y - era*400
	doy := (153*((m+9)%12)+2)/5 + d - 1
	return era*146097 + yoe*365 + yoe/4 - yoe/100 + doy - 719468
}
