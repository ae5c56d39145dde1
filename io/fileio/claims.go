package fileio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"
)

// claims are the files that are open, so that each is read once, whatever it is called. A claim ends when its file is
// closed.
type claims struct {
	mu    sync.Mutex
	list  []*opened
	ended bool // no more files are opened
}

// sighting is a file that was found at a path, and the claim on it, if there is one.
type sighting struct {
	namedFile
	claim *opened
}

// regular gives the regular file at a path, or nil where there is nothing.
func regular(path string) (fs.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, openError(path, err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s can't be followed: it is no regular file", path)
	}
	return info, nil
}

// open opens the file at a path. It gives nil where there is none, and where the file is somebody's.
func (s *followedSet) open(path string) (*opened, error) {
	if info, err := regular(path); info == nil || s.claims.has(info) {
		return nil, err
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, openError(path, err)
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, openError(path, err)
	}
	now := time.Now()
	o := &opened{set: s, file: file, info: info, came: now, last: now, name: path, named: now}
	if !s.claims.add(o) {
		file.Close()
		return nil, nil
	}
	o.begin()
	return o, nil
}

// add claims a file, unless it is somebody's.
func (c *claims) add(o *opened) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended || c.of(o.info) != nil {
		return false
	}
	c.list = append(c.list, o)
	return true
}

// end refuses all claims that come: while the partitions are closed, what one of them leaves is not for the others.
func (c *claims) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
}

// has reports whether a file is somebody's.
func (c *claims) has(info fs.FileInfo) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of(info) != nil
}

func (c *claims) of(info fs.FileInfo) *opened {
	i := slices.IndexFunc(c.list, func(o *opened) bool { return o.is(info) })
	if i < 0 {
		return nil
	}
	return c.list[i]
}

// close ends the claim on a file and then closes it, so that what gets its identity is nobody's.
func (c *claims) close(o *opened) {
	c.mu.Lock()
	if i := slices.Index(c.list, o); i >= 0 {
		c.list = slices.Delete(c.list, i, i+1)
	}
	c.mu.Unlock()
	if o.file != nil {
		o.file.Close()
	}
}

// see takes note of what the files are called now, and gives them with their claims. Nearly all still have their names,
// so that only the others are compared one by one.
func (c *claims) see(files []namedFile) []sighting {
	seen, at := make([]sighting, len(files)), make(map[string]int, len(files))
	for i, f := range files {
		seen[i].namedFile, at[f.path] = f, i
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	var moved []*opened
	for _, o := range c.list {
		if i, ok := at[o.name]; ok && o.at(seen[i]) {
			seen[i].claim, o.named = o, now
		} else {
			moved = append(moved, o)
		}
	}
	if len(moved) == 0 {
		return seen
	}
	for i := range seen {
		if seen[i].claim != nil {
			continue
		}
		if m := slices.IndexFunc(moved, func(o *opened) bool { return o.at(seen[i]) }); m >= 0 {
			seen[i].claim, moved[m].name, moved[m].named = moved[m], seen[i].path, now
		}
	}
	return seen
}

// at reports whether a file is the one that was found.
func (o *opened) at(f sighting) bool { return f.info != nil && o.is(f.info) }
