package recordbatch

import (
	"testing"

	"tidemark/io/codec"
)

// FuzzWalk: whatever a set holds, the walk ends, goes forward, and takes no more memory than it may. Checksums are
// repaired so that the fuzzer gets behind them.
func FuzzWalk(f *testing.F) {
	for codec := None; codec <= Zstd; codec++ {
		f.Add(build(3, codec, []entry{
			{timestamp: 5, key: []byte("key"), value: []byte("value"), headers: []Header{{"h", nil}}},
			{timestamp: 4, value: []byte{}},
		}), int64(3))
	}
	f.Add(join(values(0, Producer{ID: 1}, true, "a"), ending(1, 1, false), values(2, NoProducer, false, "b")), int64(0))
	f.Fuzz(func(t *testing.T, set []byte, from int64) {
		for rest := set; ; {
			size, ok, err := complete(rest)
			if !ok || err != nil {
				break
			}
			sign(rest[:size])
			rest = rest[size:]
		}
		for _, want := range []Want{{}, {Keys: true}} {
			if slow, quick := bothWays(set, from, []Aborted{{1, 0}}, want); slow != quick {
				t.Fatalf("record by record:\n%s\ninto columns:\n%s", slow, quick)
			}
		}
		d := Decoder{Limit: 1 << 20}
		c := Columns{Want: Want{Keys: true, Headers: true}}
		set = append(make([]byte, 0, len(set)+codec.Padding), set...)
		c.ResetFor(set)
		next, _ := d.Walk(set, from, []Aborted{{1, 0}}, c.Add)
		if next < from {
			t.Fatalf("from %d back to %d", from, next)
		}
		if len(c.Data()) > (1<<20)*(1+len(set)/headerSize)+len(set) {
			t.Fatalf("%d bytes", len(c.Data()))
		}
	})
}
