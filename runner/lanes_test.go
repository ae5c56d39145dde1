package runner

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tidemark/operators/agg"
	"tidemark/operators/state"
	"tidemark/operators/window"
	"tidemark/stream"
)

// heard is what an operator gave, written down: rows, those that failed and records that entered no window in
// lists of their own, as a bunch may end anywhere.
type heard struct {
	problem            func(format string, args ...any)
	rows, failed, late []string
	marks              []stream.Mark
	cause              uint64 // of the last row
}

func (h *heard) Rows(r *window.Rows) {
	if r.N > window.BunchRows || r.N == 0 && len(r.Marks) == 0 {
		h.problem("a bunch of %d rows and %d marks", r.N, len(r.Marks))
	}
	for row := range r.N {
		if h.cause = r.Cause(row); len(h.marks) > 0 && h.cause <= h.marks[len(h.marks)-1].Cause {
			h.problem("a row of cause %d comes behind the mark of %d", h.cause, h.marks[len(h.marks)-1].Cause)
		}
		h.rows = append(h.rows, describe(r, row))
	}
	for _, m := range r.Marks {
		h.marks = append(h.marks, stream.Mark{Cause: r.Base + m.Cause, Watermark: m.Watermark})
	}
	each(&r.Batch, func(row int32) { h.rows = append(h.rows, "selected "+describe(r, int(row))) })
	slices.Sort(h.rows[len(h.rows)-r.N-r.Selected():]) // selected ones stand beside themselves
}

func describe(r *window.Rows, row int) string {
	text := fmt.Sprintf("%020d %v cause %d", r.Triggers[row], r.Orders[row], r.Cause(row))
	if len(r.Times) > 0 {
		text += " at " + r.Times[row].String()
	}
	for c := range r.Columns {
		text += fmt.Sprintf(" %T %[1]v", r.Columns[c].Value(row))
	}
	return text
}

func (h *heard) Late(row int32, watermark, windowEnd stream.Time) {
	h.late = append(h.late, fmt.Sprint("late ", row, watermark, windowEnd))
}

func (h *heard) Uncovered(row int32) { h.late = append(h.late, fmt.Sprint("uncovered ", row)) }

func (h *heard) Failed(r *window.Rows, row int32, aggregate int, message string) {
	h.failed = append(h.failed, fmt.Sprint(describe(r, int(row)), aggregate, message))
}

// aggregates are one that can't fail, one for which order counts, and two that overflow soon, often not in the same rows.
func aggregates(t interface{ Fatal(...any) }) (list []window.Aggregate) {
	for _, name := range []string{"count", "sum", "last", "sum"} {
		kind, ok := agg.Lookup(name)
		if !ok {
			t.Fatal("no aggregate ", name)
		}
		a := window.Aggregate{Kind: kind}
		if name != "count" {
			a.Args = []stream.Type{{Kind: stream.Int}}
		}
		list = append(list, a)
	}
	return list
}

// pair is lanes and the one operator that they must equal.
type pair struct {
	operators [2]window.Operator
	heard     [2]heard
}

func newPair(t interface {
	Fatal(...any)
	Errorf(string, ...any)
}, spec window.Spec, lateness int64, columns int) *pair {
	open := func() (window.Operator, error) { return window.New(spec, lateness, aggregates(t), 1) }
	one, err := open()
	if err != nil {
		t.Fatal(err)
	}
	many, err := newLanes(open, Lanes, 2, columns)
	if err != nil {
		t.Fatal(err)
	}
	p := &pair{operators: [2]window.Operator{one, many}}
	for i := range p.heard {
		p.heard[i].problem = t.Errorf
	}
	return p
}

// process gives both a batch: key, value and other are its columns, and the last sum is of other.
func (p *pair) process(b *stream.Batch, key, value, other *stream.Column, rows []int32, ordinal uint64) {
	var keys state.Keys
	keys.Set([]*stream.Column{key}, rows, b.N)
	args := [][]*stream.Column{nil, {value}, {value}, {other}}
	for i, o := range p.operators {
		in := window.Input{Batch: b, Rows: rows, Keys: &keys, Args: args, ArgKeys: make([]*state.Keys, 4), Ordinal: ordinal}
		o.Process(&in, &p.heard[i])
	}
}

// differs gives the first difference.
func (p *pair) differs() string {
	one, many := &p.heard[0], &p.heard[1]
	if !slices.Equal(one.marks, many.marks) {
		return fmt.Sprintf("marks %v, wants %v", many.marks, one.marks)
	}
	for _, list := range [][2][]string{{one.rows, many.rows}, {one.failed, many.failed}, {one.late, many.late}} {
		for i := range max(len(list[0]), len(list[1])) {
			if i >= len(list[0]) || i >= len(list[1]) || list[0][i] != list[1][i] {
				return fmt.Sprintf("lanes give\n%s\nwants\n%s", list[1][min(i, len(list[1])):min(i+1, len(list[1]))], list[0][min(i, len(list[0])):min(i+1, len(list[0]))])
			}
		}
	}
	a, b := p.operators[0], p.operators[1]
	records, windows := a.Unwritten()
	if r, w := b.Unwritten(); r != records || w != windows {
		return fmt.Sprintf("%d records in %d windows unwritten, wants %d in %d", r, w, records, windows)
	}
	if a.Watermark() != b.Watermark() || a.NextFire() != b.NextFire() || a.Entries() != b.Entries() {
		return fmt.Sprintf("watermark %d, next fire %d, %d entries; wants %d, %d, %d",
			b.Watermark(), b.NextFire(), b.Entries(), a.Watermark(), a.NextFire(), a.Entries())
	}
	return ""
}

// TestLanes says that lanes give what one operator gives: rows in their order, failed rows, late records and marks.
func TestLanes(t *testing.T) {
	specs := map[string]window.Spec{
		"tumbling": window.Tumbling{Size: 10}, "sliding": window.Sliding{Size: 10, Every: 4},
		"gaps": window.Sliding{Size: 4, Every: 10}, "session": window.Session{Gap: 5}, "global": window.Global{},
	}
	for name, spec := range specs {
		t.Run(name, func(t *testing.T) {
			columns := 7
			if name == "global" {
				columns = 5
			}
			rapid.Check(t, func(t *rapid.T) { checkLanes(t, spec, columns) })
		})
	}
}

func checkLanes(t *rapid.T, spec window.Spec, columns int) {
	p := newPair(t, spec, rapid.Int64Range(0, 8).Draw(t, "lateness"), columns)
	watermark, cause := stream.Time(-40), uint64(0)
	for range rapid.IntRange(1, 5).Draw(t, "batches") {
		var key, value, other stream.Column
		b := &stream.Batch{N: rapid.IntRange(0, 12).Draw(t, "rows"), Base: cause}
		key.Reset(stream.Int, b.N)
		value.Reset(stream.Int, b.N)
		other.Reset(stream.Int, b.N)
		var rows []int32
		for row := range b.N {
			key.SetValue(row, rapid.SampledFrom([]any{int64(1), int64(2), int64(3), "1", nil, 1.5}).Draw(t, "key"))
			value.Ints[row] = rapid.SampledFrom([]int64{1, 2, math.MaxInt64}).Draw(t, "value")
			other.Ints[row] = rapid.SampledFrom([]int64{1, 2, math.MaxInt64}).Draw(t, "other")
			b.Times = append(b.Times, max(watermark, 0)+stream.Time(rapid.IntRange(-30, 20).Draw(t, "time")))
			if rapid.IntRange(0, 5).Draw(t, "filtered") > 0 {
				rows = append(rows, int32(row))
			}
			if rapid.IntRange(0, 2).Draw(t, "mark") == 0 {
				watermark += stream.Time(rapid.IntRange(1, 15).Draw(t, "step"))
				b.Marks = append(b.Marks, stream.Mark{Cause: uint64(row), Watermark: watermark})
			}
		}
		ordinal := cause
		if cause += uint64(b.N) + 1; b.N == 0 {
			watermark += 7
			b.Marks = append(b.Marks, stream.Mark{Watermark: watermark})
		}
		p.process(b, &key, &value, &other, rows, ordinal)
		if problem := p.differs(); problem != "" {
			t.Fatal(problem)
		}
	}
	p.process(&stream.Batch{Base: cause, Marks: []stream.Mark{{Watermark: stream.MaxTime}}}, &stream.Column{}, &stream.Column{}, &stream.Column{}, nil, cause)
	if problem := p.differs(); problem != "" {
		t.Fatal(problem)
	}
}

// TestLanesManyKeys fires far more rows at once than a bunch holds, among which some fail.
func TestLanesManyKeys(t *testing.T) {
	const keys = 3*window.BunchRows + 17
	p := newPair(t, window.Sliding{Size: 10, Every: 5}, 0, 7)
	var key, value, other stream.Column
	b := &stream.Batch{N: 2 * keys, Marks: []stream.Mark{{Cause: 2*keys - 1, Watermark: 100}}}
	key.Reset(stream.Int, b.N)
	value.Reset(stream.Int, b.N)
	other.Reset(stream.Int, b.N)
	for row := range b.N {
		key.Ints[row] = int64(row % keys)
		value.Ints[row], other.Ints[row] = 1, 1
		if row%keys%1000 == 7 {
			value.Ints[row] = math.MaxInt64
		}
		if row%keys%1000 < 9 { // some of which fail in both, and some before the first that fails in the other
			other.Ints[row] = math.MaxInt64
		}
		b.Times = append(b.Times, stream.Time(row%2*5))
	}
	p.process(b, &key, &value, &other, iota32(b.N), 0)
	if problem := p.differs(); problem != "" {
		t.Fatal(problem)
	}
	if len(p.heard[1].failed) == 0 || len(p.heard[1].rows) < 3*keys {
		t.Errorf("%d rows, %d failed", len(p.heard[1].rows), len(p.heard[1].failed))
	}
}
