package recordbatch

import (
	"bytes"
	"encoding/binary"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Writers are large and have no state between batches, so all builders share a few.
var (
	gzipWriters = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}
	lz4Writers  = sync.Pool{New: func() any {
		w := lz4.NewWriter(io.Discard)
		if err := w.Apply(lz4.BlockSizeOption(lz4.Block64Kb), lz4.ConcurrencyOption(1)); err != nil {
			panic(err)
		}
		return w
	}}
)

// deflate appends plain, compressed, to dst.
func deflate(codec Compression, dst, plain []byte) []byte {
	switch codec {
	case None:
		return append(dst, plain...)
	case Gzip:
		w := gzipWriters.Get().(*gzip.Writer)
		defer gzipWriters.Put(w)
		return deflateBy(w, dst, plain)
	case Snappy:
		return appendSnappy(dst, plain)
	case LZ4:
		w := lz4Writers.Get().(*lz4.Writer)
		defer lz4Writers.Put(w)
		return deflateBy(w, dst, plain)
	case Zstd:
		return zstdEncoder().EncodeAll(plain, dst)
	}
	panic("recordbatch: compression with " + codec.String())
}

func deflateBy(w interface {
	io.WriteCloser
	Reset(io.Writer)
}, dst, plain []byte) []byte {
	out := bytes.NewBuffer(dst)
	w.Reset(out)
	_, err := w.Write(plain)
	if closing := w.Close(); err == nil {
		err = closing
	}
	if err != nil {
		panic(err) // writing to memory can not fail
	}
	w.Reset(io.Discard) // the pool does not keep the batch alive
	return out.Bytes()
}

// snappyPiece is the size of the blocks in a frame, as Java's.
const snappyPiece = 32 << 10

// appendSnappy appends plain in the frame that Java's snappy streams read.
func appendSnappy(dst, plain []byte) []byte {
	dst = append(dst, xerial...)
	dst = append(dst, 0, 0, 0, 1, 0, 0, 0, 1)
	for len(plain) > 0 {
		piece := plain[:min(len(plain), snappyPiece)]
		plain = plain[len(piece):]
		at := len(dst)
		room := s2.MaxEncodedLen(len(piece))
		dst = append(dst, make([]byte, 4+room)...)
		block := s2.EncodeSnappy(dst[at+4:at+4+room], piece)
		binary.BigEndian.PutUint32(dst[at:], uint32(len(block)))
		dst = dst[:at+4+len(block)]
	}
	return dst
}

// zstdEncoder is shared: it holds no state between calls.
var zstdEncoder = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedDefault), zstd.WithZeroFrames(true), zstd.WithWindowSize(1<<20))
	if err != nil {
		panic(err)
	}
	return e
})
