package runner

import (
	"time"

	"tidemark/operators/window"
	"tidemark/stream"
)

// A window with time: processing goes by the time of day (Flink: TumblingProcessingTimeWindows and its like): a record
// belongs to the window in which it arrives, so none is late, and the clock closes windows.

// byTimeOfDay gives a batch whose records have the time of day as event time. Before it the clock has closed the windows
// that are over. Where the clock has been set back since, they come at the moment up to which windows are closed.
func (t *transform) byTimeOfDay(view *stream.Batch) *stream.Batch {
	now := t.engine.options.now()
	t.pulse(view.Base, now)
	b := &t.clocked
	times := stream.Resize(b.Times, view.N)
	*b = *view
	b.Times, b.Marks = times, nil
	at := stream.Time(now.UnixMilli())
	if closed := t.operator.Watermark(); closed < stream.MaxTime {
		at = max(at, closed+1)
	}
	for i := range times {
		times[i] = at
	}
	if n := len(view.Marks); n > 0 && view.Marks[n-1].Watermark == stream.MaxTime { // the end of the input closes all
		b.Marks = view.Marks[n-1:]
	}
	return b
}

// pulse closes the windows that are over by the time of day.
func (t *transform) pulse(cause uint64, now time.Time) {
	w := stream.Time(now.UnixMilli()) - 1
	if w <= t.operator.Watermark() {
		return
	}
	before := t.current
	t.current = &stream.Batch{Base: cause, Marks: []stream.Mark{{Watermark: w}}}
	t.operator.Process(&window.Input{Batch: t.current, Ordinal: t.taken}, t)
	t.flushLate()
	t.current = before
}
