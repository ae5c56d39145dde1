package fileio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// format is a compression that can be read: its name, how its data begin and what its files are called.
type format struct {
	name, magic string
	extensions  []string
}

var formats = []format{
	{"gzip", "\x1f\x8b", []string{".gz", ".gzip"}},
	{"zstd", "\x28\xb5\x2f\xfd", []string{".zst", ".zstd"}},
}

// skippable is how a zstd frame begins that holds no data, but for the lowest four bits of its first byte.
const skippable = "\x50\x2a\x4d\x18"

// begins reports whether head is, as far as it goes, how data of the format begin.
func (f format) begins(head []byte) bool {
	if len(head) == 0 {
		return false
	}
	if n := min(len(head), len(f.magic)); string(head[:n]) == f.magic[:n] {
		return true
	}
	n := min(len(head), len(skippable))
	return f.name == "zstd" && head[0]&0xf0 == skippable[0] && string(head[1:n]) == skippable[1:n]
}

// named reports whether a path has one of the format's extensions.
func (f format) named(path string) bool {
	for _, e := range f.extensions {
		if strings.EqualFold(filepath.Ext(path), e) {
			return true
		}
	}
	return false
}

// compressionOf finds out how an input that begins with head is compressed: what is in it counts, whatever it is
// called. The name decides only where there is less of it than a compression's first bytes.
func compressionOf(option, path string, head []byte) (string, error) {
	for _, f := range formats {
		switch {
		case option == f.name:
			if len(head) > 0 && !f.begins(head) {
				return "none", fmt.Errorf("%s is not compressed with %s; write compression: auto, or none", label(path), f.name)
			}
			return f.name, nil
		case option != "auto" || !f.begins(head):
		case len(head) >= len(f.magic) || f.named(path):
			return f.name, nil
		}
	}
	return "none", nil
}

// zstdWindow is the longest distance that a zstd frame may look back, as the zstd tool has it: a longer one would take
// as much memory for each file.
const zstdWindow = 128 << 20

// unpacker reads the text of compressed data, on the goroutine that calls it.
type unpacker struct {
	name        string // of the input, for messages
	compression string
	in          watched
	buffered    *bufio.Reader
	text        io.Reader
	gzip        *gzip.Reader
	zstd        *zstd.Decoder

	given, lines int64 // bytes and newlines so far
	padded       bool  // zeros have come
}

// watched is a reader that remembers why it failed, so that this can be told from what is wrong with the data.
type watched struct {
	io.Reader
	err error
}

// Read implements [io.Reader].
func (w *watched) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

func newUnpacker(name, compression string, in io.Reader) *unpacker {
	u := &unpacker{name: name, compression: compression, in: watched{Reader: in}}
	u.buffered = bufio.NewReaderSize(&u.in, packedRead)
	return u
}

// packedRead is how much compressed data is read at once.
const packedRead = 128 << 10

// Read implements [io.Reader]. What is wrong with the data is a [*dataError], any other error that of the input.
func (u *unpacker) Read(p []byte) (int, error) {
	if u.text == nil {
		if err := u.begin(); err != nil {
			return 0, err
		}
	}
	n, err := u.text.Read(p)
	u.given += int64(n)
	u.lines += int64(bytes.Count(p[:n], []byte{'\n'}))
	if err == io.EOF && u.gzip != nil {
		err = u.nextMember()
	}
	if err != nil && err != io.EOF {
		err = u.fault(err)
	}
	return n, err
}

// begin reads the first header. Input that is empty altogether has no lines.
func (u *unpacker) begin() error {
	if _, err := u.buffered.Peek(1); err != nil {
		return err
	}
	var err error
	if u.compression == "gzip" {
		if u.gzip, err = gzip.NewReader(u.buffered); err == nil {
			u.gzip.Multistream(false)
		}
		u.text = u.gzip
	} else {
		u.zstd, err = zstd.NewReader(u.buffered, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow))
		u.text = u.zstd
	}
	if err != nil {
		return u.fault(err)
	}
	return nil
}

// nextMember goes on behind a member of gzip data. Zeros that fill up the file are its end, as they are for gzip.
func (u *unpacker) nextMember() error {
	for {
		next, err := u.buffered.Peek(1)
		if err != nil {
			return err
		}
		if next[0] != 0 {
			break
		}
		u.padded = true
		_, _ = u.buffered.Discard(1)
	}
	if u.padded {
		return gzip.ErrHeader
	}
	err := u.gzip.Reset(u.buffered)
	u.gzip.Multistream(false)
	return err
}

// close lets go of what the unpacker holds.
func (u *unpacker) close() {
	if u.zstd != nil {
		u.zstd.Close()
	}
}

// dataError is something wrong with compressed data.
type dataError struct{ message string }

// Error names the input, up to where it is good and what to do.
func (e *dataError) Error() string { return e.message }

// fault says what is wrong with the data and up to where they are good.
func (u *unpacker) fault(err error) error {
	wrong, advice := "is damaged: what follows is no "+u.compression+" data", "fetch it again"
	switch {
	case u.in.err != nil:
		return u.in.err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		wrong, advice = "is cut short: its "+u.compression+" data have no end", "fetch the whole of it"
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		wrong, advice = "was compressed with a window beyond 128 MiB", "compress it again without --long"
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, zstd.ErrCRCMismatch):
		wrong = "is damaged: its checksum is not that of the data"
	}
	return &dataError{fmt.Sprintf("%s %s, behind %d bytes (%d lines) of text; %s", u.name, wrong, u.given, u.lines, advice)}
}
