package aside

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// Layer is every operation on the disk that the promise of a sink rests on, so that a test can record them and
// see what a crash between two of them would leave.
type Layer interface {
	// Mkdir makes one folder.
	Mkdir(path string) error
	// Create makes a file that was not there and locks it for as long as it is open.
	Create(path string) (LayerFile, error)
	// Stage makes a folder that was not there and locks it until the lock is closed.
	Stage(path string) (lock io.Closer, err error)
	// Rename gives a file another name in the same file system, in place of what had that name.
	Rename(from, to string) error
	// SyncDir makes the names in a folder survive a crash.
	SyncDir(path string) error
	// Remove takes a file away.
	Remove(path string) error
	// Clear takes away what Create or Stage made, with all that is in it.
	Clear(path string) error
}

// LayerFile is a file that a layer made.
type LayerFile interface {
	io.Writer
	// Sync makes what was written survive a crash.
	Sync() error
	Close() error
}

// Disk is the layer of the operating system.
type Disk struct{}

var _ Layer = Disk{}

// errTaken says that the new file was removed before it was locked, by another run that took it for a
// leftover.
var errTaken = errors.New("the unfinished file was taken away")

// Create implements [Layer].
func (Disk) Create(path string) (LayerFile, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	if err := hold(f, path); err != nil {
		return nil, err
	}
	return &writtenBack{File: f}, nil
}

// Stage implements [Layer].
func (Disk) Stage(path string) (io.Closer, error) {
	if err := os.Mkdir(path, 0o777); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errTaken
	}
	if err != nil {
		return nil, err
	}
	return f, hold(f, path)
}

// hold locks what was just made at path. A file system without locks is no reason to fail: there leftovers stay.
func hold(f *os.File, path string) error {
	locked, err := lock(f)
	if err == nil && (!locked || !stillThere(f, path)) {
		f.Close()
		return errTaken
	}
	return nil
}

// stillThere reports whether path is the name of an open file.
func stillThere(f *os.File, path string) bool {
	open, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(open, named)
}

// Mkdir implements [Layer].
func (Disk) Mkdir(path string) error { return os.Mkdir(path, 0o777) }

// Rename implements [Layer].
func (Disk) Rename(from, to string) error { return os.Rename(from, to) }

// Remove implements [Layer].
func (Disk) Remove(path string) error { return os.Remove(path) }

// Clear implements [Layer].
func (Disk) Clear(path string) error { return os.RemoveAll(path) }

// SyncDir implements [Layer].
func (Disk) SyncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil // a file system whose folders need no sync
	}
	return err
}
