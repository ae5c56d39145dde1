package runner

import (
	"fmt"
	"strings"
	"time"

	"tidemark/stream"
)

// quiet says, when nothing has come out of a run for a while, what it waits for.
type quiet struct {
	out   int64
	since time.Time
	told  time.Time
}

// The first word comes after quietFirst, the next ones after quietNext each.
const quietFirst, quietNext = 30 * time.Second, time.Minute

func (q *quiet) tick(e *engine, now time.Time) {
	var out int64
	for _, s := range e.sinks {
		out += s.counts.In
	}
	if out != q.out || q.since.IsZero() {
		q.out, q.since, q.told = out, now, now.Add(quietFirst-quietNext)
		return
	}
	if now.Sub(q.told) < quietNext || e.options.Tell == nil {
		return
	}
	q.told = now
	e.options.Tell(fmt.Sprintf("nothing has come out for %s: %s", now.Sub(q.since).Round(time.Second), e.waits(now)))
}

// waits says what the next result waits for.
func (e *engine) waits(now time.Time) string {
	next, name, watermark := stream.MaxTime, "", stream.MinTime
	for _, n := range e.nodes {
		if t, ok := n.(*transform); ok && t.operator != nil {
			if fire := t.operator.NextFire(); fire < next {
				next, name, watermark = fire, t.plan.Name, t.operator.Watermark()
			}
		}
	}
	holders := e.holders(now)
	switch {
	case name == "" && holders == "":
		return "no records have come, or all were filtered, late or dirty"
	case name == "":
		return "no window is open; " + holders
	}
	at := "has no watermark yet"
	if watermark > stream.MinTime {
		at = "stands at " + watermark.String()
	}
	text := fmt.Sprintf("the next window of %s closes when the watermark reaches %s; it %s", name, next, at)
	if holders != "" {
		text += "; " + holders
	}
	return text
}

// holders says for every source with a watermark which partition it waits for.
func (e *engine) holders(now time.Time) string {
	var list []string
	for _, s := range e.sources {
		if s.plan.Timestamp == nil {
			continue
		}
		if p := s.holder(); p != nil {
			at := "has had no record with an event time"
			if p.watermark > stream.MinTime {
				at = "stands at " + p.watermark.String()
			}
			list = append(list, fmt.Sprintf("%s is held by %s, which %s", s.plan.Name, p.name, at))
		} else if len(s.partitions) > 0 {
			list = append(list, fmt.Sprintf("all partitions of %s are idle", s.plan.Name))
		} else {
			list = append(list, s.plan.Name+" has no partitions")
		}
	}
	return strings.Join(list, ", ")
}

// holder gives the partition with the lowest watermark that counts, or nil when all are idle or have ended.
func (s *source) holder() *partition {
	var lowest *partition
	for i, p := range s.partitions {
		idle := false
		if s.combiner != nil {
			_, idle = s.combiner.Partition(i)
		}
		if !idle && !p.ended && (lowest == nil || p.watermark < lowest.watermark) {
			lowest = p
		}
	}
	return lowest
}
