package fileio

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tidemark/io/connector"
)

var _ connector.Growing = (*SourceOptions)(nil)

// followedSet is a source that is followed: the files at its paths, and those that come.
type followedSet struct {
	options *SourceOptions
	env     connector.Environment
	claims  claims

	mu         sync.Mutex
	partitions []connector.Partition
	known      map[string]bool // the names of the partitions
	packed     sync.Map        // the names of compressed files that a warning was given of
	closed     bool
	stop       chan struct{}
}

// Bounded implements [connector.Growing].
func (o *SourceOptions) Bounded() bool { return !o.Follow }

// OpenGrowing implements [connector.Growing]. A path that is no pattern is a partition whether or not there is a file.
func (o *SourceOptions) OpenGrowing(_ context.Context, env connector.Environment) (connector.GrowingReader, error) {
	s := &followedSet{options: o, env: env, known: map[string]bool{}, stop: make(chan struct{})}
	for _, path := range o.Path {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return nil, fmt.Errorf("%s is a folder; to follow the files in it write %s", path, allIn(path))
		}
		if _, err := filepath.Match(path, ""); err != nil {
			return nil, globError(path, err)
		}
	}
	if o.Partitions == "one" {
		s.partitions = []connector.Partition{newFollowedChain(s)}
	} else {
		s.add()
	}
	return s, nil
}

// Partitions implements [connector.GrowingReader].
func (s *followedSet) Partitions() []connector.Partition {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.partitions)
}

// Added implements [connector.GrowingReader].
func (s *followedSet) Added(ctx context.Context) ([]connector.Partition, error) {
	if s.options.Partitions == "one" || !slices.ContainsFunc(s.options.Path, isPattern) {
		return nil, io.EOF
	}
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for {
		if added := s.add(); len(added) > 0 {
			return added, nil
		}
		select {
		case <-ticker.C:
		case <-s.stop:
			return nil, fmt.Errorf("%s: %w", strings.Join(s.options.Path, ", "), os.ErrClosed)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Close implements [connector.GrowingReader].
func (s *followedSet) Close() error {
	s.mu.Lock()
	closing := !s.closed
	s.closed = true
	s.mu.Unlock()
	if closing {
		close(s.stop)
	}
	for _, p := range s.Partitions() {
		p.Close()
	}
	return nil
}

// add makes partitions of the files that have come, and gives them.
func (s *followedSet) add() []connector.Partition {
	files := s.files()
	s.mu.Lock()
	defer s.mu.Unlock()
	var added []connector.Partition
	for _, f := range files {
		if s.closed || s.known[f.path] || f.info != nil && s.claims.taken(f.path, f.info) {
			continue
		}
		s.known[f.path] = true
		added = append(added, s.follow(f.path))
	}
	s.partitions = append(s.partitions, added...)
	return added
}

// namedFile is a path and what had it when it was looked at: nil where nothing did.
type namedFile struct {
	path string
	info fs.FileInfo
}

// files gives the paths that there are, in order: those that are no patterns, and the regular files that match. It forgets
// the claims of files that have none of them.
func (s *followedSet) files() []namedFile {
	var files []namedFile
	var regular []fs.FileInfo
	for _, path := range s.options.Path {
		pattern, matches := isPattern(path), []string{path}
		if pattern {
			matches, _ = filepath.Glob(path) // the pattern was checked
		}
		for _, name := range matches {
			info, _ := os.Stat(name) // nil where there is nothing
			isRegular := info != nil && info.Mode().IsRegular()
			if isRegular {
				regular = append(regular, info)
			}
			if !pattern || isRegular && s.matches(path, name) {
				files = append(files, namedFile{path: name, info: info})
			}
		}
	}
	s.claims.forget(regular)
	slices.SortFunc(files, func(a, b namedFile) int { return strings.Compare(a.path, b.path) })
	return slices.CompactFunc(files, func(a, b namedFile) bool { return a.path == b.path })
}

// matches reports whether a file that a pattern found is followed: not a hidden one, nor one that was compressed, as rolled
// logs are when they have been read.
func (s *followedSet) matches(pattern, name string) bool {
	if hidden(pattern, name) {
		return false
	}
	for _, f := range formats {
		if s.options.Compression == "none" || !f.named(name) {
			continue
		}
		if _, warned := s.packed.LoadOrStore(name, true); !warned {
			s.warn(name + " is compressed and is not followed; read it with a source of its own if need be")
		}
		return false
	}
	return true
}

// isPattern reports whether a path stands for all files that match it: it is no file itself.
func isPattern(path string) bool {
	if !strings.ContainsAny(path, "*?[") {
		return false
	}
	_, err := os.Lstat(path)
	return err != nil
}

func (s *followedSet) warn(message string) {
	if s.env.Warn != nil {
		s.env.Warn(message)
	}
}
