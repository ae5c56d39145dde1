package stream

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestTimeAppend compares with the standard library's form over all times that a record may have.
func TestTimeAppend(t *testing.T) {
	check := func(at Time) {
		if got, want := string(at.Append(nil)), at.Std().Format(time.RFC3339Nano); got != want {
			t.Errorf("%d is written as %s, wants %s", at, got, want)
		}
	}
	for _, at := range []Time{
		FirstTime, FirstTime + 1, LastTime, LastTime - 1, -1, 0, 1, 10, 100, 999, 1000, -999, -1000,
		FirstTime - 1, LastTime + 1, // outside the range too
	} {
		check(at)
	}
	for day := time.Date(1896, 2, 27, 0, 0, 0, 0, time.UTC); day.Year() < 2005; day = day.AddDate(0, 0, 1) {
		check(Time(day.UnixMilli()))
		check(Time(day.UnixMilli() - 1))
	}
	rapid.Check(t, func(t *rapid.T) {
		at := Time(rapid.Int64Range(int64(FirstTime), int64(LastTime)).Draw(t, "time"))
		if got, want := string(at.Append([]byte("x")))[1:], at.Std().Format(time.RFC3339Nano); got != want {
			t.Fatalf("%d is written as %s, wants %s", at, got, want)
		}
	})
}

func TestTimeRange(t *testing.T) {
	for at, want := range map[Time]bool{
		MinTime: false, FirstTime - 1: false, FirstTime: true, 0: true, LastTime: true, LastTime + 1: false, MaxTime: false,
	} {
		if at.InRange() != want {
			t.Errorf("%d in range: %v", at, !want)
		}
	}
	if got := MinTime.String() + " " + MaxTime.String() + " " + Time(1500).String(); got != "-inf +inf 1970-01-01T00:00:01.5Z" {
		t.Errorf("%s", got)
	}
	if y := FirstTime.Std().Year(); y != 1 {
		t.Errorf("the first year is %d", y)
	}
	if y := (LastTime + 1).Std().Year(); y != 10000 {
		t.Errorf("the year after the last is %d", y)
	}
}
