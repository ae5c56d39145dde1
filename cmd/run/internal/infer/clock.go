package infer

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"tidemark/operators/watermark"
	"tidemark/stream"
)

// clock is how a column is read as event time.
type clock struct {
	column *column
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
	if best != nil {
		best.measure(t)
	}
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

// byLayouts reads texts by the layouts that the first of them have. Where day and month can't be told apart, the order
// of the records decides: event times mostly rise.
func (t *table) byLayouts(i int) []*clock {
	var first []string
	t.texts(i, func(text string) {
		if len(first) < 20 {
			first = append(first, text)
		}
	})
	var best []*clock
	for _, layout := range layouts {
		if !slices.ContainsFunc(first, func(text string) bool { _, err := time.Parse(layout, text); return err == nil }) {
			continue
		}
		k := t.byLayout(i, layout)
		switch {
		case len(best) == 0 || k.good > best[0].good:
			best = []*clock{k}
		case k.good == best[0].good && otherOrder(k.layout, best[0].layout):
			best = append(best, k)
		}
	}
	if len(best) < 2 {
		return best
	}
	a, b := best[0], best[1]
	a.measure(t)
	b.measure(t)
	if sum(b.steps) < sum(a.steps) {
		a, b = b, a
	}
	a.unsure = "day and month could be the other way round: " + b.layout
	return []*clock{a}
}

func (t *table) byLayout(i int, layout string) *clock {
	k := &clock{column: t.columns[i], layout: layout, times: make([][]stream.Time, len(t.parts))}
	for p, part := range t.parts {
		c := &part.batch.Columns[i]
		for _, row := range part.rows {
			at := noTime
			if c.Kind == stream.String && c.Tag(int(row)) == stream.TagOK {
				if parsed, err := time.Parse(layout, string(c.Bytes(int(row)))); err == nil {
					at = stream.Time(parsed.UnixMilli())
				}
			}
			k.add(p, at)
		}
	}
	return k
}

func sum(steps []int64) (total float64) {
	for _, s := range steps {
		total += float64(s)
	}
	return total
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

// Words in the names of columns that have a time.
var (
	certainNames = []string{"ts", "time", "timestamp", "datetime", "event_time", "event_ts", "event_timestamp", "at", "when", "occurred_at"}
	timeWords    = []string{"ts", "time", "timestamp", "datetime", "date", "at", "when", "on", "day", "epoch", "millis", "created", "occurred", "sent", "received", "seen", "started", "zeit", "datum", "zeitstempel", "fecha", "hora", "heure"}
)

// nameRank says how much a name sounds like that of an event time: 0 not at all, 3 very much.
func nameRank(name string) int {
	words := wordsOf(name)
	if len(words) == 0 {
		return 0
	}
	switch {
	case slices.Contains(certainNames, strings.Join(words, "_")):
		return 3
	case slices.Contains(timeWords, words[len(words)-1]):
		return 2
	case slices.ContainsFunc(words, func(w string) bool { return slices.Contains(timeWords, w) }):
		return 1
	}
	return 0
}

// wordsOf cuts a name such as event_time, eventTime or Event-Time into words.
func wordsOf(name string) []string {
	var b strings.Builder
	var before rune
	for _, r := range name {
		if unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsDigit(before)) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		before = r
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
