package fileio

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// layer is every operation on the disk that the promise of a sink rests on, so that a test can record them and
// see what a crash between two of them would leave.
type layer interface {
	// Mkdir makes one folder.
	Mkdir(path string) error
	// Create makes a file that was not there and locks it for as long as it is open.
	Create(path string) (layerFile, error)
	// Rename gives a file another name in the same folder, in place of what had that name.
	Rename(from, to string) error
	// SyncDir makes the names in a folder survive a crash.
	SyncDir(path string) error
	// Remove takes a file away.
	Remove(path string) error
}

// layerFile is a file that a layer made.
type layerFile interface {
	io.Writer
	// Sync makes what was written survive a crash.
	Sync() error
	Close() error
}

// disk is the layer of the operating system.
type disk struct{}

var _ layer = disk{}

// errTaken says that the new file was removed before it was locked, by another run that took it for a
// leftover.
var errTaken = errors.New("the unfinished file was taken away")

func (disk) Create(path string) (layerFile, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	locked, err := lock(f)
	if err == nil && (!locked || !stillThere(f, path)) {
		f.Close()
		return nil, errTaken
	}
	return &writtenBack{File: f}, nil
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

func (disk) Mkdir(path string) error      { return os.Mkdir(path, 0o777) }
func (disk) Rename(from, to string) error { return os.Rename(from, to) }
func (disk) Remove(path string) error     { return os.Remove(path) }

func (disk) SyncDir(path string) error {
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
