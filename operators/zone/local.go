package zone

import "time"

// Local gives the instant at which clocks in a zone show what wall shows in UTC. Where they show it twice, as in the hour
// before summer time ends, it is the first time; where they skip it, it is as far behind the change as if they had gone on
// (java.time: ZonedDateTime.ofLocal).
func Local(wall time.Time, z *time.Location) time.Time {
	wall = wall.UTC()
	before, after := at(wall, z, -day), at(wall, z, day)
	if !shows(before, wall) && shows(after, wall) {
		return after
	}
	return before
}

const day = 24 * time.Hour

// at gives the instant at which clocks that are ahead of UTC by as much as they are some time away show wall.
func at(wall time.Time, z *time.Location, away time.Duration) time.Time {
	_, offset := wall.Add(away).In(z).Zone()
	return wall.Add(-time.Duration(offset) * time.Second).In(z)
}

// shows reports whether clocks show wall at t.
func shows(t, wall time.Time) bool {
	_, offset := t.Zone()
	return t.Add(time.Duration(offset) * time.Second).Equal(wall)
}

// Parse reads a text by a layout of Go; one without a zone of its own in a zone, as Local does.
func Parse(layout, text string, z *time.Location) (time.Time, error) {
	t, err := time.Parse(layout, text)
	if err != nil {
		return t, err
	}
	// A text with a zone stands for the same instant wherever it is read.
	if elsewhere, _ := time.ParseInLocation(layout, text, far); elsewhere.Equal(t) {
		return time.ParseInLocation(layout, text, z)
	}
	return Local(t, z), nil
}

// far is a zone that no text stands for by chance.
var far = time.FixedZone("", 13*3600+7*60+11)
