package window_test

import (
	"math"
	"strings"
	"testing"

	"tidemark/operators/state"
	"tidemark/operators/window"
	"tidemark/stream"
)

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		spec     window.Spec
		lateness int64
		want     string
	}{
		{window.Tumbling{Size: 0}, 0, "tumbling is 0 ms"},
		{window.Tumbling{Size: 5, Offset: 5}, 0, "offset is 5 ms"},
		{window.Tumbling{Size: 5, Offset: -5}, 0, "offset is -5 ms"},
		{window.Tumbling{Size: math.MaxInt64}, 0, "at most"},
		{window.Sliding{Size: 0, Every: 5}, 0, "sliding is 0 ms"},
		{window.Sliding{Size: 5, Every: 0}, 0, "every is 0 ms"},
		{window.Sliding{Size: 5, Every: 3, Offset: 3}, 0, "the every of 3 ms"},
		{window.Session{Gap: -1}, 0, "session is -1 ms"},
		{window.Global{}, -1, "allowed_lateness is -1 ms"},
		{window.Tumbling{Size: 5, Offset: -4}, math.MaxInt64, ""},
	} {
		_, err := window.New(c.spec, c.lateness, nil, 0)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%#v: %v, want %s", c.spec, err, c.want)
		}
	}
}

// oneBatch makes a batch of rows with integer keys and values, and the marks given.
func oneBatch(times []stream.Time, keys, values []int64, marks ...stream.Mark) *window.Input {
	n := len(times)
	batch, key, value := new(stream.Batch), new(stream.Column), new(stream.Column)
	key.Reset(stream.Int, n)
	value.Reset(stream.Int, n)
	copy(key.Ints, keys)
	copy(value.Ints, values)
	batch.N, batch.Times, batch.Marks = n, times, marks
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	in := &window.Input{Batch: batch, Rows: rows, Keys: new(state.Keys), Args: [][]*stream.Column{{value}}}
	in.Keys.Set([]*stream.Column{key}, rows, n)
	return in
}

// bunches keeps how results came.
type bunches struct {
	t         *testing.T
	sizes     []int
	triggers  []uint64
	orders    []stream.Order
	lastMark  uint64
	marks     int
	failed    []string
	selected  int
	lastCause uint64
}

func (b *bunches) Rows(r *window.Rows) {
	if r.N > window.BunchRows {
		b.t.Errorf("a bunch of %d rows", r.N)
	}
	if r.N > 0 && b.marks > 0 && r.Causes[0] <= b.lastMark {
		b.t.Errorf("a row of cause %d comes after a mark of cause %d", r.Causes[0], b.lastMark)
	}
	for _, m := range r.Marks {
		if m.Cause < b.lastCause {
			b.t.Errorf("mark %v comes after a row of cause %d", m, b.lastCause)
		}
		b.lastMark = m.Cause
	}
	if r.N > 0 {
		b.lastCause = r.Causes[r.N-1]
	}
	b.marks += len(r.Marks)
	b.sizes = append(b.sizes, r.N)
	b.triggers = append(b.triggers, r.Triggers...)
	b.orders = append(b.orders, r.Orders...)
	b.selected += r.Selected()
}

func (b *bunches) Late(int32, stream.Time, stream.Time) { b.t.Error("late") }
func (b *bunches) Uncovered(int32)                      { b.t.Error("uncovered") }

func (b *bunches) Failed(r *window.Rows, row int32, aggregate int, message string) {
	b.failed = append(b.failed, message)
	if r.Columns[0].Ints[row] != 7 {
		b.t.Errorf("key %d failed, not 7", r.Columns[0].Ints[row])
	}
}

// TestBunches fires more rows than fit into one bunch, at one mark and at many.
func TestBunches(t *testing.T) {
	const n = 30_000
	times, keys := make([]stream.Time, n), make([]int64, n)
	var marks []stream.Mark
	for i := range n {
		times[i], keys[i] = stream.Time(i), int64(i*7919%10_007)
		if w := stream.Time(i - 10); i < n/2 || i > n-100 {
			marks = append(marks, stream.Mark{Cause: uint64(i), Watermark: w})
		}
	}
	marks = append(marks, stream.Mark{Cause: n - 1, Watermark: stream.MaxTime})
	for _, spec := range []window.Spec{
		window.Tumbling{Size: 10_000}, window.Sliding{Size: 12_000, Every: 5000}, window.Session{Gap: 9},
		window.Session{Gap: 40_000}, window.Global{},
	} {
		op, err := window.New(spec, 0, []window.Aggregate{{Kind: aggregate("sum"), Args: []stream.Type{{Kind: stream.Int}}}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		out := &bunches{t: t}
		op.Process(oneBatch(times, keys, keys, marks...), out)
		if len(out.sizes) < 3 || out.marks != len(marks)-1 {
			t.Errorf("%#v: bunches of %v, %d of %d marks", spec, out.sizes, out.marks, len(marks))
		}
		for i := 1; i < len(out.triggers); i++ {
			if a, b := out.triggers[i-1], out.triggers[i]; a > b || a == b && !out.orders[i-1].Less(out.orders[i]) {
				t.Fatalf("%#v: row %d is out of order", spec, i)
			}
		}
		if op.Entries() != 0 || op.Watermark() != stream.MaxTime {
			t.Errorf("%#v: %d entries are left at %v", spec, op.Entries(), op.Watermark())
		}
	}
}

// TestFailed has a sum that is no integer of 64 bits in one of many rows.
func TestFailed(t *testing.T) {
	const n = 5000
	times, keys, values := make([]stream.Time, n), make([]int64, n), make([]int64, n)
	for i := range n {
		if keys[i] = int64(i / 2); keys[i] == 7 {
			values[i] = math.MaxInt64
		}
	}
	end := stream.Mark{Cause: n - 1, Watermark: stream.MaxTime}
	for _, spec := range []window.Spec{window.Tumbling{Size: 10}, window.Sliding{Size: 10, Every: 10}, window.Session{Gap: 10}, window.Global{}} {
		op, err := window.New(spec, 0, []window.Aggregate{{Kind: aggregate("sum"), Args: []stream.Type{{Kind: stream.Int}}}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		out := &bunches{t: t}
		op.Process(oneBatch(times, keys, values, end), out)
		if len(out.failed) != 1 || out.selected != n/2-1 {
			t.Errorf("%#v: %d rows, failures %v", spec, out.selected, out.failed)
		}
	}
}

// TestFarApart has times of the years 1, 1970 and 9999: nothing may walk through the empty windows between.
func TestFarApart(t *testing.T) {
	times := []stream.Time{stream.FirstTime, 0, stream.LastTime, -1}
	for _, spec := range []window.Spec{window.Tumbling{Size: 1}, window.Sliding{Size: 3, Every: 2}, window.Session{Gap: 1}} {
		for _, marks := range [][]stream.Mark{
			{{Cause: 3, Watermark: stream.MaxTime}},
			{{Cause: 3, Watermark: 0}, {Cause: 3, Watermark: stream.LastTime + 1000}},
		} {
			op, err := window.New(spec, 100, nil, 1)
			if err != nil {
				t.Fatal(err)
			}
			out := &bunches{t: t}
			op.Process(oneBatch(times, []int64{1, 2, 3, 4}, nil, marks...), out)
			if len(out.orders) < 4 || op.Entries() != 0 {
				t.Errorf("%#v: %d rows, %d entries left", spec, len(out.orders), op.Entries())
			}
		}
	}
}
