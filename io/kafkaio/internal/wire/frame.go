package wire

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
)

// Request is a request to a broker.
type Request struct {
	// Key and Version say which request, and its form.
	Key, Version int16
	// ID is given back in the answer.
	ID       int32
	ClientID string
	// Flexible tells that this version of the request is in the newer encoding.
	Flexible bool
}

// Start begins the frame of a request. The body is to be written behind it.
func (q Request) Start(w *Writer) {
	w.Flexible = false // the header's string never is
	w.Int32(0)
	w.Int16(q.Key)
	w.Int16(q.Version)
	w.Int32(q.ID)
	w.Nullable(q.ClientID)
	w.Flexible = q.Flexible
	w.End()
}

// Finish completes the frame in w, to which extra bytes will be added on the way.
func (q Request) Finish(w *Writer, extra int) {
	binary.BigEndian.PutUint32(w.B, uint32(len(w.B)-4+extra))
}

// bite is how much memory is taken at first for an answer of which only the length is known.
const bite = 16 << 20

// ReadFrame reads the frame of an answer into buf, which it grows as the bytes come, and gives what follows its header.
// pad is how many bytes of capacity shall follow the frame. Frames of more than limit bytes are refused.
func (q Request) ReadFrame(r io.Reader, buf []byte, pad, limit int) (Reader, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return Reader{}, err
	}
	n := int(binary.BigEndian.Uint32(size[:]))
	if n < 4 || n > limit {
		return Reader{}, fmt.Errorf("%w: its length is %d", ErrMalformed, n)
	}
	buf = buf[:0]
	for len(buf) < n {
		have, want := len(buf), min(n, len(buf)+max(bite, len(buf)))
		if cap(buf) < want+pad {
			buf = append(make([]byte, 0, room(want+pad)), buf...)
		}
		buf = buf[:want]
		if _, err := io.ReadFull(r, buf[have:]); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return Reader{}, err
		}
	}
	rd := Reader{B: buf, Flexible: q.Flexible, Frame: buf[:0]}
	if id := rd.Int32(); id != q.ID {
		return Reader{}, fmt.Errorf("%w: it is for another request", ErrMalformed)
	}
	rd.End()
	return rd, nil
}

// room rounds a size up by an eighth of it at most, so that answers of about the same size fit into the same memory.
func room(n int) int {
	step := 1 << max(bits.Len(uint(n))-3, 10)
	return (n + step - 1) / step * step
}
