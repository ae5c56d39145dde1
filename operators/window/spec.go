package window

import (
	"fmt"

	"tidemark/stream"
)

// Window is a span of event time, without its end.
type Window struct{ Start, End stream.Time }

// Spec is a kind of windows with its settings. All spans are in milliseconds.
type Spec interface {
	// Validate says which setting is refused, and why.
	Validate() error
	open(lateness int64, l *layout) Operator
}

// maxSpan is the greatest span that windows may have. Times are far smaller, so sums of a time and some spans
// never leave 64 bits.
const maxSpan = 1 << 58

// Tumbling windows are Size long and start at multiples of it, plus Offset (Flink: TumblingEventTimeWindows).
type Tumbling struct{ Size, Offset int64 }

// Validate wants a size above 0 and an offset nearer to 0 than the size.
func (s Tumbling) Validate() error {
	if err := span("tumbling", s.Size); err != nil {
		return err
	}
	return offset(s.Offset, "size", s.Size)
}

// Sliding windows are Size long and start at multiples of Every, plus Offset (Flink: SlidingEventTimeWindows).
// With Every greater than Size there is time in no window.
type Sliding struct{ Size, Every, Offset int64 }

// Validate wants a size and a step above 0 and an offset nearer to 0 than the step.
func (s Sliding) Validate() error {
	if err := span("sliding", s.Size); err != nil {
		return err
	}
	if err := span("every", s.Every); err != nil {
		return err
	}
	return offset(s.Offset, "every", s.Every)
}

// Session windows reach from a key's first record to Gap after its last, while records follow each other
// within Gap, inclusive (Flink: EventTimeSessionWindows).
type Session struct{ Gap int64 }

// Validate wants a gap above 0.
func (s Session) Validate() error { return span("session", s.Gap) }

// Global is one window without bounds, which fires at the end of the input (Flink: GlobalWindows with
// EndOfStreamTrigger). It is never late for anything.
type Global struct{}

// Validate finds nothing to refuse.
func (Global) Validate() error { return nil }

func span(name string, ms int64) error {
	switch {
	case ms <= 0:
		return fmt.Errorf("%s is %d ms, must be above 0", name, ms)
	case ms > maxSpan:
		return fmt.Errorf("%s is %d ms, must be at most %d ms", name, ms, int64(maxSpan))
	}
	return nil
}

func offset(ms int64, of string, limit int64) error {
	if ms <= -limit || ms >= limit {
		return fmt.Errorf("offset is %d ms, must be nearer to 0 than the %s of %d ms", ms, of, limit)
	}
	return nil
}
