package recordbatch

import (
	"bytes"
	"fmt"
	"testing"

	"tidemark/io/codec"
)

const benchRecords = 4500

func benchSet(codec Compression) []byte {
	var b Builder
	value := []byte(`{"auction":1007,"bidder":2001,"price":12345,"channel":"Apple","url":"https://www.nexmark.com/` + string(bytes.Repeat([]byte("x"), 105)))
	for i := range benchRecords {
		b.Append(1700000000000+int64(i), fmt.Appendf(nil, "k%d", i), value, nil)
	}
	return b.Build(nil, codec)
}

func perRecord(b *testing.B) {
	n := float64(b.N) * benchRecords
	b.ReportMetric(n/b.Elapsed().Seconds()/1e6, "Mrec/s")
}

func BenchmarkWalk(b *testing.B) {
	for codec := None; codec <= Zstd; codec++ {
		b.Run(codec.String(), func(b *testing.B) {
			set := benchSet(codec)
			var d Decoder
			n := 0
			b.ReportAllocs()
			for b.Loop() {
				d.Walk(set, 0, nil, func(r *Record) error { n += len(r.Value); return nil })
			}
			perRecord(b)
		})
	}
}

func BenchmarkColumns(b *testing.B) {
	set := benchSet(None)
	var d Decoder
	c := Columns{Want: Want{Keys: true}}
	again := make([]byte, len(set), len(set)+codec.Padding)
	b.ReportAllocs()
	for b.Loop() {
		copy(again, set) // a set can be walked over once
		c.ResetFor(again)
		d.WalkInto(&c, again, 0, nil)
	}
	perRecord(b)
}

func BenchmarkBuild(b *testing.B) {
	for codec := None; codec <= Zstd; codec++ {
		b.Run(codec.String(), func(b *testing.B) {
			value := bytes.Repeat([]byte("0123456789"), 20)
			key := []byte("key-1234")
			var batch Builder
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				batch.Reset()
				for i := range benchRecords {
					batch.Append(1700000000000+int64(i), key, value, nil)
				}
				dst = batch.Build(dst[:0], codec)
				Stamp(dst, Producer{1, 1}, 0, false)
			}
			perRecord(b)
		})
	}
}
