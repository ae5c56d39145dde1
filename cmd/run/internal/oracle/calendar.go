package oracle

import (
	"time"
	_ "time/tzdata" // where the machine has no zones
)

// period gives the calendar window of a time, by walking from date to date.
func (w Window) period(t int64) [2]int64 {
	zone, err := time.LoadLocation(w.Zone)
	if err != nil {
		panic(err)
	}
	y, m, d := time.UnixMilli(t).In(zone).Date()
	date := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	for date = date.AddDate(0, 0, 2); !w.opens(date) || begin(date, zone) > t; {
		date = date.AddDate(0, 0, -1)
	}
	start := begin(date, zone)
	for date = date.AddDate(0, 0, 1); !w.opens(date) || begin(date, zone) <= t; {
		date = date.AddDate(0, 0, 1)
	}
	return [2]int64{start, begin(date, zone)}
}

// opens reports whether a period begins with a date.
func (w Window) opens(date time.Time) bool {
	switch w.Unit {
	case "week":
		return date.Weekday() == time.Monday
	case "month":
		return date.Day() == 1
	case "quarter":
		return date.Day() == 1 && date.Month()%3 == 1
	case "year":
		return date.YearDay() == 1
	}
	return true
}

type dateIn struct {
	date time.Time
	zone string
}

var begun = map[dateIn]int64{}

// begin gives the first instant at which a zone has a date or a later one, found minute by minute.
func begin(date time.Time, zone *time.Location) int64 {
	key := dateIn{date, zone.String()}
	if known, ok := begun[key]; ok {
		return known
	}
	at := date.Add(-27 * time.Hour)
	for {
		y, m, d := at.In(zone).Date()
		if !time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Before(date) {
			break
		}
		at = at.Add(time.Minute)
	}
	begun[key] = at.UnixMilli()
	return begun[key]
}
