package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"
)

func TestBothEncodings(t *testing.T) {
	for _, flexible := range []bool{false, true} {
		w := Writer{Flexible: flexible}
		w.Int8(-1)
		w.Int16(-2)
		w.Int32(-3)
		w.Int64(-4)
		w.Bool(true)
		w.String("text")
		w.Nullable("")
		w.Nullable("more")
		w.Array(2)
		w.Raw([]byte("ab"))
		w.Array(-1)
		w.End()
		whole := w.B
		read := func(b []byte) error {
			r := Reader{B: b, Flexible: flexible}
			ok := r.Int8() == -1 && r.Int16() == -2 && r.Int32() == -3 && r.Int64() == -4 && r.Bool() &&
				r.String() == "text" && r.String() == "" && r.String() == "more" && r.Array() == 2
			var two [2]byte
			r.Fixed(two[:])
			ok = ok && string(two[:]) == "ab" && r.Array() == 0
			r.End()
			if r.Err() == nil && !ok {
				t.Errorf("flexible %v: values differ", flexible)
			}
			return r.Err()
		}
		if err := read(whole); err != nil {
			t.Error(err)
		}
		for cut := range whole {
			if read(whole[:cut]) == nil {
				t.Errorf("flexible %v: cut at %d of %d is not noticed", flexible, cut, len(whole))
			}
		}
	}
}

func TestFrames(t *testing.T) {
	q := Request{Key: 3, Version: 12, ID: 99, ClientID: "me", Flexible: true}
	var w Writer
	q.Start(&w)
	w.String("body")
	q.Finish(&w, 0)
	if n := binary.BigEndian.Uint32(w.B); int(n) != len(w.B)-4 {
		t.Errorf("length %d of %d", n, len(w.B))
	}
	var answer Writer
	answer.Int32(0)
	answer.Int32(99)
	answer.Int8(0)
	answer.Raw(make([]byte, 1000))
	binary.BigEndian.PutUint32(answer.B, uint32(len(answer.B)-4))
	r, err := q.ReadFrame(bytes.NewReader(answer.B), nil, 64, 1<<20)
	if err != nil || len(r.B) != 1000 || cap(r.B) < 1064 {
		t.Errorf("%d of %d, %v", len(r.B), cap(r.B), err)
	}
	for cut := range answer.B {
		if _, err := q.ReadFrame(bytes.NewReader(answer.B[:cut]), nil, 0, 1<<20); !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
	for _, wrong := range []Request{{ID: 98}, {ID: 99, Flexible: true}} {
		if _, err := wrong.ReadFrame(bytes.NewReader(answer.B), nil, 0, 100); !errors.Is(err, ErrMalformed) {
			t.Errorf("%v", err)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("\x00\x01a"), true)
	f.Fuzz(func(t *testing.T, b []byte, flexible bool) {
		r := Reader{B: b, Flexible: flexible}
		for r.Err() == nil && len(r.B) > 0 {
			n := r.Array()
			for range min(n, 3) {
				_ = r.String()
				r.Bytes()
				r.End()
			}
			r.Int16()
		}
	})
}
