package zone_test

import (
	"testing"
	"time"

	"tidemark/operators/zone"
)

// TestLocal reads local times that clocks show once, twice and never.
func TestLocal(t *testing.T) {
	const layout = "2006-01-02 15:04"
	for _, c := range []struct{ zone, wall, want string }{
		{"UTC", "2024-10-27 02:30", "2024-10-27T02:30:00Z"},
		{"Europe/Berlin", "2024-07-01 12:00", "2024-07-01T10:00:00Z"},
		{"Europe/Berlin", "2024-10-27 01:59", "2024-10-26T23:59:00Z"},
		{"Europe/Berlin", "2024-10-27 02:30", "2024-10-27T00:30:00Z"}, // the first of two
		{"Europe/Berlin", "2024-10-27 03:00", "2024-10-27T02:00:00Z"},
		{"Europe/Berlin", "2024-03-31 02:30", "2024-03-31T01:30:00Z"}, // skipped: 03:30
		{"America/New_York", "2024-11-03 01:30", "2024-11-03T05:30:00Z"},
		{"America/New_York", "2024-03-10 02:30", "2024-03-10T07:30:00Z"},
		{"Australia/Lord_Howe", "2024-04-07 01:45", "2024-04-06T14:45:00Z"}, // half an hour twice
		{"Pacific/Apia", "2011-12-30 12:00", "2011-12-30T22:00:00Z"},        // a day that was skipped
		{"Pacific/Apia", "2011-12-31 12:00", "2011-12-30T22:00:00Z"},
	} {
		z, err := zone.Load(c.zone)
		if err != nil {
			t.Fatal(err)
		}
		got, err := zone.Parse(layout, c.wall, z)
		if text := got.UTC().Format(time.RFC3339); err != nil || text != c.want {
			t.Errorf("%s in %s: %s, %v; want %s", c.wall, c.zone, text, err, c.want)
		}
	}
	z, _ := zone.Load("Europe/Berlin")
	if got, err := zone.Parse(time.RFC3339, "2024-10-27T02:30:00+01:00", z); err != nil || got.UTC().Hour() != 1 {
		t.Errorf("%v, %v", got, err)
	}
}

// TestLocalIsShown goes through a year of every zone: what clocks show at the instant is what was asked for, or was
// skipped, and no earlier instant shows it.
func TestLocalIsShown(t *testing.T) {
	for _, name := range zone.Names() {
		z, err := zone.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for at := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() == 2024; at = at.Add(29 * time.Minute) {
			_, offset := at.In(z).Zone()
			wall := at.Add(time.Duration(offset) * time.Second)
			got := zone.Local(wall, z)
			if got.Equal(at) {
				continue
			}
			_, there := got.Zone()
			if !got.Add(time.Duration(there)*time.Second).Equal(wall) || got.After(at) {
				t.Fatalf("%s at %v: %v", name, at, got)
			}
		}
	}
}
