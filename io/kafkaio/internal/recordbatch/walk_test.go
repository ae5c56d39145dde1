package recordbatch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
)

func setBase(batch []byte, base int64) { binary.BigEndian.PutUint64(batch, uint64(base)) }

// sign repairs the checksum of a batch.
func sign(batch []byte) []byte {
	binary.BigEndian.PutUint32(batch[atChecksum:], crc32.Checksum(batch[atAttributes:], castagnoli))
	return batch
}

// values builds a batch of records that have only a value.
func values(base int64, p Producer, transactional bool, vs ...string) []byte {
	var b Builder
	for _, v := range vs {
		b.Append(1000, nil, []byte(v), nil)
	}
	batch := b.Build(nil, None)
	setBase(batch, base)
	Stamp(batch, p, 0, transactional)
	return batch
}

// ending builds the marker that ends a transaction.
func ending(base, producer int64, commit bool) []byte {
	var b Builder
	key := []byte{0, 0, 0, 0}
	if commit {
		key[3] = 1
	}
	b.Append(1000, key, []byte{0, 0, 0, 0, 0, 1}, nil)
	batch := b.Build(nil, None)
	setBase(batch, base)
	Stamp(batch, Producer{ID: producer}, -1, true)
	batch[atAttributes+1] |= controlBit
	return sign(batch)
}

func join(batches ...[]byte) (set []byte) {
	for _, b := range batches {
		set = append(set, b...)
	}
	return set
}

func texts(got []entry) string {
	var b strings.Builder
	for _, e := range got {
		fmt.Fprintf(&b, "%d%s ", e.offset, e.value)
	}
	return strings.TrimSpace(b.String())
}

func TestTransactions(t *testing.T) {
	one, two := Producer{ID: 1}, Producer{ID: 2}
	set := join(
		values(0, one, true, "a", "b"),
		values(2, two, true, "c"),
		values(3, NoProducer, false, "d"),
		ending(4, 1, false),
		values(5, one, true, "e"),
		ending(6, 2, true),
		ending(7, 1, true),
		values(8, two, true, "f"),
		ending(9, 2, false),
		values(10, Producer{ID: 1}, false, "g"),
	)
	for _, c := range []struct {
		aborted []Aborted
		from    int64
		want    string
	}{
		{nil, 0, "0a 1b 2c 3d 5e 8f 10g"},
		{[]Aborted{{2, 8}, {1, 0}}, 0, "2c 3d 5e 10g"},
		{[]Aborted{{1, 0}, {2, 8}}, 1, "2c 3d 5e 10g"},
		{[]Aborted{{1, 0}, {2, 8}}, 5, "5e 10g"},
	} {
		got, next := collect(t, set, c.from, c.aborted)
		if texts(got) != c.want || next != 11 {
			t.Errorf("from %d with %v: %s, then %d", c.from, c.aborted, texts(got), next)
		}
	}
}

// TestHoles: compaction takes records out of batches, at their ends too, and leaves batches without any.
func TestHoles(t *testing.T) {
	thinned := values(10, NoProducer, false, "a", "b")
	binary.BigEndian.PutUint32(thinned[atLastOffsetDelta:], 9)
	empty := new(Builder).Build(nil, Zstd)
	setBase(empty, 20)
	binary.BigEndian.PutUint32(empty[atLastOffsetDelta:], 4)
	set := join(sign(thinned), sign(empty))
	got, next := collect(t, set, 3, nil)
	if n, _ := Next(set, 3); texts(got) != "10a 11b" || next != 25 || n != 25 {
		t.Errorf("%s, then %d, %d", texts(got), next, n)
	}
	got, next = collect(t, set, 15, nil)
	if texts(got) != "" || next != 25 {
		t.Errorf("%s, then %d", texts(got), next)
	}
}

func TestTruncated(t *testing.T) {
	first, second := values(0, NoProducer, false, "a", "b"), values(2, NoProducer, false, "c")
	set := join(first, second)
	for cut := range len(set) {
		got, next := collect(t, set[:cut], 0, nil)
		want, then := "", int64(0)
		if cut >= len(first) {
			want, then = "0a 1b", 2
		}
		if n, err := Next(set[:cut], 0); texts(got) != want || next != then || n != then || err != nil {
			t.Fatalf("cut at %d: %s, then %d", cut, texts(got), next)
		}
	}
}

func TestAppendTime(t *testing.T) {
	batch := values(0, NoProducer, false, "a")
	batch[atAttributes+1] |= appendTimeBit
	binary.BigEndian.PutUint64(batch[atMaxTimestamp:], 5000)
	Walk(sign(batch), 0, nil, func(r *Record) error {
		if r.Timestamp != 5000 || r.TimestampType != LogAppendTime {
			t.Errorf("%d %s", r.Timestamp, r.TimestampType)
		}
		return nil
	})
}

func TestRefused(t *testing.T) {
	flipped := values(5, NoProducer, false, "a")
	flipped[len(flipped)-2] ^= 1
	counted := values(5, NoProducer, false, "a", "b")
	binary.BigEndian.PutUint32(counted[atCount:], 1)
	more := values(5, NoProducer, false, "a")
	binary.BigEndian.PutUint32(more[atCount:], 2)
	codec := values(5, NoProducer, false, "a")
	codec[atAttributes+1] |= 7
	bomb := values(5, NoProducer, false, strings.Repeat("a", 1<<20))
	for _, c := range []struct {
		set  []byte
		want string
	}{
		{flipped, "checksum"}, {sign(counted), "more bytes"}, {sign(more), "longer"}, {sign(codec), "codec 7"}, {bomb, ""},
	} {
		_, err := Walk(c.set, 0, nil, func(*Record) error { return nil })
		var corrupt *CorruptError
		if c.want == "" {
			if err != nil {
				t.Error(err)
			}
		} else if !errors.As(err, &corrupt) || corrupt.Offset != 5 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	old := make([]byte, 40)
	old[7], old[11], old[16] = 9, 28, 1
	var format *FormatError
	if _, err := Walk(old, 0, nil, nil); !errors.As(err, &format) || format.Offset != 9 || format.Magic != 1 {
		t.Error(err)
	}
}

func TestLimit(t *testing.T) {
	for codec := Gzip; codec <= Zstd; codec++ {
		var b Builder
		b.Append(0, nil, make([]byte, 1<<20), nil)
		d := Decoder{Limit: 1 << 19}
		_, err := d.Walk(b.Build(nil, codec), 0, nil, func(*Record) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "too many bytes") {
			t.Errorf("%s: %v", codec, err)
		}
		d.Limit = 0
		n := 0
		if _, err := d.Walk(b.Build(nil, codec), 0, nil, func(r *Record) error { n += len(r.Value); return nil }); err != nil || n != 1<<20 {
			t.Errorf("%s: %d bytes, %v", codec, n, err)
		}
	}
}

func TestStop(t *testing.T) {
	stop := errors.New("enough")
	next, err := Walk(values(0, NoProducer, false, "a", "b", "c"), 0, nil, func(r *Record) error {
		if r.Offset == 1 {
			return stop
		}
		return nil
	})
	if err != stop || next != 1 {
		t.Error(next, err)
	}
}
