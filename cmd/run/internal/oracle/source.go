package oracle

import "math"

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
}

// newPartition gives a partition at its start.
func newPartition(source int, lines []string) *partition {
	return &partition{source: source, lines: lines, greatest: lowest, watermark: lowest}
}

// see lets a record move the partition's watermark, which never goes back.
func (p *partition) see(w Watermark, r Row) {
	p.greatest = max(p.greatest, r.time)
	switch w.Strategy {
	case Bounded:
		p.watermark = max(p.watermark, p.greatest-w.Delay-1)
	case Monotonous:
		p.watermark = max(p.watermark, p.greatest-1)
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
func combined(partitions []*partition, feeds map[int]bool) int64 {
	watermark := int64(highest)
	for _, p := range partitions {
		if feeds[p.source] {
			watermark = min(watermark, p.watermark)
		}
	}
	return watermark
}
