package runner

import (
	"sort"
	"time"

	"tidemark/io/connector"
)

// commits makes known to the groups of sources how far their records are dealt with: behind the sinks, and never
// beyond the oldest record that an open window still holds, so that a run which begins there loses nothing.
//
// Now and then a sample is taken of the sources' positions, and of every transform what it holds: the number of the
// sample after which the oldest record came that its state, or the state of what it reads, depends upon. Rows that a
// transform takes after sample k depend upon nothing older than what its inputs held then. So a transform whose
// oldest record came after sample k holds what its inputs held at k, and the least of all is safe.
type commits struct {
	next    time.Time
	first   int         // the number of the oldest sample that is kept
	samples [][][]int64 // by source and number of partition, of which more may come
	holds   []hold
	// sources are those that want to know; settlers are the sinks, nil where one can't be made safe in between.
	sources  []*source
	settlers []connector.Settler
	told     int     // the number of the last sample that was made known
	running  *commit // what is under way, else nil
}

// hold is what a transform's state depends upon.
type hold struct {
	transform *transform
	inputs    []int // its inputs among the transforms that are before it; none for sources
	// ordinals has for each sample how many rows the transform had taken, and held what it held then.
	ordinals []uint64
	held     []int
}

const commitEvery = 5 * time.Second

// manySamples is how many samples are kept before they are taken half as often.
const manySamples = 1024

// begin takes the first sample.
func (c *commits) begin(e *engine) {
	for _, s := range e.sources {
		if s.reader != nil {
			c.sources = append(c.sources, s)
		}
	}
	if len(c.sources) == 0 {
		return
	}
	at := map[string]int{}
	for _, n := range e.nodes {
		t, ok := n.(*transform)
		if !ok {
			continue
		}
		h := hold{transform: t}
		for _, in := range t.plan.Inputs {
			if i, ok := at[in.Node]; ok {
				h.inputs = append(h.inputs, i)
			}
		}
		at[t.plan.Name] = len(c.holds)
		c.holds = append(c.holds, h)
	}
	for _, s := range e.sinks {
		settler, ok := s.out.(connector.Settler)
		if !ok {
			c.settlers = nil
			break
		}
		c.settlers = append(c.settlers, settler)
	}
	c.told = -1
	c.sample(e)
	c.next = e.options.now().Add(c.every(e))
}

func (c *commits) every(e *engine) time.Duration {
	if e.options.CommitEvery > 0 {
		return e.options.CommitEvery
	}
	return commitEvery
}

// sample notes where sources and transforms stand, and gives the number of the sample that is safe.
func (c *commits) sample(e *engine) (safe int) {
	positions := make([][]int64, len(c.sources))
	e.mu.Lock()
	for i, s := range c.sources {
		positions[i] = make([]int64, len(s.partitions))
		for n, p := range s.partitions {
			positions[i][n] = p.at()
		}
	}
	e.mu.Unlock()
	c.samples = append(c.samples, positions)
	now := c.first + len(c.samples) - 1
	safe = now
	for i := range c.holds {
		h := &c.holds[i]
		held := c.inputs(h, now)
		if op := h.transform.operator; op != nil {
			if oldest, ok := op.Oldest(); ok {
				k := sort.Search(len(h.ordinals), func(i int) bool { return h.ordinals[i] > oldest }) - 1
				held = min(held, c.inputs(h, c.first+max(k, 0)))
				safe = min(safe, held)
			}
		}
		h.ordinals, h.held = append(h.ordinals, h.transform.taken), append(h.held, held)
	}
	c.forget(safe)
	return safe
}

// inputs gives what a transform's inputs held at a sample: what sources gave after it depends upon nothing older.
func (c *commits) inputs(h *hold, sample int) int {
	for _, i := range h.inputs {
		if held := c.holds[i].held; sample-c.first < len(held) {
			sample = min(sample, max(held[sample-c.first], c.first))
		}
	}
	return sample
}

// forget drops the samples that nothing depends upon any more.
func (c *commits) forget(safe int) {
	if n := safe - c.first; n > 0 {
		c.first = safe
		c.samples = append(c.samples[:0], c.samples[n:]...)
		for i := range c.holds {
			h := &c.holds[i]
			h.ordinals, h.held = append(h.ordinals[:0], h.ordinals[n:]...), append(h.held[:0], h.held[n:]...)
		}
	}
}

// at gives the offset of the next record of a partition that has its turn.
func (p *partition) at() int64 {
	if p.admitted && p.row > 0 && len(p.queue) > 0 {
		if w := p.queue[0]; w.records != nil && p.row < w.scanned.N {
			return w.records.loader.Offset(p.row)
		}
	}
	return p.position
}

// positions gives those of a sample, by source.
func (c *commits) positions(sample int) []map[connector.RecordPartition]int64 {
	all := c.samples[sample-c.first]
	by := make([]map[connector.RecordPartition]int64, len(c.sources))
	for i, s := range c.sources {
		by[i] = map[connector.RecordPartition]int64{}
		for n, p := range s.partitions {
			if n < len(all[i]) {
				by[i][p.records] = all[i][n]
			} else {
				by[i][p.records] = p.records.Start() // it has come since
			}
		}
	}
	return by
}
