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

// looker is a partition of files that come and go.
type looker interface {
	connector.Partition
	// look opens what has come since it was last looked.
	look()
}

// followedSet is a source that is followed: the files at its paths, and those that come.
type followedSet struct {
	options *SourceOptions
	env     connector.Environment
	claims  claims

	mu         sync.Mutex
	partitions []looker
	known      map[string]bool       // the names of the partitions
	pending    []connector.Partition // that have come and are not yet given
	closed     bool
	stop       chan struct{}
	watcher    sync.WaitGroup
	patterns   map[string]bool // paths that stand for what matches them
	here       string          // the working directory

	told    sync.Map     // what was warned of
	looked  atomic.Int64 // when the names of the files were last looked at, in nanoseconds
	checked atomic.Int64 // and when the folders
	opening func(string) (*os.File, error)
}

// Bounded implements [connector.Growing].
func (o *SourceOptions) Bounded() bool { return !o.Follow }

// OpenGrowing implements [connector.Growing]. A path that is no pattern is a partition whether or not there is a file.
func (o *SourceOptions) OpenGrowing(_ context.Context, env connector.Environment) (connector.GrowingReader, error) {
	s, err := o.openFollowed(env)
	if err != nil {
		return nil, err
	}
	s.watcher.Go(s.watch)
	return s, nil
}

// openFollowed finds the files that there are.
func (o *SourceOptions) openFollowed(env connector.Environment) (*followedSet, error) {
	s := &followedSet{options: o, env: env, known: map[string]bool{}, patterns: map[string]bool{}, stop: make(chan struct{}), opening: os.Open}
	for _, path := range o.Path {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return nil, fmt.Errorf("%s is a folder; to follow the files in it write %s", path, allIn(path))
		}
		if _, err := filepath.Match(path, ""); err != nil {
			return nil, globError(path, err)
		}
		if s.patterns[path] = isPattern(path); !s.patterns[path] {
			if _, err := regular(path); err != nil {
				return nil, err
			}
		}
	}
	s.here, _ = os.Getwd()
	s.search()
	if o.Partitions == "one" {
		s.partitions = []looker{newFollowedChain(s)}
	} else {
		s.add()
		s.pending = nil
	}
	return s, nil
}

// watch looks at the paths again and again, so that what is there for a while is opened, even if nobody takes lines then.
func (s *followedSet) watch() {
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	grows := s.options.Partitions != "one" && s.grows()
	for {
		select {
		case <-ticker.C:
		case <-s.stop:
			return
		}
		if grows {
			s.add()
		}
		for _, p := range s.current() {
			p.look()
		}
	}
}

// grows reports whether other files may come than those that are named.
func (s *followedSet) grows() bool {
	return slices.ContainsFunc(s.options.Path, func(path string) bool { return s.patterns[path] })
}

// current gives the partitions that there are now.
func (s *followedSet) current() []looker {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.partitions)
}

// Partitions implements [connector.GrowingReader].
func (s *followedSet) Partitions() (list []connector.Partition) {
	for _, p := range s.current() {
		list = append(list, p)
	}
	return list
}

// Added implements [connector.GrowingReader].
func (s *followedSet) Added(ctx context.Context) ([]connector.Partition, error) {
	if s.options.Partitions == "one" || !s.grows() {
		return nil, io.EOF
	}
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for {
		s.mu.Lock()
		added := s.pending
		s.pending = nil
		s.mu.Unlock()
		if len(added) > 0 {
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
	s.watcher.Wait()
	s.claims.end()
	for _, p := range s.current() {
		p.Close()
	}
	return nil
}

// add makes partitions of the files that have come.
func (s *followedSet) add() {
	seen := s.see()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range seen {
		if s.closed || s.known[f.path] || f.claim != nil || f.info != nil && s.claims.has(f.info) {
			continue
		}
		p := s.follow(f.path, f.plain)
		if p.arrive(); len(p.files) == 0 && !f.plain {
			continue // it can't be opened now
		}
		s.known[f.path] = true
		s.partitions, s.pending = append(s.partitions, p), append(s.pending, p)
	}
}

// retire takes out a partition whose files are gone, or that has nothing to be read, which is then not looked at again. There
// must be another one that is being read: the end of the last one would be the end of the source.
func (s *followedSet) retire(f *followed, again bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.ContainsFunc(s.partitions, func(p looker) bool {
		other := p.(*followed)
		return other != f && other.begun.Load()
	}) {
		return false
	}
	s.partitions = slices.DeleteFunc(s.partitions, func(p looker) bool { return p == f })
	if again {
		delete(s.known, f.path)
	}
	return true
}

func (s *followedSet) warn(message string) {
	if s.env.Warn != nil {
		s.env.Warn(message)
	}
}

// notNow warns of a path that can't be followed now. It may be later.
func (s *followedSet) notNow(err error) {
	if err != nil {
		s.warnOnce(err.Error() + "; it is tried again")
	}
}

// warnOnce warns of what is found again and again.
func (s *followedSet) warnOnce(message string) {
	if _, told := s.told.LoadOrStore(message, true); !told {
		s.warn(message)
	}
}
