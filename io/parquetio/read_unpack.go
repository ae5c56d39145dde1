package parquetio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Codecs.
const (
	codecNone   = 0
	codecSnappy = 1
	codecGzip   = 2
	codecLZO    = 3
	codecBrotli = 4
	codecLZ4    = 5 // in Hadoop's frames
	codecZstd   = 6
	codecLZ4Raw = 7
)

// maxPage is the most bytes that a page may have.
const maxPage = 1 << 29

// zstdDecoder is for all readers, as it keeps one state for each that decodes at a time.
var zstdDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(maxPage), zstd.WithDecoderLowmem(true))
})

// unpacker decompresses pages.
type unpacker struct {
	gzip   *gzip.Reader
	brotli *brotli.Reader
}

// unpack decompresses src, whose header says that it becomes size bytes, into dst, which it grows. Memory is taken
// by what a codec can make of src, not by what the header says.
func (u *unpacker) unpack(dst, src []byte, codec, size int64) ([]byte, error) {
	if size > maxPage {
		return dst, fmt.Errorf("a page of %d bytes, more than %d", size, maxPage)
	}
	var err error
	switch codec {
	case codecSnappy:
		if n, e := snappy.DecodedLen(src); e != nil || int64(n) != size || size > most(src, 64) {
			return dst, errDamaged
		}
		dst, err = snappy.Decode(dst[:cap(dst)], src)
	case codecZstd:
		d, e := zstdDecoder()
		if e != nil {
			return dst, e
		}
		dst, err = d.DecodeAll(src, grow(dst, min(size, most(src, 256)))[:0])
	case codecLZ4Raw:
		dst, err = lz4Block(dst, src, size)
	case codecLZ4:
		dst, err = lz4Frames(dst, src, size)
	case codecGzip:
		if u.gzip == nil {
			u.gzip = new(gzip.Reader)
		}
		if err = u.gzip.Reset(bytes.NewReader(src)); err == nil {
			dst, err = readSize(u.gzip, grow(dst, min(size, most(src, 256))), size)
		}
	case codecBrotli:
		if u.brotli == nil {
			u.brotli = new(brotli.Reader)
		}
		if err = u.brotli.Reset(bytes.NewReader(src)); err == nil {
			dst, err = readSize(u.brotli, grow(dst, min(size, most(src, 256))), size)
		}
	default:
		return dst, fmt.Errorf("pages are compressed with %s, which can't be read; write it again with zstd or snappy", codecName(codec))
	}
	if err != nil || int64(len(dst)) != size {
		return dst, errDamaged
	}
	return dst, nil
}

func codecName(codec int64) string {
	if codec == codecLZO {
		return "LZO"
	}
	return fmt.Sprintf("an unknown codec (%d)", codec)
}

// most is how large src can become at a ratio.
func most(src []byte, ratio int64) int64 { return int64(len(src))*ratio + 64 }

// grow gives buf with length n.
func grow(buf []byte, n int64) []byte {
	if int64(cap(buf)) < n {
		return make([]byte, n, n+n/4)
	}
	return buf[:n]
}

func lz4Block(dst, src []byte, size int64) ([]byte, error) {
	if size > most(src, 255) {
		return dst, errDamaged
	}
	dst = grow(dst, size)
	if size == 0 {
		return dst, nil
	}
	n, err := lz4.UncompressBlock(src, dst)
	return dst[:max(n, 0)], err
}

// lz4Frames reads blocks that each have their sizes before them (Hadoop). Some writers leave the sizes out.
func lz4Frames(dst, src []byte, size int64) ([]byte, error) {
	if size > most(src, 255) {
		return dst, errDamaged
	}
	dst = grow(dst, size)
	done, rest := 0, src
	for len(rest) >= 8 {
		plain, packed := binary.BigEndian.Uint32(rest), binary.BigEndian.Uint32(rest[4:])
		if uint64(packed) > uint64(len(rest)-8) || uint64(plain) > uint64(len(dst)-done) {
			return lz4Block(dst, src, size)
		}
		n, err := lz4.UncompressBlock(rest[8:8+packed], dst[done:done+int(plain)])
		if err != nil || n != int(plain) {
			return lz4Block(dst, src, size)
		}
		done, rest = done+n, rest[8+packed:]
	}
	if done != len(dst) || len(rest) > 0 {
		return lz4Block(dst, src, size)
	}
	return dst, nil
}

// readSize reads what is there, which should be size bytes, into the room of dst and more where that is too small.
func readSize(r io.Reader, dst []byte, size int64) ([]byte, error) {
	done := 0
	for {
		n, err := r.Read(dst[done:])
		done += n
		switch {
		case err == io.EOF:
			return dst[:done], nil
		case err != nil:
			return dst[:done], err
		case done == len(dst) && int64(done) > size:
			return dst, errDamaged
		case done == len(dst):
			dst = append(dst, make([]byte, min(int64(done)+64, size-int64(done)+1))...)
		}
	}
}
