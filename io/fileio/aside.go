package fileio

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"tidemark/io/connector"
)

// bufferSize is how much is written at once.
const bufferSize = 64 << 10

// aside is a file that gets its name when it is complete.
type aside struct {
	layer     layer
	path      string // as the pipeline spells it, for messages
	target    string // path with links followed
	overwrite bool

	hidden  string
	file    layerFile
	buffer  *bufio.Writer
	parents []string // folders in which folders were made, the deepest first
	done    bool
}

var _ connector.ByteSink = (*aside)(nil)

// openAside makes the folders that are missing, then the unfinished file.
func openAside(l layer, path string, overwrite bool) (*aside, error) {
	target, err := followLinks(path)
	if err != nil {
		return nil, writeError(path, err)
	}
	a := &aside{layer: l, path: path, target: target, overwrite: overwrite}
	if err := a.makeFolder(filepath.Dir(target)); err != nil {
		return nil, writeError(path, err)
	}
	for range 3 {
		a.hidden = hiddenName(target)
		if a.file, err = l.Create(a.hidden); !errors.Is(err, errTaken) {
			break
		}
	}
	if err != nil {
		return nil, writeError(path, err)
	}
	a.buffer = bufio.NewWriterSize(a.file, bufferSize)
	if err := sweep(l, target, a.hidden); err != nil {
		a.Abort()
		return nil, err
	}
	return a, nil
}

// followLinks gives what a path that is a link leads to.
func followLinks(path string) (string, error) {
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return filepath.EvalSymlinks(path)
	}
	return path, nil
}

func (a *aside) makeFolder(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent := filepath.Dir(path)
	if err := a.makeFolder(parent); err != nil {
		return err
	}
	a.parents = append([]string{parent}, a.parents...)
	if err := a.layer.Mkdir(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// Write implements [connector.ByteSink].
func (a *aside) Write(p []byte) (int, error) {
	n, err := a.buffer.Write(p)
	return n, writeError(a.path, err)
}

// Flush implements [connector.Output].
func (a *aside) Flush() error { return writeError(a.path, a.buffer.Flush()) }

// Commit implements [connector.Output]. The order is what makes it safe: the bytes are on the disk before the
// name is, and the name is before anybody is told.
func (a *aside) Commit() error {
	if a.done {
		return fmt.Errorf("%s was ended before", a.path)
	}
	if err := a.buffer.Flush(); err != nil {
		return writeError(a.path, err)
	}
	if err := a.file.Sync(); err != nil {
		return writeError(a.path, err)
	}
	if _, err := os.Lstat(a.target); err == nil && !a.overwrite {
		return fmt.Errorf("%s came into being while the run wrote; remove it and run again", a.path)
	}
	if err := a.layer.Rename(a.hidden, a.target); err != nil {
		return writeError(a.path, err)
	}
	a.done = true
	defer a.file.Close() // gives the lock back
	for _, folder := range append([]string{filepath.Dir(a.target)}, a.parents...) {
		if err := a.layer.SyncDir(folder); err != nil {
			return writeError(a.path, err)
		}
	}
	return nil
}

// Abort implements [connector.Output].
func (a *aside) Abort() error {
	if a.done {
		return nil
	}
	a.done = true
	err := a.layer.Remove(a.hidden) // while the lock is held, so that nobody else does
	return writeError(a.path, errors.Join(err, a.file.Close()))
}
