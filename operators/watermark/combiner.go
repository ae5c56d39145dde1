package watermark

import (
	"fmt"
	"math"

	"tidemark/stream"
)

// Never is the Idle of partitions that always count.
const Never = math.MaxInt64

// Options are what a Combiner's partitions have in common.
type Options struct {
	Strategy Strategy
	// Periodic says that watermarks are given at ticks only; otherwise every record is followed by a tick.
	// Markers of Punctuated count at once in either case.
	Periodic bool
	// Idle is the time in milliseconds after which a silent partition no longer holds the others back, or
	// Never.
	Idle int64
}

// Combiner is the live machine that follows the watermark of a source with several partitions. It is a
// function of the calls made to it; clocks are passed in, in milliseconds from any start.
type Combiner struct {
	options    Options
	partitions []partition
	minimum    Minimum
	// none stands for the partitions of a source that has none yet, and vacant says that it is idle.
	none   partition
	vacant bool
}

type partition struct {
	// own is the watermark that steps have brought it to.
	own    stream.Time
	events uint64
	// seen is the number of events at the last check, quiet says that since counts from the first check
	// that found no new ones.
	seen  uint64
	quiet bool
	since int64
}

// NewCombiner makes the machine for a number of partitions, all active and without a watermark. The error
// says what is refused.
func NewCombiner(o Options, partitions int) (*Combiner, error) {
	if err := o.Strategy.Validate(); err != nil {
		return nil, err
	}
	if o.Idle <= 0 {
		return nil, fmt.Errorf("idle is %d ms, must be above 0", o.Idle)
	}
	c := &Combiner{options: o, minimum: *NewMinimum(0)}
	for range partitions {
		c.Add()
	}
	return c, nil
}

// Add adds a partition, active and without a watermark, and gives its number.
func (c *Combiner) Add() int {
	c.partitions = append(c.partitions, partition{own: stream.MinTime})
	return c.minimum.Add()
}

// Steps takes n records of a partition at once, with the steps that they make in the partition's own watermark, and
// appends those that they make in the combined one. emitted says that they give a watermark, be it the one that there
// was: an idle partition wakes up with it. Records of Punctuated without a marker give none; those of other strategies
// do. The result is exact to the record; who is idle is looked at by Tick only.
func (c *Combiner) Steps(partition, n int, emitted bool, steps, combined []stream.Mark) []stream.Mark {
	p := &c.partitions[partition]
	p.events += uint64(n)
	if len(steps) > 0 {
		p.own = max(p.own, steps[len(steps)-1].Watermark)
	}
	if !emitted || c.options.Periodic && c.options.Strategy.Kind != Punctuated {
		return combined
	}
	c.minimum.Set(partition, p.own)
	others := c.minimum.others(partition)
	for _, m := range steps {
		if w := min(m.Watermark, others); c.minimum.raise(w) {
			combined = append(combined, stream.Mark{Cause: m.Cause, Watermark: w})
		}
		if m.Watermark >= others {
			break
		}
	}
	return combined
}

// Busy says that a partition which is not idle can't be: it has records that wait, or can't be looked at.
func (c *Combiner) Busy(partition int) {
	if !c.minimum.Idle(partition) {
		c.partitions[partition].events++
	}
}

// Close ends one partition: it promises that nothing comes any more.
func (c *Combiner) Close(partition int) (stream.Time, bool) {
	c.partitions[partition].own = stream.MaxTime
	c.minimum.Set(partition, stream.MaxTime)
	return c.minimum.Combine()
}

// Tick is a periodic emission: each partition is checked for being idle and otherwise gives its watermark,
// then they are combined.
func (c *Combiner) Tick(now int64) (stream.Time, bool) {
	for i := range c.partitions {
		p := &c.partitions[i]
		switch {
		case p.own == stream.MaxTime: // it has ended
		case p.idleAt(now, c.options.Idle):
			c.minimum.SetIdle(i)
		case c.options.Strategy.Kind == Bounded || c.options.Strategy.Kind == Monotonous:
			c.minimum.Set(i, p.own)
		}
	}
	c.vacant = len(c.partitions) == 0 && c.none.idleAt(now, c.options.Idle)
	return c.minimum.Combine()
}

// idleAt checks a partition: time runs from the first quiet check, not from the last record (Flink:
// WatermarksWithIdleness).
func (p *partition) idleAt(now, limit int64) bool {
	switch {
	case p.events != p.seen:
		p.seen, p.quiet = p.events, false
	case !p.quiet:
		p.quiet, p.since = true, now
	default:
		return now-p.since > limit
	}
	return false
}

// End is the end of the input: the watermark becomes MaxTime. It reports whether it rose.
func (c *Combiner) End() (stream.Time, bool) {
	rose := c.minimum.End()
	return c.minimum.Watermark(), rose
}

// Watermark gives the combined watermark, MinTime when there is none yet.
func (c *Combiner) Watermark() stream.Time { return c.minimum.Watermark() }

// Idle reports whether all partitions that have not ended are idle, and there are such. A source without partitions is
// idle once it has been so for as long as a partition would have to be silent.
func (c *Combiner) Idle() bool { return c.vacant || c.minimum.AllIdle() }

// Partition gives what a partition itself has come to, and whether it is idle.
func (c *Combiner) Partition(i int) (watermark stream.Time, idle bool) {
	return c.minimum.Of(i), c.minimum.Idle(i)
}
