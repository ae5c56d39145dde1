package recordbatch

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tidemark/io/codec"
)

// outcome is what columns hold after a walk, and how it ended, in few words.
func (c *Columns) outcome(next int64, err error) string {
	keys := make([]string, len(c.Keys))
	for i := range keys {
		keys[i] = fmt.Sprint(len(c.Key(i)), c.Key(i) == nil, crc32.ChecksumIEEE(c.Key(i)))
	}
	text := lines(c)
	return fmt.Sprintf("%d bytes %x in %v\n%v\n%v\n%v\n%v\n%d tombstones, on to %d, %v", len(text), crc32.ChecksumIEEE([]byte(text)), c.Values, c.Offsets, c.Timestamps, c.AppendTime, keys, c.Tombstones, next, err)
}

// bothWays walks over a set record by record, and into columns, and gives what came of each.
func bothWays(set []byte, from int64, aborted []Aborted, want Want) (slow, quick string) {
	padded := func() []byte { return append(make([]byte, 0, len(set)+codec.Padding), set...) }
	d := Decoder{Limit: 1 << 20}
	one, other := padded(), padded()
	a, b := Columns{Want: want}, Columns{Want: want}
	a.ResetFor(one)
	slow = a.outcome(d.Walk(one, from, aborted, a.Add))
	b.ResetFor(other)
	quick = b.outcome(d.WalkInto(&b, other, from, aborted))
	if !bytes.Equal(one, other) {
		quick += "\nthe sets differ"
	}
	return slow, quick
}

// TestWalkInto takes the short way for records as nearly all are, and comes to the same as record by record, whatever is
// between them or wrong with them.
func TestWalkInto(t *testing.T) {
	plain := rapid.Custom(func(t *rapid.T) entry {
		e := entry{timestamp: rapid.Int64Range(0, 9000).Draw(t, "timestamp"), value: make([]byte, rapid.IntRange(0, 300).Draw(t, "size"))}
		if rapid.Bool().Draw(t, "keyed") {
			e.key = make([]byte, rapid.IntRange(0, 80).Draw(t, "key"))
		}
		return e
	})
	odd := rapid.Custom(func(t *rapid.T) entry { return entries(t)[0] })
	rapid.Check(t, func(t *rapid.T) {
		var set []byte
		for base := int64(0); base < 3; base++ {
			list := rapid.SliceOfN(rapid.OneOf(plain, plain, plain, odd), 1, 20).Draw(t, "records")
			if rapid.IntRange(0, 9).Draw(t, "large") == 0 {
				list = append(list, entry{value: make([]byte, 9000)}, entry{key: make([]byte, 9000), value: []byte("v")}, entry{value: []byte("w")})
			}
			codec := rapid.SampledFrom([]Compression{None, None, None, Snappy}).Draw(t, "codec")
			batch := build(base*100, codec, list)
			if rapid.IntRange(0, 3).Draw(t, "broken") == 0 {
				at := rapid.IntRange(atLastOffsetDelta, len(batch)-1).Draw(t, "at")
				batch[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "by"))
				sign(batch)
			}
			set = append(set, batch...)
		}
		set = set[:len(set)-rapid.SampledFrom([]int{0, 0, 1, 30}).Draw(t, "cut off")]
		slow, quick := bothWays(set, rapid.SampledFrom([]int64{0, 0, 5, 100, 103, 250}).Draw(t, "from"), nil, Want{Keys: rapid.Bool().Draw(t, "keys")})
		if slow != quick {
			t.Fatalf("record by record:\n%s\ninto columns:\n%s", slow, quick)
		}
	})
}

// TestShort reads numbers of one and two bytes, and no others.
func TestShort(t *testing.T) {
	for _, n := range []int64{0, -1, 1, 63, -64, 64, 8191, -8192, 8192, -8193, 1 << 40} {
		for _, behind := range []string{"", "\x00", "\xff\xff"} {
			number := appendVarint(nil, n)
			x, next := short(slices.Concat([]byte{0x80}, number, []byte(behind)), 1)
			got := int64(x>>1) ^ -int64(x&1)
			wanted := len(number) <= 2 && len(number)+len(behind) > 1
			if wanted != (next > 0) || wanted && (got != n || next != 1+len(number)) {
				t.Errorf("%d before %q: %d, on at %d", n, behind, got, next)
			}
		}
	}
	for _, at := range []int{-1, -2, -7, 2, 3, 100} {
		if _, next := short([]byte{0, 0}, at); next >= 0 {
			t.Errorf("place %d: on at %d", at, next)
		}
	}
}
