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
			return nil, fmt.Errorf("%s is a folder; to follow the files in it write %s", path, filepath.Join(path, "*"))
		}
		if _, err := filepath.Match(path, ""); err != nil {
			return nil, fmt.Errorf("%s is no glob: %w; a [ needs its ]", path, err)
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
	names := s.names()
	s.mu.Lock()
	defer s.mu.Unlock()
	var added []connector.Partition
	for _, name := range names {
		info, err := os.Stat(name)
		if s.closed || s.known[name] || err == nil && s.claims.taken(name, info) {
			continue
		}
		s.known[name] = true
		added = append(added, s.follow(name))
	}
	s.partitions = append(s.partitions, added...)
	return added
}

// names gives the names that there are, in order: the paths that are no patterns, and the regular files that match. It
// forgets the claims of files that have none of them.
func (s *followedSet) names() []string {
	var names []string
	var files []fs.FileInfo
	for _, path := range s.options.Path {
		matches := []string{path}
		if isPattern(path) {
			matches, _ = filepath.Glob(path) // the pattern was checked
		}
		for _, name := range matches {
			info, err := os.Stat(name)
			if err == nil && info.Mode().IsRegular() {
				files = append(files, info)
			}
			if !isPattern(path) || err == nil && info.Mode().IsRegular() && s.matches(path, name) {
				names = append(names, name)
			}
		}
	}
	s.claims.forget(files)
	slices.Sort(names)
	return slices.Compact(names)
}

// matches reports whether a file that a pattern found is followed: not a hidden one, nor one that was compressed, as rolled
// logs are when they have been read.
func (s *followedSet) matches(pattern, name string) bool {
	if strings.HasPrefix(filepath.Base(name), ".") && !strings.HasPrefix(filepath.Base(pattern), ".") {
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
