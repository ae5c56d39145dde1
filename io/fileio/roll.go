package fileio

import (
	"bufio"
	"tidemark/io/connector"
	"tidemark/io/internal/aside"
	"tidemark/io/internal/roll"
)

// partBuffer is how many bytes of a part are written at once.
const partBuffer = 64 << 10

// rolling writes lines to parts. Where a part ends depends on the lines alone, unless roll.every is set; its size
// is counted before compression.
type rolling struct {
	parts       *aside.Parts
	meter       *roll.Meter
	compression string
	header      []byte // of every part
	lines       lineEnds

	part   *aside.Part
	buffer *bufio.Writer
	packer packer // nil for none
	begun  bool   // there was a part
}

var _ connector.ByteSink = (*rolling)(nil)

// Write implements [connector.ByteSink].
func (r *rolling) Write(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if r.meter.Due() {
			if err := r.finish(); err != nil {
				return n, err
			}
		}
		if err := r.begin(); err != nil {
			return n, err
		}
		end := n + r.fitting(p[n:])
		if err := r.write(p[n:end]); err != nil {
			return n, err
		}
		n = end
		if r.meter.Full() {
			if err := r.finish(); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// fitting counts the lines that belong to the open part, and gives their length.
func (r *rolling) fitting(p []byte) int {
	if rows := r.lines.count(p); r.meter.Fits(rows, int64(len(p))) {
		r.meter.Add(rows, int64(len(p)))
		return len(p)
	}
	end := 0
	for end < len(p) && !r.meter.Full() {
		line := r.lines.first(p[end:])
		r.meter.Add(1, int64(line))
		end += line
	}
	return end
}

func (r *rolling) write(p []byte) (err error) {
	if r.packer != nil {
		_, err = r.packer.Write(p)
	} else {
		_, err = r.buffer.Write(p)
	}
	return err
}

// begin opens a part if none is open.
func (r *rolling) begin() (err error) {
	if r.part != nil {
		return nil
	}
	if r.part, err = r.parts.Next(""); err != nil {
		return err
	}
	r.begun = true
	r.buffer = bufio.NewWriterSize(r.part, partBuffer)
	if r.compression != "none" {
		r.packer = compressor(r.compression, r.buffer)
	}
	r.meter.Reset()
	return r.write(r.header)
}

// finish ends the open part.
func (r *rolling) finish() error {
	if r.packer != nil {
		if err := r.packer.Close(); err != nil {
			return err
		}
	}
	if err := r.buffer.Flush(); err != nil {
		return err
	}
	part := r.part
	r.part, r.packer = nil, nil
	r.meter.Reset()
	return part.Finish()
}

// Flush implements [connector.Output]: nobody sees an unfinished part, so all there is to do is to end it when
// its time is over.
func (r *rolling) Flush() error {
	if r.part != nil && r.meter.Due() {
		return r.finish()
	}
	return nil
}

// Commit implements [connector.Output]. Without rows there is one part, which is empty.
func (r *rolling) Commit() error {
	if !r.begun {
		if err := r.begin(); err != nil {
			return err
		}
	}
	if r.part != nil {
		if err := r.finish(); err != nil {
			return err
		}
	}
	return r.parts.Commit()
}

// Abort implements [connector.Output].
func (r *rolling) Abort() error {
	if r.part != nil {
		r.part.Drop()
		r.part = nil
	}
	return r.parts.Abort()
}
