package infer

import (
	"regexp"
	"slices"
	"time"

	"tidemark/stream"
)

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

// byLayout reads a column of texts by a layout.
func (t *table) byLayout(i int, layout string) *clock {
	k := &clock{column: t.columns[i], layout: layout}
	k.read(t, func(p *part, row int) (string, bool) { return p.text(i, row) })
	return k
}

// read reads the texts of all rows by the clock's layout.
func (k *clock) read(t *table, text func(p *part, row int) (string, bool)) {
	k.times, k.good = make([][]stream.Time, len(t.parts)), 0
	for p := range t.parts {
		for _, row := range t.parts[p].rows {
			at := noTime
			if value, ok := text(&t.parts[p], int(row)); ok {
				if parsed, err := time.Parse(k.layout, value); err == nil {
					at = stream.Time(parsed.UnixMilli())
				}
			}
			k.add(p, at)
		}
	}
}

// pair looks for a column that has the time of day to the days of another; nil where there is none.
func (t *table) pair(day *clock) *clock {
	if !slices.Contains(dates, day.layout) {
		return nil
	}
	at := slices.Index(t.columns, day.column)
	for i, c := range t.columns {
		if i == at || c.typ.Kind != stream.String {
			continue
		}
		for _, layout := range clocks {
			if layout == "" || layout[0] != ' ' {
				continue
			}
			k := &clock{column: day.column, beside: c, layout: day.layout + layout, unsure: day.unsure}
			k.read(t, func(p *part, row int) (string, bool) {
				date, ok := p.text(at, row)
				hour, also := p.text(i, row)
				return date + " " + hour, ok && also
			})
			if float64(k.good) >= enoughUnnamed*float64(day.good) {
				return k
			}
		}
	}
	return nil
}

// localTime is a time as RFC 3339 has it, but for the zone.
var localTime = regexp.MustCompile(`^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?$`)

// zoneless reports whether some times of a column don't say what zone they are in.
func (t *table) zoneless(c *column) bool {
	found := false
	t.texts(slices.Index(t.columns, c), func(text string) { found = found || localTime.MatchString(text) })
	return found
}

func sum(steps []int64) (total float64) {
	for _, s := range steps {
		total += float64(s)
	}
	return total
}
