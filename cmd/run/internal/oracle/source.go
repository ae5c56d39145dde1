package oracle

import (
	"math"
	"slices"
)

const (
	lowest  = math.MinInt64
	highest = math.MaxInt64
)

// partition is a file while it is read.
type partition struct {
	source    int
	lines     []string
	next      int
	greatest  int64
	watermark int64
	ended     bool
	// own is the watermark before the end.
	own int64
	// values has the greatest time of each value, ahead the times of records in a row that were ahead, and moved is the
	// greatest time that has moved the watermark.
	values map[any]int64
	ahead  []int64
	moved  int64
	valued int64
}

// newPartition gives a partition at its start.
func newPartition(source int, lines []string) *partition {
	return &partition{source: source, lines: lines, greatest: lowest, watermark: lowest, own: lowest, moved: lowest, valued: lowest, values: map[any]int64{}}
}

// see lets a record move the partition's watermark, which never goes back.
func (p *partition) see(w Watermark, r Row) {
	defer func() { p.own = p.watermark }()
	p.greatest = max(p.greatest, r.time)
	if w.Strategy == Monotonous {
		w.Delay = 0
	}
	switch w.Strategy {
	case Bounded, Monotonous:
		time, moves := r.time, true
		if w.MaxAhead > 0 {
			time, moves = p.admit(w.MaxAhead, time)
		}
		switch {
		case !moves:
		case w.PerValue:
			p.watermark = max(p.watermark, p.least(w.Idle, r)-w.Delay-1)
		default:
			p.watermark = max(p.watermark, time-w.Delay-1)
		}
	case Punctuated:
		if r.get("p").(int64)%w.Every != 0 {
			return
		}
		if w.Greatest {
			p.watermark = max(p.watermark, p.greatest)
		} else {
			p.watermark = max(p.watermark, r.time)
		}
	}
}

// admit says whether a record moves the watermark, and by which time.
func (p *partition) admit(most, time int64) (int64, bool) {
	if p.moved > lowest && time > p.moved+most {
		if p.ahead = append(p.ahead, time); len(p.ahead) < 100 {
			return 0, false
		}
		time = slices.Min(p.ahead)
	}
	p.ahead = nil
	p.moved = max(p.moved, time)
	return time, true
}

// least gives the least of the values' greatest times, without those that are too far behind.
func (p *partition) least(idle int64, r Row) int64 {
	value := r.get("g")
	if time, ok := p.values[value]; !ok || r.time > time {
		p.values[value] = r.time
	}
	p.valued = max(p.valued, r.time)
	least := int64(highest)
	for name, time := range p.values {
		if p.valued-time > idle {
			delete(p.values, name)
		} else {
			least = min(least, time)
		}
	}
	return least
}

// lowestPartition gives the partition whose record comes next, nil after the last end. The partitions stand in
// the order of their sources and names.
func lowestPartition(partitions []*partition) *partition {
	var found *partition
	for _, p := range partitions {
		if !p.ended && (found == nil || p.watermark < found.watermark) {
			found = p
		}
	}
	return found
}

// combined gives the watermark of a node that is fed by some of the sources.
func combined(sources []Source, partitions []*partition, feeds map[int]bool) int64 {
	watermark := int64(highest)
	for source := range feeds {
		least, greatest := int64(highest), int64(lowest)
		ended := true
		for _, p := range partitions {
			if p.source == source {
				least, greatest, ended = min(least, p.watermark), max(greatest, p.own), ended && p.ended
			}
		}
		if sources[source].Watermark.PerSource && !ended {
			least = greatest
		}
		watermark = min(watermark, least)
	}
	return watermark
}
