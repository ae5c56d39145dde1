package fileio

import (
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"tidemark/io/connector"
)

// packer is a compressing writer. What it writes depends on the bytes alone, not on how they are cut.
type packer interface {
	io.WriteCloser
	Flush() error
}

// compressor gives the writer of a compression, gzip or zstd, on one goroutine.
func compressor(name string, w io.Writer) packer {
	if name == "gzip" {
		return gzip.NewWriter(w)
	}
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		panic("fileio: the options of zstd: " + err.Error())
	}
	return z
}

// compressed is an output that packs what it is given.
type compressed struct {
	connector.ByteSink
	to   packer
	live bool // somebody reads while we write
}

var _ connector.ByteSink = (*compressed)(nil)

// Write implements [connector.ByteSink].
func (c *compressed) Write(p []byte) (int, error) { return c.to.Write(p) }

// Flush implements [connector.Output]. A file whose name does not yet exist is not flushed: that would make its
// bytes depend on when it is.
func (c *compressed) Flush() error {
	if !c.live {
		return nil
	}
	if err := c.to.Flush(); err != nil {
		return err
	}
	return c.ByteSink.Flush()
}

// Commit implements [connector.Output].
func (c *compressed) Commit() error {
	if err := c.to.Close(); err != nil {
		return err
	}
	return c.ByteSink.Commit()
}
