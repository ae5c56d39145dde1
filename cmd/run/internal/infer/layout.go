package infer

import (
	"slices"
	"strings"
)

// Parts of layouts, those with fixed widths first.
var (
	dates = []string{
		"2006-01-02", "2006/01/02", "2006.01.02", "02/01/2006", "01/02/2006", "02.01.2006", "02-01-2006", "01-02-2006",
		"02/01/06", "01/02/06", "02.01.06", "2006-1-2", "2006/1/2", "2/1/2006", "1/2/2006", "2.1.2006", "2-1-2006", "1-2-2006",
		"2/1/06", "1/2/06", "2.1.06", "02 Jan 2006", "2 Jan 2006", "02-Jan-2006", "02-Jan-06", "Jan 2, 2006", "Jan 02, 2006",
		"2 January 2006", "January 2, 2006", "02/Jan/2006",
	}
	clocks = []string{
		" 15:04:05", "T15:04:05", " 15:04", "T15:04", "", " 15:04:05 -0700", " 15:04:05 -07:00", " 15:04:05-07:00", "T15:04:05-0700",
		" 15:04:05Z", "T15:04Z", " 15:04Z", " 15:04:05 UTC", " 15:04:05 GMT", " 03:04:05 PM", " 3:04:05 PM", " 03:04 PM", " 3:04 PM",
		", 15:04:05", ", 15:04", ", 3:04:05 PM", ", 3:04 PM", ":15:04:05 -0700", ":15:04:05",
	}
	others = []string{
		"20060102T150405Z", "20060102T150405", "20060102150405", "Mon, 02 Jan 2006 15:04:05 -0700", "Mon, 02 Jan 2006 15:04:05 GMT",
		"Mon Jan _2 15:04:05 2006", "Mon Jan _2 15:04:05 UTC 2006",
	}
)

// layouts are those in which times are often written, besides RFC 3339, in the notation of Go.
var layouts = allLayouts()

func allLayouts() []string {
	var all []string
	for _, date := range dates {
		for _, clock := range clocks {
			all = append(all, date+clock)
		}
	}
	return append(all, others...)
}

// zoned reports whether times in a layout say what zone they are in.
func zoned(layout string) bool {
	return strings.Contains(layout, "-07") || slices.ContainsFunc([]string{"Z", "UTC", "GMT"}, func(zone string) bool { return strings.Contains(layout, zone) })
}

// otherOrder reports whether two layouts differ in the order of day and month only.
func otherOrder(a, b string) bool {
	swap := strings.NewReplacer("02", "01", "01", "02", "2/1", "1/2", "1/2", "2/1", "2-1", "1-2", "1-2", "2-1")
	return a != b && swap.Replace(a) == b
}
