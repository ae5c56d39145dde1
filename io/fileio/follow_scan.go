package fileio

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// otherPacked are the endings of compressed files that no source reads.
var otherPacked = []string{".bz2", ".xz", ".lz4", ".lzo", ".zip", ".Z"}

// checkEvery is how often the folders of patterns are looked at for such as can't be read.
const checkEvery = 10 * time.Second

// namedFile is a path and what had it when it was looked at: nil where that was nothing, or could not be followed.
type namedFile struct {
	path  string
	plain bool // no match of a pattern
	info  fs.FileInfo
	err   error
}

// see gives the files that are followed, in the order of their names, with the claims on them.
func (s *followedSet) see() []sighting {
	seen := s.claims.see(s.files())
	s.looked.Store(time.Now().UnixNano())
	if time.Now().UnixNano()-s.checked.Load() >= int64(checkEvery) {
		s.search()
	}
	return seen
}

// refresh sees to it that what is known of the names of files is not old.
func (s *followedSet) refresh() {
	if time.Now().UnixNano()-s.looked.Load() >= int64(10*poll) {
		s.see()
	}
}

// search warns of the folders in which a pattern can't look: it passes over their files.
func (s *followedSet) search() {
	s.checked.Store(time.Now().UnixNano())
	for _, path := range s.options.Path {
		if !s.patterns[path] {
			continue
		}
		for _, err := range unsearchable(filepath.Dir(path), s.opening) {
			s.warnOnce(err.Error() + "; the files in it are not followed")
		}
	}
}

// files gives the paths that there are, in order: those that are no patterns, and the regular files that match.
func (s *followedSet) files() []namedFile {
	var files []namedFile
	for _, path := range s.options.Path {
		if !s.patterns[path] {
			info, err := regular(path)
			files = append(files, namedFile{path: path, plain: true, info: info, err: err})
			continue
		}
		matches, _ := filepath.Glob(path) // the pattern was checked
		for _, name := range matches {
			if info := s.match(path, name); info != nil {
				files = append(files, namedFile{path: name, info: info})
			}
		}
	}
	slices.SortStableFunc(files, func(a, b namedFile) int { return strings.Compare(a.path, b.path) })
	if len(s.options.Path) == 1 {
		return files
	}
	named := map[string]int{} // ./a and a are one file, and so is /folder/a here; a path counts more than a match
	for i, f := range files {
		name := fromRoot(s.here, f.path)
		if other, again := named[name]; !again || f.plain && !files[other].plain {
			named[name] = i
		}
	}
	kept := files[:0]
	for i, f := range files {
		if named[fromRoot(s.here, f.path)] == i {
			kept = append(kept, f)
		}
	}
	return kept
}

// match gives what a pattern found if it is followed: not a hidden file, nor one that was compressed, as rolled logs are
// when they have been read.
func (s *followedSet) match(pattern, name string) fs.FileInfo {
	if hidden(pattern, name) {
		return nil
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && info.IsDir():
		return nil
	case err != nil:
		s.warnOnce(openError(name, err).Error() + "; it is not followed")
		return nil
	case !info.Mode().IsRegular():
		s.warnOnce(name + " is no regular file and is not followed")
		return nil
	}
	compressed := slices.Contains(otherPacked, filepath.Ext(name))
	for _, f := range formats {
		compressed = compressed || f.named(name)
	}
	if compressed && s.options.Compression != "none" {
		s.warnOnce(name + " is compressed and is not followed; read it with a source of its own if need be")
		return nil
	}
	return info
}

// isPattern reports whether a path stands for all files that match it: it is no file itself.
func isPattern(path string) bool {
	if !strings.ContainsAny(path, "*?[") {
		return false
	}
	_, err := os.Lstat(path)
	return err != nil
}
