package fileio

import (
	"fmt"
	"os"
)

// Regular finds the regular files that paths and globs name, each once, ordered by name, for kinds that read from
// any place in a file.
func Regular(paths []string) ([]string, error) {
	found, err := expand(paths)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(found))
	for i, f := range found {
		if !f.regular {
			return nil, fmt.Errorf("%s is no regular file; it has to be read from its end, so write it to a file first", f.path)
		}
		names[i] = f.path
	}
	return names, nil
}

// Acquire opens the file of a partition, whose path its Name is, unless it is open already. The files of all
// sources together are at most 512; one that was idle long may be closed and opened again. release gives it back.
func Acquire(partition interface{ Name() string }) (file *os.File, release func(), err error) {
	f, _, err := shared.acquire(partition)
	if err != nil {
		return nil, nil, err
	}
	return f.File, func() { shared.release(f) }, nil
}

// Drop closes the file of a partition that needs it no more.
func Drop(partition interface{ Name() string }) { shared.drop(partition) }

// OpenError says in one line why a path can not be read and what to do.
func OpenError(path string, err error) error { return openError(path, err) }
