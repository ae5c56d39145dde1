package recordbatch

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// deflater compresses records.
type deflater struct {
	gzip *gzip.Writer
	lz4  *lz4.Writer
}

// deflate appends plain, compressed, to dst.
func (f *deflater) deflate(codec Compression, dst, plain []byte) []byte {
	out := bytes.NewBuffer(dst)
	var err error
	switch codec {
	case None:
		return append(dst, plain...)
	case Gzip:
		if f.gzip == nil {
			f.gzip = gzip.NewWriter(out)
		}
		f.gzip.Reset(out)
		if _, err = f.gzip.Write(plain); err == nil {
			err = f.gzip.Close()
		}
	case Snappy:
		return appendSnappy(dst, plain)
	case LZ4:
		if f.lz4 == nil {
			f.lz4 = lz4.NewWriter(out)
			err = f.lz4.Apply(lz4.BlockSizeOption(lz4.Block64Kb), lz4.ConcurrencyOption(1))
		}
		f.lz4.Reset(out)
		if _, werr := f.lz4.Write(plain); err == nil {
			err = werr
		}
		if cerr := f.lz4.Close(); err == nil {
			err = cerr
		}
	case Zstd:
		return zstdEncoder().EncodeAll(plain, dst)
	default:
		err = fmt.Errorf("compression with %s", codec)
	}
	if err != nil {
		panic(err) // writing to memory can not fail
	}
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
