package kafkaio

import (
	"fmt"
	"strconv"
	"time"

	"tidemark/io/connector"
)

// layouts are the ways to write a time: RFC 3339, also with a space for the T and without a zone, which is then UTC.
var layouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02 15:04:05.999999999", time.DateOnly}

// validateTimestamp reads a time in milliseconds since 1970; an empty text is none.
func validateTimestamp(option, text string) (milliseconds int64, found []connector.Problem) {
	problem := func(message, hint string) []connector.Problem {
		return []connector.Problem{{Option: option, Message: message, Hint: hint}}
	}
	if text == "" {
		return 0, nil
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		switch {
		case n < 0:
			return 0, problem("a timestamp can't be less than 0", "use start: earliest for everything")
		case n < earliestGuess:
			return 0, problem(fmt.Sprintf("%d milliseconds since 1970 are in %d", n, time.UnixMilli(n).UTC().Year()),
				fmt.Sprintf("if these are seconds, write %d; or write RFC 3339", n*1000))
		case n >= latestGuess:
			return 0, problem(fmt.Sprintf("%d is no time in milliseconds since 1970", n), "drop the digits behind the milliseconds, or write RFC 3339")
		}
		return n, nil
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			if t.UnixMilli() < 0 {
				return 0, problem("a timestamp can't be before 1970", "use start: earliest for everything")
			}
			return t.UnixMilli(), nil
		}
	}
	return 0, problem(fmt.Sprintf("%q is no time", text), "write RFC 3339, such as 2024-01-01T00:00:00Z, or milliseconds since 1970")
}

// Numbers outside of these, in 1973 and 5138, are seconds or microseconds that were taken for milliseconds. Kafka did not
// exist in 1973.
const earliestGuess, latestGuess = 100_000_000_000, 100_000_000_000_000
