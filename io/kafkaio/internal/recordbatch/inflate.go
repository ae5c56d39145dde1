package recordbatch

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// inflater decompresses batches into a buffer that it keeps.
type inflater struct {
	plain []byte
	src   bytes.Reader
	gzip  *gzip.Reader
	lz4   *lz4.Reader
}

var errTooLarge = errors.New("it has too many bytes without compression")

// inflate gives what packed holds, valid until the next call. It is never longer than limit.
func (f *inflater) inflate(codec Compression, packed []byte, limit int) (plain []byte, err error) {
	f.src.Reset(packed)
	switch codec {
	case Gzip:
		if f.gzip == nil {
			f.gzip = new(gzip.Reader)
		}
		if err := f.gzip.Reset(&f.src); err != nil {
			return nil, err
		}
		err = f.read(f.gzip, limit)
	case Snappy:
		err = f.snappy(packed, limit)
	case LZ4:
		if f.lz4 == nil {
			f.lz4 = lz4.NewReader(nil)
		}
		f.lz4.Reset(&f.src)
		err = f.read(f.lz4, limit)
	case Zstd: // a batch is one frame or several, in memory, which is faster than a stream
		err = f.zstd(packed, limit)
	default:
		return nil, fmt.Errorf("%s is not known", codec)
	}
	if err != nil {
		return nil, err
	}
	return f.plain, nil
}

// read fills the buffer with all that r gives.
func (f *inflater) read(r io.Reader, limit int) error {
	f.plain = f.plain[:0]
	for {
		f.plain = slices.Grow(f.plain, 4096)
		n, err := r.Read(f.plain[len(f.plain):cap(f.plain)])
		f.plain = f.plain[:len(f.plain)+n]
		switch {
		case len(f.plain) > limit:
			return errTooLarge
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// xerial starts the frame that Java's snappy streams put around blocks. Two version numbers of four bytes follow it.
var xerial = []byte("\x82SNAPPY\x00")

// snappy decompresses the blocks of a frame, or a block without one, as some clients write.
func (f *inflater) snappy(packed []byte, limit int) error {
	f.plain = f.plain[:0]
	if !bytes.HasPrefix(packed, xerial) {
		return f.snappyBlock(packed, limit)
	}
	if len(packed) < len(xerial)+8 {
		return io.ErrUnexpectedEOF
	}
	for packed = packed[len(xerial)+8:]; len(packed) > 0; {
		if len(packed) < 4 {
			return io.ErrUnexpectedEOF
		}
		n := int64(binary.BigEndian.Uint32(packed))
		if packed = packed[4:]; n > int64(len(packed)) {
			return io.ErrUnexpectedEOF
		}
		if err := f.snappyBlock(packed[:n], limit); err != nil {
			return err
		}
		packed = packed[n:]
	}
	return nil
}

func (f *inflater) snappyBlock(block []byte, limit int) error {
	n, err := snappy.DecodedLen(block)
	if err != nil {
		return err
	}
	// a copy element of three bytes gives at most 64
	if len(f.plain)+n > limit || n > 32*len(block)+64 {
		return errTooLarge
	}
	have := len(f.plain)
	f.plain = slices.Grow(f.plain, n)[:have+n]
	_, err = snappy.Decode(f.plain[have:], block)
	return err
}

func (f *inflater) zstd(packed []byte, limit int) error {
	// the header may claim any size, and memory for it would be taken before the first block is read
	var h zstd.Header
	if err := h.Decode(packed); err == nil && h.HasFCS && h.FrameContentSize > uint64(limit) {
		return errTooLarge
	}
	plain, err := zstdDecoder().DecodeAll(packed, f.plain[:0])
	if err != nil {
		return err
	}
	if f.plain = plain; len(plain) > limit {
		return errTooLarge
	}
	return nil
}

// zstdDecoder is shared: it holds no state between calls. It starts no goroutine for whole frames.
var zstdDecoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(256<<20), zstd.WithDecoderConcurrency(0))
	if err != nil {
		panic(err)
	}
	return d
})
