package aside

import "os"

// writebackStep is how much is written before the disk is set to work on it.
const writebackStep = 1 << 20

// writtenBack is a file whose bytes the disk begins to take while more are being written, so that little is left
// to wait for when it is synced.
type writtenBack struct {
	*os.File
	written, begun int64
}

// Write implements io.Writer.
func (f *writtenBack) Write(p []byte) (int, error) {
	n, err := f.File.Write(p)
	f.written += int64(n)
	if f.written-f.begun >= writebackStep {
		beginWriteback(f.File, f.begun, f.written-f.begun)
		f.begun = f.written
	}
	return n, err
}
