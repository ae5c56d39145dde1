package client

import (
	"testing"

	"tidemark/io/kafkaio/internal/wire"
)

// FuzzAnswers: whatever a broker answers, reading it ends, without a panic.
func FuzzAnswers(f *testing.F) {
	var w wire.Writer
	w.Int32(0)
	w.Int16(0)
	w.Int32(0)
	w.Array(1)
	w.String("orders")
	w.Array(1)
	w.Int32(0)
	w.Int16(0)
	w.Raw(make([]byte, 60))
	f.Add(w.B, int16(11))
	f.Fuzz(func(t *testing.T, b []byte, version int16) {
		version &= 15
		reader := func() *wire.Reader { return &wire.Reader{B: b} }
		readFetch(reader(), version)
		readProduce(reader(), version)
		readListOffsets(reader(), version)
		readMetadata(reader(), min(version, 8))
		readMetadata(&wire.Reader{B: b, Flexible: true}, 12)
	})
}
