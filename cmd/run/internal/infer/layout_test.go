package infer

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"tidemark/spec"
	"tidemark/stream"
)

// guess guesses from text as standard input.
func guess(t *testing.T, text string) *Source {
	t.Helper()
	s, err := Guess(context.Background(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), Records: 1000})
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return s
}

// TestLayouts writes times in every layout: the column is found, and read as the times that were meant.
func TestLayouts(t *testing.T) {
	at := time.Date(2024, 5, 13, 9, 4, 5, 0, time.UTC)
	for _, layout := range layouts {
		var want []stream.Time
		text := "value|written\n"
		for i := range 4 {
			moment := at.Add(time.Duration(i) * 31 * time.Hour).Format(layout)
			parsed, err := time.Parse(layout, moment)
			if err != nil {
				t.Fatalf("%s: %v", layout, err)
			}
			want = append(want, stream.Time(parsed.UnixMilli()))
			text += "x|" + moment + "\n"
		}
		s := guess(t, text)
		if s.clock == nil || s.clock.column.name != "written" {
			t.Errorf("%s: no time found in\n%s", layout, text)
			continue
		}
		if got := s.clock.times[0]; !slices.Equal(got, want) {
			t.Errorf("%s: read by %q as %v, wants %v", layout, s.clock.layout, got, want)
		}
	}
}

// TestOrderTellsDaysFromMonths reads dates that could be either way round: event times mostly rise.
func TestOrderTellsDaysFromMonths(t *testing.T) {
	for text, layout := range map[string]string{
		"at;v\n01/02/2024;1\n02/02/2024;2\n03/02/2024;3\n01/03/2024;4\n": "02/01/2006",
		"at;v\n02/01/2024;1\n02/02/2024;2\n02/03/2024;3\n03/01/2024;4\n": "01/02/2006",
	} {
		if s := guess(t, text); s.clock == nil || s.clock.layout != layout || s.clock.unsure == "" {
			t.Errorf("%q: %+v", text, s.clock)
		}
	}
}

// TestTimeColumns finds the column with the time among others.
func TestTimeColumns(t *testing.T) {
	for text, want := range map[string]string{
		`{"id":1714557600,"amount":5}`:                                                                  "",
		`{"id":1714557600,"sent":1714557601}`:                                                           "sent",
		`{"created_at":"2024-05-01T10:00:00Z","event_time":"2024-05-01T10:00:00Z"}`:                     "event_time",
		`{"updatedOn":"2024-05-01T10:00:00Z","note":"x"}`:                                               "updatedOn",
		`{"note":"2024-05-01T10:00:00Z"}`:                                                               "note",
		`{"time":12.5,"at":1714557600.25}`:                                                              "at",
		`{"timestamp":null,"day":"2024-05-01"}`:                                                         "day",
		`{"ts":"1714557600","v":1}`:                                                                     "ts",
		"{\"note\":\"2024-05-01T10:00:00Z\"}\n{\"note\":\"text\"}":                                      "",
		"{\"ts\":\"2024-05-01T10:00:00Z\"}\n{\"ts\":\"later\"}":                                         "ts",
		"{\"start\":{\"at\":1714557600},\"time_zone\":\"UTC\",\"duration_time\":17,\"lifetime\":90000}": "",
	} {
		s, got := guess(t, text), ""
		if s.clock != nil {
			got = s.clock.column.name
		}
		if got != want {
			t.Errorf("%s: the time is %q, wants %q", text, got, want)
		}
	}
}

// TestBounds rounds up to durations that people would write, never down.
func TestBounds(t *testing.T) {
	for behind, want := range map[int64]string{0: "0s", 1: "100ms", 100: "100ms", 4200: "5s", 59_999: "1m", 90_000: "2m", 50_000_000: "1d", 90_000_000: "2d"} {
		k := &clock{steps: []int64{behind}}
		if got := k.bound(); got.String() != want || got < spec.Duration(behind) {
			t.Errorf("%d ms: %s, wants %s", behind, got, want)
		}
	}
}
