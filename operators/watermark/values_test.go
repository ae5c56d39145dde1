package watermark

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tidemark/stream"
)

// TestValues holds the machine against a map that is looked through at every record.
func TestValues(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		idle, delay := r.Int64N(50), r.Int64N(5)
		v := NewValues(Strategy{Kind: Bounded, Delay: delay}, idle)
		forgotten := map[uint32]bool{}
		v.Forget = func(value uint32) { forgotten[value] = true }
		times, greatest, current := map[uint32]stream.Time{}, stream.MinTime, stream.MinTime
		for range 300 {
			value, at := r.Uint32N(8), stream.Time(r.Int64N(20)+int64(len(forgotten))*7+r.Int64N(100))
			clear(forgotten)
			greatest = max(greatest, at)
			if old, ok := times[value]; !ok || at > old {
				times[value] = at
			}
			least := stream.MaxTime
			for name, time := range times {
				if greatest-time > stream.Time(idle) {
					delete(times, name)
					continue
				}
				least = min(least, time)
			}
			want := max(current, least-stream.Time(delay)-1)
			got, rose := v.Add(value, at)
			if got != want || rose != (want > current) || v.Len() != len(times) {
				t.Fatalf("seed %d: %v, %v, %d values; want %v, %d values", seed, got, rose, v.Len(), want, len(times))
			}
			current = want
		}
	}
}

// TestAhead holds the machine against a plain reading of the rule, in pieces of any size.
func TestAhead(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		const most, delay = 100, 3
		var times []stream.Time
		at := stream.Time(r.Int64N(1000) - 500)
		for len(times) < 600 {
			switch r.IntN(40) {
			case 0:
				at += stream.Time(r.Int64N(300))
			case 1:
				for range r.IntN(2 * RealGap) {
					times = append(times, at+1000+stream.Time(r.Int64N(50)))
				}
			}
			at += stream.Time(r.Int64N(5))
			times = append(times, at-stream.Time(r.Int64N(10)))
		}
		want, far := naiveAhead(times, most, delay)
		a := NewAhead(Strategy{Kind: Bounded, Delay: delay}, most)
		var got []stream.Mark
		var gotFar []int32
		w := stream.MinTime
		for from := 0; from < len(times); {
			n := min(1+r.IntN(40), len(times)-from)
			piece := times[from : from+n]
			var marks []stream.Mark
			if a.Within(slices.Max(piece)) {
				marks, _ = a.Strategy.AppendMarks(nil, piece, nil, stream.MinTime)
				marks = slices.DeleteFunc(marks, func(m stream.Mark) bool { return m.Watermark <= w })
			} else {
				marks = a.AppendMarks(nil, piece, nil, w, func(row int32) { gotFar = append(gotFar, row+int32(from)) })
			}
			for _, m := range marks {
				got, w = append(got, stream.Mark{Cause: m.Cause + uint64(from), Watermark: m.Watermark}), m.Watermark
			}
			from += n
		}
		if !slices.Equal(got, want) || !slices.Equal(gotFar, far) {
			t.Fatalf("seed %d: %v, %v\nwant %v, %v", seed, got, gotFar, want, far)
		}
	}
}

func naiveAhead(times []stream.Time, most, delay stream.Time) (marks []stream.Mark, far []int32) {
	moved, w := times[0], stream.MinTime
	var row []stream.Time
	for i, t := range times {
		if t > moved+most {
			row = append(row, t)
			if len(row) < RealGap {
				far = append(far, int32(i))
				continue
			}
			t = slices.Min(row)
		}
		row = nil
		moved = max(moved, t)
		if moved-delay-1 > w {
			w = moved - delay - 1
			marks = append(marks, stream.Mark{Cause: uint64(i), Watermark: w})
		}
	}
	return marks, far
}
