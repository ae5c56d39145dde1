package window

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tidemark/stream"
)

// TestKeyIndex resolves keys of a table that grows, so that the index changes between its forms.
func TestKeyIndex(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var x keyIndex
	forms := map[bool]int{}
	for round := range 60 {
		var keys []uint32
		want := map[uint32]uint32{}
		table := 100
		for range 20 {
			table += random.IntN(20_000)
			ids := make([]uint32, random.IntN(1+300*(round%7)))
			for i := range ids {
				ids[i] = uint32(random.IntN(table))
			}
			asked := slices.Clone(ids)
			keys = x.resolve(ids, keys, table)
			forms[x.few]++
			for i, key := range asked {
				if _, known := want[key]; !known {
					want[key] = uint32(len(want))
				}
				if ids[i] != want[key] {
					t.Fatalf("key %d has entry %d, want %d", key, ids[i], want[key])
				}
			}
			for key := range uint32(50) {
				if e, ok := x.get(key); ok != (want[key] > 0 || len(keys) > 0 && keys[0] == key) || ok && e != want[key] {
					t.Fatalf("key %d has entry %d, %v", key, e, ok)
				}
			}
		}
		if len(keys) != len(want) {
			t.Fatalf("%d keys, want %d", len(keys), len(want))
		}
		x.clear(keys)
	}
	if forms[true] == 0 || forms[false] == 0 {
		t.Errorf("forms met: %v", forms)
	}
}

// TestQueue takes filings out in the order of their times, near and far ones.
func TestQueue(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, gap := range []int64{1, 1000, 1 << 40} {
		c := newQueue(gap)
		open := map[stream.Time]int{}
		now := -stream.Time(gap) * 3
		for range 3000 {
			for range random.IntN(4) {
				at := now + stream.Time(random.Int64N(gap*10)) - stream.Time(gap/2)
				if random.IntN(50) == 0 {
					at += stream.Time(gap) * 5000
				}
				open[at]++
				c.file(filing{at: at})
			}
			now += stream.Time(random.Int64N(gap + 1))
			if random.IntN(100) == 0 {
				now += stream.Time(gap) * 1000
			}
			drain(t, &c, open, now)
		}
		drain(t, &c, open, beyond)
		if c.size != 0 || len(open) != 0 || c.next() != stream.MaxTime {
			t.Errorf("gap %d: %d filings are left, %d wanted", gap, c.size, len(open))
		}
	}
}

// drain takes out what is due, and checks that it is everything.
func drain(t *testing.T, c *queue, open map[stream.Time]int, now stream.Time) {
	t.Helper()
	last := -beyond
	for {
		for _, f := range slices.Clone(c.turn(now)) {
			c.file(f)
		}
		f, ok := c.pop(now)
		if !ok {
			if c.size > 0 && len(c.due.items) == 0 && c.turnable(now) {
				continue
			}
			break
		}
		if f.at < last || f.at > now || open[f.at] == 0 {
			t.Fatalf("%d comes after %d at %d", f.at, last, now)
		}
		if last = f.at; open[f.at] == 1 {
			delete(open, f.at)
		} else {
			open[f.at]--
		}
	}
	for at := range open {
		if at <= now {
			t.Fatalf("%d is not taken out at %d", at, now)
		}
		if c.next() > at {
			t.Fatalf("the next is said to be %d, is %d", c.next(), at)
		}
	}
}

// turnable says whether a bucket's time has come.
func (c *queue) turnable(now stream.Time) bool {
	bucket, ok := c.nextBucket()
	return ok && stream.Time(bucket<<c.shift) <= now
}

func TestSortByFirst(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	var spare []entry
	for n := range 200 {
		var entries []entry
		for i := range n {
			entries = append(entries, entry{first: uint64(i + random.IntN(1+n%17)*10)})
		}
		want := slices.Clone(entries)
		slices.SortStableFunc(want, func(a, b entry) int { return int(a.first) - int(b.first) })
		entries, spare = sortByFirst(entries, spare)
		if !slices.Equal(entries, want) {
			t.Fatalf("%v, want %v", entries, want)
		}
	}
}
