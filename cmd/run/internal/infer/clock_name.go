package infer

import (
	"slices"
	"strings"
	"unicode"
)

// Words in the names of columns that have a time.
var (
	certainNames = []string{"ts", "time", "timestamp", "datetime", "event_time", "event_ts", "event_timestamp", "at", "when", "occurred_at"}
	timeWords    = []string{"ts", "time", "timestamp", "datetime", "date", "at", "when", "on", "day", "epoch", "millis", "created", "occurred", "sent", "received", "seen", "started", "zeit", "datum", "zeitstempel", "fecha", "hora", "heure"}
)

// nameRank says how much a name sounds like that of an event time: 0 not at all, 3 very much.
func nameRank(name string) int {
	words := wordsOf(name)
	if len(words) == 0 {
		return 0
	}
	switch {
	case slices.Contains(certainNames, strings.Join(words, "_")):
		return 3
	case slices.Contains(timeWords, words[len(words)-1]):
		return 2
	case slices.ContainsFunc(words, func(w string) bool { return slices.Contains(timeWords, w) }):
		return 1
	}
	return 0
}

// wordsOf cuts a name such as event_time, eventTime or Event-Time into words.
func wordsOf(name string) []string {
	var b strings.Builder
	var before rune
	for _, r := range name {
		if unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before)) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
