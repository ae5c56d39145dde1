package window_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tidemark/operators/state"
	"tidemark/operators/window"
	"tidemark/stream"
)

// script is a setting and an input, drawn at random.
type script struct {
	spec     window.Spec
	lateness int64
	spelling string // how keys are given: none, ints, texts, floats (ints and floats mixed)
	events   []event
	any      anyAggregate
}

func drawScript(t *rapid.T) script {
	span := func(least, most int64, name string) int64 { return rapid.Int64Range(least, most).Draw(t, name) }
	var s script
	origin, scale := int64(0), int64(1)
	switch rapid.SampledFrom([]string{"tumbling", "sliding", "session", "calendar", "global"}).Draw(t, "kind") {
	case "tumbling":
		size := span(1, 20, "size")
		s.spec = window.Tumbling{Size: size, Offset: span(1-size, size-1, "offset")}
	case "sliding":
		every := span(1, 12, "every")
		s.spec = window.Sliding{Size: span(1, 40, "size"), Every: every, Offset: span(1-every, every-1, "offset")}
	case "session":
		s.spec = window.Session{Gap: span(1, 400, "gap")}
	case "calendar":
		c := drawCalendar(t)
		s.spec, origin, scale = c, drawOrigin(t), c.Typical()/24+span(-1000, 1000, "scale")
	default:
		s.spec = window.Global{}
	}
	if rapid.Bool().Draw(t, "late") {
		s.lateness = span(0, 60, "lateness") * scale
	}
	s.spelling = rapid.SampledFrom([]string{"none", "ints", "texts", "floats"}).Draw(t, "keys")
	delay, reach, keys := span(0, 40, "delay"), span(1, 40, "reach"), span(1, 6, "keys")
	cause, ordinal, now, w := span(0, 9, "cause"), uint64(0), span(-500, 100, "begin"), stream.MinTime
	for range rapid.IntRange(0, 120).Draw(t, "events") {
		if span(0, 3, "mark") == 0 {
			if up := stream.Time(origin + (now-delay)*scale - 1); up > w {
				w = up
				s.events = append(s.events, event{mark: true, cause: uint64(cause), ordinal: ordinal, at: w})
			}
			continue
		}
		cause += 1 + span(0, 20, "gap")/18
		e := event{cause: uint64(cause), ordinal: ordinal, at: stream.Time(origin + (now-span(0, 60, "behind"))*scale),
			key: span(0, keys-1, "key"), skipped: span(0, 9, "skip") == 0}
		if s.spelling == "none" {
			e.key = 0
		}
		ordinal++
		s.events = append(s.events, e)
		now += span(0, reach, "step")
	}
	if rapid.Bool().Draw(t, "end") {
		s.events = append(s.events, event{mark: true, cause: uint64(cause), ordinal: ordinal, at: stream.MaxTime})
	}
	s.any = drawAggregate(t, s.events)
	return s
}

// collector keeps what operators gave, by ordinal.
type collector struct {
	result
	spelled []string
	any     *anyAggregate
	results []string // of any, by row
	marks   []stream.Mark
	first   uint64 // the ordinal of batch row 0
	wrong   string
}

func (c *collector) Rows(b *window.Rows) {
	keys := len(b.Columns) - 3
	if len(b.Times) > 0 {
		keys -= 2
	}
	last := lastCause(c.result.Rows)
	for i := range b.N {
		columns := b.Columns
		row := resultRow{Trigger: b.Triggers[i], Cause: b.Cause(i), Order: b.Orders[i]}
		if keys == 1 {
			c.spelled = append(c.spelled, fmt.Sprintf("%T %v", columns[0].Value(i), columns[0].Value(i)))
			row.Key = keyNumber(columns[0].Value(i))
		}
		row.Rows = columns[len(columns)-1].Value(i).([]int64)
		c.results = append(c.results, c.any.spelled(columns[len(columns)-2].Value(i)))
		if n := columns[len(columns)-3].Value(i).(int64); n != int64(len(row.Rows)) {
			c.wrong = fmt.Sprintf("count %d of %d", n, len(row.Rows))
		}
		c.result.Rows = append(c.result.Rows, row)
	}
	for _, m := range b.Marks {
		if m.Cause < last {
			c.wrong = fmt.Sprintf("mark %v comes after rows that follow it", m)
		}
		c.marks = append(c.marks, m)
	}
}

func lastCause(rows []resultRow) uint64 {
	if len(rows) == 0 {
		return 0
	}
	return rows[len(rows)-1].Cause
}

func keyNumber(v any) (n int64) {
	switch x := v.(type) {
	case int64:
		return x
	case float64:
		return int64(x)
	case string:
		fmt.Sscanf(x, "key %d", &n)
	}
	return n
}

func (c *collector) Late(row int32, w, end stream.Time) {
	c.result.Late = append(c.result.Late, lateRow{c.first + uint64(row), w, end})
}

func (c *collector) Uncovered(row int32) {
	c.result.Uncovered = append(c.result.Uncovered, c.first+uint64(row))
}

func (c *collector) Failed(*window.Rows, int32, int, string) { c.wrong = "a row failed" }

type fataler interface {
	Fatal(...any)
}

// play gives a script to operators, one for each lane, in batches of some rows.
func (s *script) play(t fataler, batchRows, lanes int) (*collector, []window.Operator) {
	aggregates := testAggregates()
	aggregates = []window.Aggregate{aggregates[0], s.any.spec(), aggregates[len(aggregates)-1]}
	operators, outputs := make([]window.Operator, lanes), make([]*collector, lanes)
	for i := range operators {
		var err error
		if operators[i], err = window.New(s.spec, s.lateness, aggregates, keyColumns(s.spelling != "none")); err != nil {
			t.Fatal(err)
		}
		outputs[i] = &collector{any: &s.any}
	}
	for rest := s.events; len(rest) > 0; {
		n, rows := 0, 0
		for n < len(rest) && rows < batchRows {
			if !rest[n].mark {
				rows++
			}
			n++
		}
		in, split := s.batch(rest[:n], lanes)
		for i, op := range operators {
			in.Rows, in.Quiet = split[i], i > 0
			outputs[i].first = in.Ordinal
			given := *in
			if len(given.Rows) == 0 {
				given.Keys, given.Args = nil, nil
			}
			op.Process(&given, outputs[i])
		}
		rest = rest[n:]
	}
	return merge(outputs), operators
}

// batch packs events, with the rows of each lane.
func (s *script) batch(events []event, lanes int) (*window.Input, [][]int32) {
	b := &stream.Batch{Base: events[0].cause}
	in := &window.Input{Batch: b, Ordinal: events[0].ordinal, Keys: new(state.Keys)}
	key, step := new(stream.Column), new(stream.Column)
	key.Reset(map[string]stream.Kind{"ints": stream.Int, "texts": stream.String, "floats": stream.Any}[s.spelling], len(events))
	step.Reset(stream.Int, len(events))
	var rows []int32
	var ordinals []uint64
	for _, e := range events {
		if e.mark {
			b.Marks = append(b.Marks, stream.Mark{Cause: e.cause - b.Base, Watermark: e.at})
			continue
		}
		row := b.N
		b.Times, b.Causes, b.N = append(b.Times, e.at), append(b.Causes, e.cause-b.Base), b.N+1
		step.Ints[row] = int64(e.ordinal)
		ordinals = append(ordinals, e.ordinal)
		switch {
		case s.spelling == "texts":
			key.SetString(row, fmt.Sprintf("key %d", e.key))
		case s.spelling == "floats" && e.ordinal%3 == 0:
			key.Boxed[row] = float64(e.key)
		default:
			key.SetValue(row, e.key)
		}
		if !e.skipped {
			rows = append(rows, int32(row))
		}
	}
	var columns []*stream.Column
	if s.spelling != "none" {
		columns = append(columns, key)
	}
	in.Keys.Set(columns, rows, b.N)
	in.Args = [][]*stream.Column{nil, s.any.columns(ordinals), {step}}
	split := make([][]int32, lanes)
	for _, r := range rows {
		lane := state.Lane(in.Keys.Hash[r], lanes)
		split[lane] = append(split[lane], r)
	}
	return in, split
}

// merge puts the results of lanes together, as a runner does.
func merge(lanes []*collector) *collector {
	all := lanes[0]
	for _, c := range lanes[1:] {
		all.results = append(all.results, c.results...)
		all.result.Rows = append(all.result.Rows, c.result.Rows...)
		all.result.Late = append(all.result.Late, c.result.Late...)
		all.result.Uncovered = append(all.result.Uncovered, c.result.Uncovered...)
		all.spelled = append(all.spelled, c.spelled...)
		all.wrong += c.wrong
	}
	if len(lanes) > 1 {
		less := func(a, b resultRow) int {
			c := cmp.Compare(a.Trigger, b.Trigger)
			if c == 0 && a.Order != b.Order {
				return map[bool]int{true: -1, false: 1}[a.Order.Less(b.Order)]
			}
			return c
		}
		all.sort(less)
		slices.SortFunc(all.result.Late, func(a, b lateRow) int { return cmp.Compare(a.Ordinal, b.Ordinal) })
		slices.Sort(all.result.Uncovered)
	}
	return all
}

// sort sorts the rows, and the results with them.
func (c *collector) sort(less func(a, b resultRow) int) {
	order := make([]int, len(c.result.Rows))
	for i := range order {
		order[i] = i
	}
	rows, results := c.result.Rows, c.results
	slices.SortStableFunc(order, func(i, j int) int { return less(rows[i], rows[j]) })
	c.result.Rows, c.results = nil, nil
	for _, i := range order {
		c.result.Rows, c.results = append(c.result.Rows, rows[i]), append(c.results, results[i])
	}
}

// TestProperty holds the operators against the naive reading of the rules, however the input is cut into
// batches and lanes.
func TestProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawScript(t)
		want := naive{spec: s.spec, lateness: s.lateness, watermark: stream.MinTime}
		var marks []stream.Mark
		for _, e := range s.events {
			want.take(e)
			if n := len(marks); e.mark && n > 0 && marks[n-1].Cause == e.cause {
				marks[n-1].Watermark = e.at
			} else if e.mark {
				marks = append(marks, stream.Mark{Cause: e.cause, Watermark: e.at})
			}
		}
		var spelled []string
		for _, cut := range []struct{ rows, lanes int }{{1, 1}, {2, 1}, {3, 1}, {1024, 1}, {1, 3}, {7, 3}, {1024, 5}} {
			got, operators := s.play(t, cut.rows, cut.lanes)
			if got.wrong != "" {
				t.Fatalf("%+v: %s", cut, got.wrong)
			}
			if !reflect.DeepEqual(got.result, want.result) {
				t.Fatalf("%#v lateness %d, %+v:\n got %+v\nwant %+v\nof %+v", s.spec, s.lateness, cut, got.result, want.result, s.events)
			}
			for i, row := range got.result.Rows {
				if want := s.any.over(t, row.Rows); got.results[i] != want {
					t.Fatalf("%+v: %s %v of records %v is %s, in one pass %s", cut, s.any.kind.Name, s.any.kind.Constants, row.Rows, got.results[i], want)
				}
			}
			if !slices.Equal(got.marks, marks) {
				t.Fatalf("%+v: marks %v, want %v", cut, got.marks, marks)
			}
			if spelled == nil {
				spelled = got.spelled
			}
			if cut.lanes == 1 && !slices.Equal(got.spelled, spelled) {
				t.Fatalf("%#v lateness %d, %+v: keys are spelled %v, not %v", s.spec, s.lateness, cut, got.spelled, spelled)
			}
			checkCounts(t, operators, &want)
		}
	})
}

func checkCounts(t *rapid.T, operators []window.Operator, want *naive) {
	records, windows, entries := 0, 0, 0
	next := stream.MaxTime
	for _, op := range operators {
		r, w := op.Unwritten()
		records, windows, entries = records+r, windows+w, entries+op.Entries()
		next = min(next, op.NextFire())
	}
	wantRecords, wantWindows := want.unwritten()
	if records != wantRecords || windows != wantWindows {
		t.Fatalf("%d records in %d windows are unwritten, want %d in %d", records, windows, wantRecords, wantWindows)
	}
	if len(want.panes) == 0 && (entries != 0 || next != stream.MaxTime) {
		t.Fatalf("%d entries are left, the next fires at %v", entries, next)
	}
	if !want.global() && wantWindows > 0 && next == stream.MaxTime {
		t.Fatal("open windows, but nothing to fire")
	}
}
