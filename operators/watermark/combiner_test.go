package watermark

import (
	"math"
	"testing"

	"tidemark/stream"
)

func TestStrategies(t *testing.T) {
	for _, c := range []struct {
		s        Strategy
		greatest stream.Time
		want     stream.Time
	}{
		{Strategy{Kind: Bounded, Delay: 3000}, 8000, 4999},
		{Strategy{Kind: Bounded}, stream.MinTime, stream.MinTime},
		{Strategy{Kind: Bounded, Delay: 5}, stream.MinTime + 6, stream.MinTime},
		{Strategy{Kind: Bounded, Delay: 5}, stream.MinTime + 7, stream.MinTime + 1},
		{Strategy{Kind: Bounded, Delay: math.MaxInt64}, 100, -math.MaxInt64 + 99},
		{Strategy{Kind: Bounded, Delay: math.MaxInt64}, -100, stream.MinTime},
		{Strategy{Kind: Monotonous}, 8000, 7999},
		{Strategy{Kind: Punctuated}, 8000, 8000},
		{Strategy{Kind: None}, 8000, stream.MinTime},
	} {
		if got := c.s.At(c.greatest); got != c.want {
			t.Errorf("%+v at %d: %d, want %d", c.s, int64(c.greatest), int64(got), int64(c.want))
		}
	}
	if (Strategy{Kind: Bounded, Delay: -1}).Validate() == nil {
		t.Error("a negative delay is allowed")
	}
	if _, err := NewCombiner(Options{}, 1); err == nil {
		t.Error("an idle timeout of 0 is allowed")
	}
}

func TestAppendMarks(t *testing.T) {
	times := []stream.Time{10, 5, 12, 99, 12, 20}
	marks, greatest := Strategy{Kind: Bounded, Delay: 2}.AppendMarks(nil, times, []int32{0, 1, 2, 4, 5}, 11)
	if len(marks) != 2 || marks[0] != (stream.Mark{Cause: 2, Watermark: 9}) || marks[1] != (stream.Mark{Cause: 5, Watermark: 17}) || greatest != 20 {
		t.Error(marks, greatest)
	}
	if marks, greatest = (Strategy{Kind: None}).AppendMarks(nil, times, nil, stream.MinTime); marks != nil || greatest != stream.MinTime {
		t.Error(marks, greatest)
	}
}

// TestIdle follows a partition that falls silent, and comes back behind the others.
func TestIdle(t *testing.T) {
	c, err := NewCombiner(Options{Strategy: Strategy{Kind: Bounded}, Periodic: true, Idle: 1000}, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := func(when string, w stream.Time, w2 stream.Time) {
		t.Helper()
		if w != w2 {
			t.Errorf("%s: %v, want %v", when, w, w2)
		}
	}
	events := func(partition, n int, greatest stream.Time) {
		c.Steps(partition, n, true, []stream.Mark{{Watermark: greatest - 1}}, nil)
	}
	tick := func(now int64) stream.Time { w, _ := c.Tick(now); return w }
	events(0, 1, 5)
	events(1, 1, 3)
	want("both", tick(0), 2)
	events(0, 3, 50)
	want("the lower one decides", tick(100), 2) // partition 1 is quiet for the first time
	events(0, 1, 60)
	want("exactly the timeout", tick(1100), 2)
	events(0, 1, 61)
	want("longer", tick(1101), 60)
	if _, idle := c.Partition(1); !idle {
		t.Error("partition 1 is not idle")
	}
	events(1, 1, 10)
	want("it comes back behind", tick(1200), 60)
	events(0, 1, 100)
	want("and holds", tick(1300), 60)
	w, rose := c.End()
	if w != stream.MaxTime || !rose || c.Watermark() != stream.MaxTime {
		t.Error("the end is not the end")
	}
}

// TestMinimum joins the inputs of a node.
func TestMinimum(t *testing.T) {
	m := NewMinimum(2)
	m.Set(0, 10)
	if w, rose := m.Combine(); rose || w != stream.MinTime {
		t.Error(w, rose)
	}
	m.SetIdle(1)
	if w, rose := m.Combine(); !rose || w != 10 {
		t.Error(w, rose)
	}
	if m.Set(1, 4) != true || m.Idle(1) {
		t.Error("a watermark does not wake")
	}
	m.Set(0, 20)
	if w, rose := m.Combine(); rose || w != 10 || m.Of(1) != 4 {
		t.Error(w, rose)
	}
	m.SetIdle(0)
	m.SetIdle(1)
	if w, rose := m.Combine(); !rose || w != 20 {
		t.Error(w, rose)
	}
}
