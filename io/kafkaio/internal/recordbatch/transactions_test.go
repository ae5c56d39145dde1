package recordbatch

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// log is a partition as a model: batches, and which transactions were aborted.
type log struct {
	batches [][]byte
	ends    []int64 // the offset behind each batch
	aborted []abortedSpan
	want    []int64 // the offsets that a read at read_committed gives
}

type abortedSpan struct {
	Aborted
	marker int64
}

// drawLog interleaves transactions of a few producers with records outside of any, every transaction ended.
func drawLog(t *rapid.T) (l log) {
	type open struct {
		first   int64
		offsets []int64
	}
	running := map[int64]*open{}
	offset := int64(0)
	add := func(batch []byte, n int) {
		l.batches = append(l.batches, batch)
		offset += int64(n)
		l.ends = append(l.ends, offset)
	}
	end := func(producer int64, commit bool) {
		o := running[producer]
		if !commit {
			l.aborted = append(l.aborted, abortedSpan{Aborted{producer, o.first}, offset})
		} else {
			l.want = append(l.want, o.offsets...)
		}
		delete(running, producer)
		add(ending(offset, producer, commit), 1)
	}
	for range rapid.IntRange(0, 30).Draw(t, "steps") {
		producer := rapid.Int64Range(0, 3).Draw(t, "producer")
		n := rapid.IntRange(1, 3).Draw(t, "records")
		switch o := running[producer]; {
		case producer == 0:
			for i := range n {
				l.want = append(l.want, offset+int64(i))
			}
			add(values(offset, NoProducer, false, make([]string, n)...), n)
		case o != nil && rapid.IntRange(0, 2).Draw(t, "end") == 0:
			end(producer, rapid.Bool().Draw(t, "commit"))
		default:
			if o == nil {
				o = &open{first: offset}
				running[producer] = o
			}
			for i := range n {
				o.offsets = append(o.offsets, offset+int64(i))
			}
			add(values(offset, Producer{ID: producer}, true, make([]string, n)...), n)
		}
	}
	for producer := int64(1); producer <= 3; producer++ {
		if running[producer] != nil {
			end(producer, rapid.Bool().Draw(t, "commit"))
		}
	}
	return l
}

// fetch gives a few batches from that of an offset on, and what a broker says of aborted transactions in them.
func (l log) fetch(from int64, batches int) (set []byte, aborted []Aborted) {
	upTo := from
	for i, end := range l.ends {
		if end > from && batches > 0 {
			set, upTo = append(set, l.batches[i]...), end
			batches--
		}
	}
	for _, a := range l.aborted {
		if a.FirstOffset < upTo && a.marker >= from {
			aborted = append(aborted, a.Aborted)
		}
	}
	return set, aborted
}

// TestTransactionsModel: however a log is cut into fetches, exactly the records that were committed are seen.
func TestTransactionsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := drawLog(t)
		seen := map[int64]bool{}
		var d Decoder
		for next := int64(0); len(l.ends) > 0 && next < l.ends[len(l.ends)-1]; {
			set, aborted := l.fetch(next, rapid.IntRange(1, 4).Draw(t, "batches"))
			behind, err := d.Walk(set, next, aborted, func(r *Record) error {
				if seen[r.Offset] {
					return fmt.Errorf("offset %d twice", r.Offset)
				}
				seen[r.Offset] = true
				return nil
			})
			if err != nil || behind <= next {
				t.Fatalf("from %d to %d: %v", next, behind, err)
			}
			next = behind
		}
		for _, offset := range l.want {
			if !seen[offset] {
				t.Fatalf("offset %d is missing", offset)
			}
		}
		if len(seen) != len(l.want) {
			t.Fatalf("%d records, want %d", len(seen), len(l.want))
		}
	})
}

// TestHolds: markers are no records, and batches that begin or end elsewhere have none that are wanted.
func TestHolds(t *testing.T) {
	marker := ending(2, 7, false)
	both := append(values(0, NoProducer, false, "a", "b"), marker...)
	lying := values(0, NoProducer, false, "a", "b")
	lying[atAttributes+1] |= controlBit // but its checksum says otherwise
	for _, k := range []struct {
		set      []byte
		from, to int64
		want     bool
	}{
		{nil, 0, 9, false},
		{both, 0, 9, true},
		{both, 1, 9, true},
		{both, 2, 9, false},
		{both, 0, 0, false},
		{both, 0, 1, true},
		{both[:len(both)-len(marker)-1], 0, 9, false}, // cut off
		{marker, 0, 9, false},
		{lying, 0, 9, true},
	} {
		if got := Holds(k.set, k.from, k.to); got != k.want {
			t.Errorf("%d bytes, [%d, %d): %v", len(k.set), k.from, k.to, got)
		}
	}
}
