package aside

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tidemark/io/connector"
)

// bufferSize is how much is written at once.
const bufferSize = 64 << 10

// File is a file that gets its name when it is complete.
type File struct {
	layer     Layer
	path      string // as the pipeline spells it, for messages
	target    string // path with links followed
	overwrite bool

	hidden  string
	file    LayerFile
	buffer  *bufio.Writer
	parents []string // folders in which folders were made, the deepest first
	done    bool
}

var _ connector.ByteSink = (*File)(nil)

// Open makes the folders that are missing, then the unfinished file.
func Open(l Layer, path string, overwrite bool) (*File, error) {
	target, err := followLinks(path)
	if err != nil {
		return nil, WriteError(path, err)
	}
	a := &File{layer: l, path: path, target: target, overwrite: overwrite}
	if a.parents, err = makeFolders(l, filepath.Dir(target)); err != nil {
		return nil, WriteError(path, err)
	}
	for range 3 {
		a.hidden = hiddenName(target)
		if a.file, err = l.Create(a.hidden); !errors.Is(err, errTaken) {
			break
		}
	}
	if err != nil {
		return nil, WriteError(path, err)
	}
	a.buffer = bufio.NewWriterSize(a.file, bufferSize)
	if err := sweep(l, target, a.hidden); err != nil {
		a.Abort()
		return nil, err
	}
	return a, nil
}

// Write implements [connector.ByteSink].
func (a *File) Write(p []byte) (int, error) {
	n, err := a.buffer.Write(p)
	return n, WriteError(a.path, err)
}

// Flush implements [connector.Output].
func (a *File) Flush() error { return WriteError(a.path, a.buffer.Flush()) }

// Commit implements [connector.Output].
func (a *File) Commit() error {
	if a.done {
		return fmt.Errorf("%s was ended before", a.path)
	}
	if err := a.buffer.Flush(); err != nil {
		return WriteError(a.path, err)
	}
	if err := a.file.Sync(); err != nil {
		return WriteError(a.path, err)
	}
	if _, err := os.Lstat(a.target); err == nil && !a.overwrite {
		return cameIntoBeing(a.path)
	}
	if replaced, err := os.Stat(a.target); err == nil { // who could read it may read its successor
		_ = os.Chmod(a.hidden, replaced.Mode().Perm())
	}
	if err := a.layer.Rename(a.hidden, a.target); err != nil {
		return WriteError(a.path, err)
	}
	a.done = true
	defer a.file.Close() // gives the lock back
	for _, folder := range append([]string{filepath.Dir(a.target)}, a.parents...) {
		if err := a.layer.SyncDir(folder); err != nil {
			return WriteError(a.path, err)
		}
	}
	return nil
}

func cameIntoBeing(path string) error {
	return fmt.Errorf("%s came into being while the run wrote; remove it and run again", path)
}

// Abort implements [connector.Output].
func (a *File) Abort() error {
	if a.done {
		return nil
	}
	a.done = true
	err := a.layer.Remove(a.hidden) // while the lock is held, so that nobody else does
	return WriteError(a.path, errors.Join(err, a.file.Close()))
}
