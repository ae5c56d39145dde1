package window_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"tidemark/operators/window"
	"tidemark/operators/zone"
	"tidemark/stream"
)

// naiveCalendar finds a calendar window by walking: from date to date back to the first of the unit and on to the
// next one, and minute by minute to the first instant of a date.
func naiveCalendar(s window.Calendar, t int64) window.Window {
	y, m, d := time.UnixMilli(t).In(s.Zone).Date()
	date := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	for date = date.AddDate(0, 0, 2); !begins(s.Unit, date) || naiveBegin(date, s.Zone) > t; {
		date = date.AddDate(0, 0, -1)
	}
	start := naiveBegin(date, s.Zone)
	for date = date.AddDate(0, 0, 1); !begins(s.Unit, date) || naiveBegin(date, s.Zone) <= t; {
		date = date.AddDate(0, 0, 1)
	}
	return window.Window{Start: stream.Time(start), End: stream.Time(naiveBegin(date, s.Zone))}
}

// begins reports whether a unit begins with a date.
func begins(u window.Unit, date time.Time) bool {
	switch u {
	case window.Week:
		return date.Weekday() == time.Monday
	case window.Month:
		return date.Day() == 1
	case window.Quarter:
		return date.Day() == 1 && date.Month()%3 == 1
	case window.Year:
		return date.YearDay() == 1
	}
	return true
}

type dateIn struct {
	date, zone string
}

var begun = map[dateIn]int64{}

// naiveBegin gives the first instant at which a zone has a date, or a later one.
func naiveBegin(date time.Time, z *time.Location) int64 {
	key := dateIn{date.String(), z.String()}
	if known, ok := begun[key]; ok {
		return known
	}
	reached := func(at time.Time) bool {
		y, m, d := at.In(z).Date()
		return !time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Before(date)
	}
	at := date.Add(-27 * time.Hour)
	for !reached(at) {
		at = at.Add(time.Minute)
	}
	for reached(at.Add(-time.Second)) {
		at = at.Add(-time.Second)
	}
	begun[key] = at.UnixMilli()
	return begun[key]
}

// oddZones are those in which a day is not what one thinks.
var oddZones = []string{"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Pacific/Kwajalein", "America/Sao_Paulo",
	"Asia/Beirut", "America/St_Johns", "America/Juneau", "Asia/Manila", "Asia/Kathmandu", "Africa/Cairo", "America/Havana", "Africa/Monrovia", "Asia/Tehran"}

// oddTimes are in days that some of these zones lack, cut short or repeat.
var oddTimes = []string{"2011-12-30T10:00:00Z", "1993-08-21T12:00:00Z", "2018-11-04T03:00:00Z", "2024-03-30T22:00:00Z", "2010-11-07T02:31:00Z",
	"1867-10-19T00:31:00Z", "1844-12-31T15:56:00Z", "2024-03-31T01:00:00Z", "2024-10-27T01:00:00Z", "1972-01-07T00:44:30Z", "2024-04-06T15:00:00Z", "1969-12-31T23:00:00Z"}

func drawCalendar(t *rapid.T) window.Calendar {
	names := oddZones
	if rapid.Bool().Draw(t, "any zone") {
		names = zone.Names()
	}
	z, err := zone.Load(rapid.SampledFrom(names).Draw(t, "zone"))
	if err != nil {
		t.Fatal(err)
	}
	return window.Calendar{Unit: window.Unit(rapid.IntRange(0, len(window.Units)-1).Draw(t, "unit")), Zone: z}
}

// drawOrigin draws a time near an odd one, or any from 1800 to 2200.
func drawOrigin(t *rapid.T) int64 {
	if rapid.Bool().Draw(t, "any time") {
		return rapid.Int64Range(-5_364_662_400_000, 7_258_118_400_000).Draw(t, "origin")
	}
	return instant(t, rapid.SampledFrom(oddTimes).Draw(t, "odd time")) + rapid.Int64Range(-200_000_000, 200_000_000).Draw(t, "shift")
}

func instant(t fataler, text string) int64 {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at.UnixMilli()
}

// TestCalendarWindows holds windows that are known, by a record a window in which it is first or last.
func TestCalendarWindows(t *testing.T) {
	for _, test := range []struct {
		unit             window.Unit
		zone, start, end string
	}{
		{window.Day, "UTC", "2024-05-01T00:00:00Z", "2024-05-02T00:00:00Z"},
		{window.Day, "Europe/Berlin", "2024-03-30T23:00:00Z", "2024-03-31T22:00:00Z"},       // 23 hours
		{window.Day, "Europe/Berlin", "2024-10-26T22:00:00Z", "2024-10-27T23:00:00Z"},       // 25 hours
		{window.Day, "Australia/Lord_Howe", "2024-04-06T13:00:00Z", "2024-04-07T13:30:00Z"}, // 24 hours and a half
		{window.Day, "Pacific/Apia", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"},        // the 29th, then the 31st
		{window.Day, "Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31T10:00:00Z"},
		{window.Day, "America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"}, // begins at 01:00
		{window.Day, "Asia/Beirut", "2024-03-30T22:00:00Z", "2024-03-31T21:00:00Z"},       // begins at 01:00
		{window.Day, "America/St_Johns", "2010-11-06T02:30:00Z", "2010-11-07T02:30:00Z"},  // set back at 00:01: tomorrow has begun
		{window.Day, "America/St_Johns", "2010-11-07T02:30:00Z", "2010-11-08T03:30:00Z"},
		{window.Day, "Africa/Monrovia", "1972-01-06T00:44:30Z", "1972-01-07T00:44:30Z"}, // seconds
		{window.Day, "Europe/Berlin", "1969-12-31T23:00:00Z", "1970-01-01T23:00:00Z"},
		{window.Day, "Europe/Berlin", "1850-06-30T23:06:32Z", "1850-07-01T23:06:32Z"}, // local mean time
		{window.Day, "UTC", "0001-01-01T00:00:00Z", "0001-01-02T00:00:00Z"},
		{window.Day, "America/New_York", "9999-12-30T05:00:00Z", "9999-12-31T05:00:00Z"},
		{window.Day, "America/New_York", "2008-12-31T05:00:00Z", "2009-01-01T05:00:00Z"}, // the last of a leap year
		{window.Week, "UTC", "1969-12-29T00:00:00Z", "1970-01-05T00:00:00Z"},
		{window.Week, "Europe/Berlin", "2024-03-24T23:00:00Z", "2024-03-31T22:00:00Z"},
		{window.Month, "UTC", "2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z"},
		{window.Month, "Pacific/Apia", "2011-12-01T10:00:00Z", "2011-12-31T10:00:00Z"},
		{window.Quarter, "America/New_York", "2023-10-01T04:00:00Z", "2024-01-01T05:00:00Z"},
		{window.Year, "Asia/Kathmandu", "2023-12-31T18:15:00Z", "2024-12-31T18:15:00Z"},
	} {
		t.Run(test.unit.String()+" "+test.zone+" "+test.start, func(t *testing.T) {
			z, err := zone.Load(test.zone)
			if err != nil {
				t.Fatal(err)
			}
			start, end := instant(t, test.start), instant(t, test.end)
			s := &script{spec: window.Calendar{Unit: test.unit, Zone: z}, spelling: "none", any: anyAggregate{kind: aggregate("count"), values: map[uint64][]any{}}}
			for i, at := range []int64{start, end - 1, start - 1, end, (start + end) / 2} {
				s.any.values[uint64(i)] = []any{at}
				s.events = append(s.events, event{cause: uint64(i), ordinal: uint64(i), at: stream.Time(at)})
			}
			s.events = append(s.events, event{mark: true, cause: 4, ordinal: 5, at: stream.MaxTime})
			got, _ := s.play(t, 1024, 1)
			if len(got.result.Rows) != 3 {
				t.Fatalf("%d windows", len(got.result.Rows))
			}
			if o := got.result.Rows[1].Order; int64(o.Start) != start || int64(o.End) != end || len(got.result.Rows[1].Rows) != 3 {
				t.Errorf("[%v, %v) with %v", o.Start, o.End, got.result.Rows[1].Rows)
			}
		})
	}
}
