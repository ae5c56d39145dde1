// Package progress tells people how a run comes along, on the terminal or in a log.
package progress

import (
	"fmt"
	"strings"
	"time"

	"tidemark/runner"
	"tidemark/stream"
)

// How often progress is told of: to somebody who watches, and in a log.
const (
	Watched = 500 * time.Millisecond
	Logged  = 10 * time.Second
)

// Options are what is followed, and how.
type Options struct {
	Status func() runner.Status
	// Live says that the input has no end, so that it matters how far the watermark is behind the clock.
	Live bool
	// Every is how often Show is called.
	Every time.Duration
	Show  func(line string)
}

// Follow shows how a run comes along until stop is called. Nothing is shown behind that.
func Follow(o Options) (stop func()) {
	stopped, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		p := &pace{options: o, since: time.Now()}
		t := time.NewTicker(o.Every)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				o.Show(p.line(time.Now()))
			case <-stopped:
				return
			}
		}
	}()
	return func() {
		close(stopped)
		<-done
	}
}

// pace is how many records were read up to a time.
type pace struct {
	options Options
	read    int64
	since   time.Time
}

// line words where the run is at.
func (p *pace) line(now time.Time) string {
	st := p.options.Status()
	var read, late, dirty int64
	for i := range st.Nodes {
		n := &st.Nodes[i]
		if n.Kind == "source" {
			read += n.In
		}
		late += n.Late
		dirty += n.Dirty
	}
	rate := float64(read-p.read) / max(now.Sub(p.since).Seconds(), 1e-3)
	p.read, p.since = read, now
	parts := []string{fmt.Sprintf("%.0f records/s", rate)}
	if text := p.watermark(st.Nodes, now); text != "" {
		parts = append(parts, text)
	}
	if lag, known := lagOf(st.Partitions); known {
		parts = append(parts, fmt.Sprintf("lag %d", lag))
	}
	return strings.Join(append(parts, fmt.Sprintf("late %d", late), fmt.Sprintf("dirty %d", dirty)), ", ")
}

// watermark words the lowest watermark of the sources, nothing where none has any.
func (p *pace) watermark(nodes []runner.NodeStatus, now time.Time) string {
	lowest, found := stream.MaxTime, false
	for i := range nodes {
		if n := &nodes[i]; n.Kind == "source" && n.EventTime {
			lowest, found = min(lowest, n.Watermark), true
		}
	}
	switch {
	case !found:
		return ""
	case lowest == stream.MinTime:
		return "no watermark yet"
	case lowest == stream.MaxTime:
		return "watermark at the end"
	case !p.options.Live:
		return "watermark " + lowest.String()
	}
	behind := max(now.Sub(time.UnixMilli(int64(lowest))), 0).Round(time.Second)
	return fmt.Sprintf("watermark %s, %s behind the clock", lowest, behind)
}

// lagOf sums up what waits in the partitions of which that is known.
func lagOf(partitions []runner.PartitionStatus) (lag int64, known bool) {
	for i := range partitions {
		if p := &partitions[i]; p.Lag >= 0 {
			lag, known = lag+p.Lag, true
		}
	}
	return lag, known
}
