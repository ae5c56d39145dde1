package recordbatch

import (
	"fmt"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"
)

// entry is a record as the tests write and expect it.
type entry struct {
	offset, timestamp int64
	key, value        []byte
	headers           []Header
}

func (e entry) String() string {
	return fmt.Sprintf("%d@%d %q %v=%q %v %v", e.offset, e.timestamp, e.key, e.key == nil, e.value, e.value == nil, e.headers)
}

func collect(t interface{ Fatal(...any) }, set []byte, from int64, aborted []Aborted) (got []entry, next int64) {
	next, err := Walk(set, from, aborted, func(r *Record) error {
		got = append(got, entry{r.Offset, r.Timestamp, slices.Clone(r.Key), slices.Clone(r.Value), r.AppendHeaders(nil)})
		if r.Key != nil && len(r.Key) == 0 {
			got[len(got)-1].key = []byte{}
		}
		if r.Value != nil && len(r.Value) == 0 {
			got[len(got)-1].value = []byte{}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got, next
}

// build gives a batch of entries, which get the offsets from base on.
func build(base int64, codec Compression, entries []entry) []byte {
	var b Builder
	for i := range entries {
		entries[i].offset = base + int64(i)
		b.Append(entries[i].timestamp, entries[i].key, entries[i].value, entries[i].headers)
	}
	batch := b.Build(nil, codec)
	setBase(batch, base)
	return batch
}

func nullable(t *rapid.T, label string) []byte {
	if rapid.IntRange(0, 3).Draw(t, label+" null") == 0 {
		return nil
	}
	return append([]byte{}, rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, label)...)
}

func entries(t *rapid.T) []entry {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) entry {
		e := entry{
			timestamp: rapid.Int64Range(-1<<44, 1<<44).Draw(t, "timestamp"),
			key:       nullable(t, "key"), value: nullable(t, "value"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "headers") {
			e.headers = append(e.headers, Header{rapid.SampledFrom([]string{"", "h", "trace"}).Draw(t, "name"), nullable(t, "header")})
		}
		return e
	}), 1, 40).Draw(t, "entries")
}

// TestRoundTrip: what a builder writes, the walk gives back, whatever the codec.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		codec := Compression(rapid.IntRange(0, 4).Draw(t, "codec"))
		base := rapid.Int64Range(0, 1<<40).Draw(t, "base")
		want := entries(t)
		batch := build(base, codec, want)
		skip := rapid.IntRange(0, len(want)).Draw(t, "skip")
		got, next := collect(t, batch, base+int64(skip), nil)
		if next != base+int64(len(want)) {
			t.Fatalf("goes on at %d", next)
		}
		if fmt.Sprint(got) != fmt.Sprint(want[skip:]) {
			t.Fatalf("got  %v\nwant %v", got, want[skip:])
		}
		if n, err := Next(batch, base); n != next || err != nil {
			t.Fatal("Next disagrees")
		}
	})
}

// TestAgainstAnotherEncoder checks the uncompressed form against an implementation by others.
func TestAgainstAnotherEncoder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := entries(t)
		batch := build(7, None, want)
		Stamp(batch, Producer{ID: 77, Epoch: 3}, 12, true)
		var other kmsg.RecordBatch
		if err := other.ReadFrom(batch); err != nil {
			t.Fatal(err)
		}
		if other.ProducerID != 77 || other.ProducerEpoch != 3 || other.FirstSequence != 12 || other.Attributes != 0x10 {
			t.Fatalf("%+v", other)
		}
		records := other.Records
		for i, e := range want {
			var r kmsg.Record
			var size int
			size, records = readVarint(records)
			if err := r.ReadFrom(append(appendVarint(nil, int64(size)), records[:size]...)); err != nil {
				t.Fatal(err)
			}
			records = records[size:]
			if int(r.OffsetDelta) != i || other.FirstTimestamp+r.TimestampDelta64 != e.timestamp ||
				string(r.Key) != string(e.key) || (r.Key == nil) != (e.key == nil) || (r.Value == nil) != (e.value == nil) ||
				string(r.Value) != string(e.value) || len(r.Headers) != len(e.headers) {
				t.Fatalf("%+v is not %v", r, e)
			}
		}
	})
}

func readVarint(b []byte) (int, []byte) {
	c := cursor{b: b}
	v := c.varint()
	return int(v), b[c.at:]
}
