package watermark

import (
	"math/rand/v2"
	"testing"

	"tidemark/stream"
)

// TestMinimumAgainstRules drives a combination at random and compares it with the rules written out: the least of the
// members at work, else the greatest of those that are idle, else the end, where all have ended; and it only rises.
func TestMinimumAgainstRules(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 0))
		m, want := NewMinimum(0), stream.MinTime
		var marks []stream.Time
		var idle []bool
		for step := range 40 {
			i := r.IntN(4)
			switch {
			case i >= len(marks):
				m.Add()
				marks, idle = append(marks, stream.MinTime), append(idle, false)
			case r.IntN(8) == 0:
				m.Set(i, stream.MaxTime)
				marks[i], idle[i] = stream.MaxTime, false
			case r.IntN(3) == 0:
				m.SetIdle(i)
				idle[i] = true
			default:
				w := stream.Time(r.IntN(100))
				m.Set(i, w)
				marks[i], idle[i] = max(marks[i], w), false
			}
			w, quiet := combined(marks, idle)
			want = max(want, w)
			if got, _ := m.Combine(); got != want || m.AllIdle() != quiet {
				t.Fatalf("seed %d, step %d: %v %v gives %v %v, want %v %v", seed, step, marks, idle, got, m.AllIdle(), want, quiet)
			}
		}
	}
}

// combined gives the combined watermark of members, and whether all that have not ended are idle.
func combined(marks []stream.Time, idle []bool) (w stream.Time, quiet bool) {
	var active, silent []stream.Time
	for i, mark := range marks {
		if mark == stream.MaxTime {
			continue
		}
		if idle[i] {
			silent = append(silent, mark)
		} else {
			active = append(active, mark)
		}
	}
	switch {
	case len(active) > 0:
		w = active[0]
		for _, mark := range active {
			w = min(w, mark)
		}
		return w, false
	case len(silent) > 0:
		w = silent[0]
		for _, mark := range silent {
			w = max(w, mark)
		}
		return w, true
	}
	return stream.MaxTime, false
}
