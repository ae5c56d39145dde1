package infer

import (
	"slices"

	"tidemark/operators/watermark"
	"tidemark/stream"
)

// clock is how a column is read as event time.
type clock struct {
	column *column
	beside *column        // has the time of day, where column has only the day
	unit   watermark.Unit // of numbers
	layout string         // of text that is not RFC 3339
	unsure string         // what else it could have been
	// times has, for each part, the time of each row; those that none can be read of are noTime.
	times [][]stream.Time
	good  int // rows with a plausible time
	// steps are how far rows are behind an earlier one of their part, ascending; only those that are.
	steps []int64
}

const noTime = stream.MinTime

// Shares of the values of a column that must be times for it to be taken for the event time.
const (
	enoughNamed   = 0.2  // where its name or its type says so
	enoughUnnamed = 0.95 // where it is text in the form of a time
)

// findClock gives the column that most likely has the event time; nil where none does.
func (t *table) findClock() *clock {
	var best *clock
	top := 0.0
	for i, c := range t.columns {
		rank := nameRank(c.name)
		if rank == 0 && c.typ.Kind != stream.String && c.typ.Kind != stream.Instant {
			continue // a number is a time only where its name says so
		}
		k := t.readClock(i)
		if k == nil {
			continue
		}
		share, enough := float64(k.good)/float64(max(1, t.good())), enoughUnnamed
		if rank > 0 || c.typ.Kind == stream.Instant {
			enough = enoughNamed
		}
		if given := t.good() - c.nulls; given == 0 || float64(k.good)/float64(given) < enough {
			continue
		}
		if score := float64(rank) + 4*share; score > top {
			best, top = k, score
		}
	}
	if best == nil {
		return nil
	}
	if pair := t.pair(best); pair != nil {
		best = pair
	}
	best.measure(t)
	return best
}

// readClock reads a column as times in the way that gives the most.
func (t *table) readClock(i int) *clock {
	var best *clock
	try := func(k *clock) {
		if k.good > 0 && (best == nil || k.good > best.good) {
			best = k
		}
	}
	for _, unit := range []watermark.Unit{watermark.NoUnit, watermark.Seconds, watermark.Millis, watermark.Micros, watermark.Nanos} {
		try(t.extract(i, unit))
	}
	if best == nil || best.good < t.good() && t.columns[i].typ.Kind == stream.String {
		for _, k := range t.byLayouts(i) {
			try(k)
		}
	}
	return best
}

// extract reads a column as a run would.
func (t *table) extract(i int, unit watermark.Unit) *clock {
	k := &clock{column: t.columns[i], unit: unit, times: make([][]stream.Time, len(t.parts))}
	e := watermark.NewExtractor(unit, nil)
	for p := range t.parts {
		part := &t.parts[p]
		times := make([]stream.Time, part.batch.N)
		failures, fatal := e.Extract(&part.batch.Columns[i], part.rows, times)
		if fatal != nil {
			return &clock{}
		}
		for _, f := range failures {
			times[f.Row] = noTime
		}
		for _, row := range part.rows {
			k.add(p, times[row])
		}
	}
	return k
}

func (k *clock) add(part int, t stream.Time) {
	k.times[part] = append(k.times[part], t)
	if t != noTime && watermark.Plausible(t) {
		k.good++
	}
}

// measure finds how far rows are behind. Times that are unlikely, of clocks that were not set, are left out: one of them
// would make all results wait for years.
func (k *clock) measure(t *table) {
	k.steps = k.steps[:0]
	greatest := noTime
	for p := range t.parts {
		if p > 0 && t.parts[p].file != t.parts[p-1].file {
			greatest = noTime
		}
		for _, at := range k.times[p] {
			switch {
			case !watermark.Plausible(at):
			case at < greatest:
				k.steps = append(k.steps, int64(greatest-at))
			default:
				greatest = at
			}
		}
	}
	slices.Sort(k.steps)
}

// instants finds the columns of texts that all are times as RFC 3339 has them.
func (t *table) instants() {
	for i, c := range t.columns {
		if c.typ.Kind != stream.String {
			continue
		}
		if k := t.extract(i, watermark.NoUnit); k.good > 0 && k.lacking() == c.nulls {
			c.typ.Kind = stream.Instant
		}
	}
}

// lacking gives the number of rows that have no time.
func (k *clock) lacking() int { return k.count(func(t stream.Time) bool { return t == noTime }) }

// odd gives the number of rows that have a time which is unlikely.
func (k *clock) odd() int {
	return k.count(func(t stream.Time) bool { return t != noTime && !watermark.Plausible(t) })
}

func (k *clock) count(is func(stream.Time) bool) int {
	n := 0
	for _, times := range k.times {
		for _, at := range times {
			if is(at) {
				n++
			}
		}
	}
	return n
}
