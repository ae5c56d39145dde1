package fileio

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
	closed     bool
	stop       chan struct{}

	told    sync.Map     // what was warned of
	looked  atomic.Int64 // when the names of the files were last looked at, in nanoseconds
	checked atomic.Int64 // and when the folders
	opening func(string) (*os.File, error)
}

// Bounded implements [connector.Growing].
func (o *SourceOptions) Bounded() bool { return !o.Follow }

// OpenGrowing implements [connector.Growing]. A path that is no pattern is a partition whether or not there is a file.
func (o *SourceOptions) OpenGrowing(_ context.Context, env connector.Environment) (connector.GrowingReader, error) {
	s := &followedSet{options: o, env: env, known: map[string]bool{}, stop: make(chan struct{}), opening: os.Open}
	for _, path := range o.Path {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return nil, fmt.Errorf("%s is a folder; to follow the files in it write %s", path, allIn(path))
		}
		if _, err := filepath.Match(path, ""); err != nil {
			return nil, globError(path, err)
		}
	}
	s.search()
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
	s.claims.end()
	for _, p := range s.Partitions() {
		p.Close()
	}
	return nil
}

// add makes partitions of the files that have come, and gives them.
func (s *followedSet) add() []connector.Partition {
	seen := s.see()
	s.mu.Lock()
	defer s.mu.Unlock()
	var added []connector.Partition
	for _, f := range seen {
		if s.closed || s.known[f.path] || f.claim != nil || f.info != nil && s.claims.has(f.info) {
			continue
		}
		s.known[f.path] = true
		added = append(added, s.follow(f.path, f.plain))
	}
	s.partitions = append(s.partitions, added...)
	return added
}

// retire takes out a partition whose files are gone. There must be another one that is being read: the end of the last
// one would be the end of the source.
func (s *followedSet) retire(f *followed) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.ContainsFunc(s.partitions, func(p connector.Partition) bool {
		other := p.(*followed)
		return other != f && other.begun.Load()
	}) {
		return false
	}
	s.partitions = slices.DeleteFunc(s.partitions, func(p connector.Partition) bool { return p == f })
	delete(s.known, f.path)
	return true
}

func (s *followedSet) warn(message string) {
	if s.env.Warn != nil {
		s.env.Warn(message)
	}
}

// warnOnce warns of what is found again and again.
func (s *followedSet) warnOnce(message string) {
	if _, told := s.told.LoadOrStore(message, true); !told {
		s.warn(message)
	}
}
