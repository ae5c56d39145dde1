package fileio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tidemark/io/codec"
	"tidemark/io/connector"
)

// follower reads a source that is followed, and everything that joins it, in the background.
type follower struct {
	reader connector.GrowingReader
	group  sync.WaitGroup
	cancel context.CancelFunc

	mu       sync.Mutex
	lines    []string // partition, file, line and text
	names    []string
	warnings []string
	silence  time.Duration // the longest that a partition gave no chunk
	errs     []error
}

func startFollowing(t testing.TB, chunk int64, partitions string, paths ...string) *follower {
	t.Helper()
	return startFollowingIn(t, connector.Environment{ChunkSize: chunk}, partitions, paths...)
}

func startFollowingIn(t testing.TB, env connector.Environment, partitions string, paths ...string) *follower {
	t.Helper()
	f := &follower{}
	o := source(paths...)
	o.Follow, o.Partitions = true, partitions
	env.Warn = func(message string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.warnings = append(f.warnings, message)
	}
	var err error
	if f.reader, err = o.OpenGrowing(context.Background(), env); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel = cancel
	for _, p := range f.reader.Partitions() {
		f.read(p)
	}
	f.group.Go(func() {
		for {
			added, err := f.reader.Added(ctx)
			if err != nil {
				return
			}
			for _, p := range added {
				f.read(p)
			}
		}
	})
	return f
}

// read reads a partition in the background.
func (f *follower) read(p connector.Partition) {
	f.mu.Lock()
	f.names = append(f.names, filepath.Base(p.Name()))
	f.mu.Unlock()
	f.group.Go(func() {
		for index := int64(0); ; index++ {
			begin := time.Now()
			c, err := p.Next(context.Background())
			var lines []byte
			if err == nil {
				lines, err = p.Load(context.Background(), c, nil)
			}
			f.mu.Lock()
			f.silence = max(f.silence, time.Since(begin))
			if err == nil && (c.Index != index || c.Data == nil || checkPadding(lines) != nil) {
				err = fmt.Errorf("chunk %d is %+v", index, c)
			}
			if err != nil {
				f.errs = append(f.errs, err)
				f.mu.Unlock()
				return
			}
			line := c.Line - 1
			file := c.File
			if file == "" {
				file = p.Name()
			}
			for text := range strings.Lines(string(lines)) {
				line++
				f.lines = append(f.lines, fmt.Sprintf("%s:%d:%s", filepath.Base(file), line, bareLine(text)))
			}
			f.mu.Unlock()
		}
	})
}

// stop ends the reading and gives what was read.
func (f *follower) stop(t testing.TB) []string {
	t.Helper()
	f.cancel()
	f.reader.Close()
	f.group.Wait()
	for _, err := range f.errs {
		if !errors.Is(err, os.ErrClosed) && err != io.EOF {
			t.Error(err)
		}
	}
	return f.lines
}

// appendTo writes at the end of a file, which it makes if need be.
func appendTo(t testing.TB, path, text string) {
	t.Helper()
	w, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err == nil {
		_, err = w.WriteString(text)
		w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

func rename(t testing.TB, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// scene is what happens to the files of a folder while they are followed, those at the paths in path. Between its steps two
// seconds pass.
type scene struct {
	name, path, partitions string
	csv                    bool
	before                 []func(t *testing.T) // what happens before the files are followed
	steps                  []func(t *testing.T)
	want                   []string
	warnings               []string
	names                  []string
}

// play follows the files of a scene in a folder of its own, with chunks of several sizes.
func (s *scene) play(t *testing.T) {
	for _, chunk := range []int64{1, 3, 0} {
		t.Run(fmt.Sprintf("%s, chunks of %d", s.name, chunk), func(t *testing.T) {
			t.Chdir(t.TempDir())
			synctest.Test(t, func(t *testing.T) { s.playOnce(t, chunk) })
			if folder, _ := os.Getwd(); openFiles(t, folder+"/") != 0 {
				t.Error("files are left open")
			}
		})
	}
}

func (s *scene) playOnce(t *testing.T, chunk int64) {
	env := connector.Environment{ChunkSize: chunk}
	if s.csv {
		env.CSV = &codec.CSVFormat{Delimiter: ',', Header: true}
	}
	both(s.before...)(t)
	f := startFollowingIn(t, env, max(s.partitions, "file"), strings.Fields(s.path)...)
	if time.Sleep(poll / 2); s.before != nil { // the steps are made between the looks at the files
		time.Sleep(2 * time.Second)
	}
	for _, step := range s.steps {
		step(t)
		time.Sleep(2 * time.Second)
	}
	got := f.stop(t)
	if !slices.Equal(got, s.want) {
		t.Errorf("got  %q\nwant %q", got, s.want)
	}
	if !slices.Equal(f.warnings, s.warnings) {
		t.Errorf("warnings: %q", f.warnings)
	}
	if s.names != nil && !slices.Equal(f.names, s.names) {
		t.Errorf("partitions: %q, want %q", f.names, s.names)
	}
	if f.silence > time.Second {
		t.Errorf("no chunk for %v", f.silence)
	}
}

// The steps of scenes.

func folder(path string) func(*testing.T) {
	return func(t *testing.T) {
		if err := os.Mkdir(path, 0o777); err != nil {
			t.Fatal(err)
		}
	}
}

func add(path, text string) func(*testing.T) {
	return func(t *testing.T) { appendTo(t, path, text) }
}

func move(from, to string) func(*testing.T) {
	return func(t *testing.T) { rename(t, from, to) }
}

func remove(path string) func(*testing.T) {
	return func(t *testing.T) {
		t.Helper()
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

func pass(d time.Duration) func(*testing.T) { return func(*testing.T) { time.Sleep(d) } }

func truncate(path string) func(*testing.T) { return func(*testing.T) { os.Truncate(path, 0) } }

// both does one step right behind the other.
func both(steps ...func(*testing.T)) func(*testing.T) {
	return func(t *testing.T) {
		for _, step := range steps {
			step(t)
		}
	}
}

func TestFollow(t *testing.T) {
	for _, s := range []scene{
		{name: "lines come in pieces", path: "a", steps: []func(*testing.T){add("a", "1\n2"), add("a", "2\n"), add("a", "\r\n3\r\n4")},
			want: []string{"a:1:1", "a:2:22", "a:3:", "a:4:3"}},
		{name: "a file that comes late", path: "a", steps: []func(*testing.T){add("b", "no\n"), add("a", "\xef\xbb\xbf1\n")}, want: []string{"a:1:1"}},
		{name: "rotation", path: "a", steps: []func(*testing.T){add("a", "1\n"),
			both(add("a", "2\nopen"), move("a", "a.1"), add("a.1", " end"), add("a", "3\n")), add("a", "4\n")},
			want: []string{"a:1:1", "a:2:2", "a:3:open end", "a:1:3", "a:2:4"}},
		{name: "what is written after the rotation", path: "a", steps: []func(*testing.T){add("a", "1\n"), move("a", "a.1"), add("a.1", "2\n"), add("a", "3\n")},
			want: []string{"a:1:1", "a:2:2", "a:1:3"}},
		{name: "an empty file waits for who still writes the old one", path: "a", steps: []func(*testing.T){add("a", "1\n"),
			func(t *testing.T) {
				rename(t, "a", "a.1")
				appendTo(t, "a", "")
				time.Sleep(grace / 2)
				appendTo(t, "a.1", "2\n")
			}, add("a", "3\n")}, want: []string{"a:1:1", "a:2:2", "a:1:3"}},
		{name: "removed and made anew", path: "a", steps: []func(*testing.T){add("a", "1\n"), remove("a"), add("a", "2\n")},
			want: []string{"a:1:1", "a:1:2"}},
		{name: "truncation", path: "a", steps: []func(*testing.T){add("a", "1\n2\nopen"), truncate("a"), add("a", "3\n")},
			want: []string{"a:1:1", "a:2:2", "a:3:open", "a:1:3"}, warnings: []string{"a was truncated from 8 to 0 bytes: it is read from its start again"}},
		{name: "files that join", path: "*.log", steps: []func(*testing.T){add("a.log", "1\n"), add("b.log", "2\n"), both(add("c.txt", "no\n"), add(".d.log", "no\n")), add("a.log", "3\n")},
			want: []string{"a.log:1:1", "b.log:1:2", "a.log:2:3"}, names: []string{"a.log", "b.log"}},
		{name: "a rotated file is not read again", path: "a*", steps: []func(*testing.T){add("a", "1\n"), both(move("a", "a.1"), add("a", "2\n")),
			both(move("a.1", "a.2"), move("a", "a.1"), add("a", "3\n")), add("a", "4\n")},
			want: []string{"a:1:1", "a:1:2", "a:1:3", "a:2:4"}, names: []string{"a"}},
		{name: "a compressed file is not read again", path: "a*", steps: []func(*testing.T){add("a", "1\n"), add("a.1.gz", "\x1f\x8b")},
			want: []string{"a:1:1"}, warnings: []string{"a.1.gz is compressed and is not followed; read it with a source of its own if need be"}},
		{name: "a match that is no text", path: "a*", steps: []func(*testing.T){add("a", "1\n"), add("ab", pack("gzip", "2\n")), add("ac.bz2", "BZh9"), add("a", "3\n")},
			want: []string{"a:1:1", "a:2:3"}, warnings: []string{"ab is compressed with gzip; write compression: auto; what is compressed twice, or followed, has to be unpacked first; it is not followed",
				"ac.bz2 is compressed and is not followed; read it with a source of its own if need be"}},
		{name: "a path that is a folder for a while", path: "a", steps: []func(*testing.T){add("a", "1\n"), both(remove("a"), folder("a")), remove("a"), add("a", "2\n")},
			want: []string{"a:1:1", "a:1:2"}, warnings: []string{"a can't be followed: it is no regular file; it is tried again"}},
		{name: "a match that is a folder for a while", path: "*.log", steps: []func(*testing.T){add("a.log", "1\n"), both(remove("a.log"), folder("a.log")), remove("a.log"), add("a.log", "2\n")},
			want: []string{"a.log:1:1", "a.log:1:2"}, warnings: []string{"a.log can't be followed: it is no regular file; it is tried again"}},
		{name: "a file that is called like the pattern", path: "*.log", steps: []func(*testing.T){add("*.log", "1\n"), remove("*.log"), add("c.log", "2\n")},
			want: []string{"*.log:1:1", "c.log:1:2"}},
		{name: "several spellings of one path", path: "*.log ./b.log b.log", before: []func(*testing.T){add("b.log", "1\n")}, steps: []func(*testing.T){add("b.log", "2\n"), add("a.log", "3\n")},
			want: []string{"b.log:1:1", "b.log:2:2", "a.log:1:3"}, names: []string{"b.log", "a.log"}},
		{name: "two names of one file", path: "a*", steps: []func(*testing.T){add("a", "1\n"), func(*testing.T) { os.Link("a", "ab") }, add("a", "2\n")},
			want: []string{"a:1:1", "a:2:2"}, names: []string{"a"}},
		{name: "one after the other", path: "a-*", partitions: "one", steps: []func(*testing.T){both(add("a-1", "1\n"), add("a-2", "2\nopen")), add("a-2", " end"),
			both(add("a-2", "ed"), add("a-3", "3\n")), add("a-3", "4\n")},
			want: []string{"a-1:1:1", "a-2:1:2", "a-2:2:open ended", "a-3:1:3", "a-3:2:4"}},
	} {
		s.play(t)
	}
}

func TestWhatCannotBeFollowed(t *testing.T) {
	folder := t.TempDir()
	os.Mkdir(filepath.Join(folder, "sub"), 0o777)
	os.WriteFile(filepath.Join(folder, "packed"), []byte(pack("gzip", "{}\n")), 0o666)
	os.WriteFile(filepath.Join(folder, "file"), nil, 0o666)
	for path, want := range map[string]string{
		"sub":    "is a folder; to follow the files in it write",
		"[a":     "is no glob",
		"packed": "is compressed with gzip",
		"file/x": "can't be read: not a directory",
	} {
		o := source(filepath.Join(folder, path))
		o.Follow = true
		partitions, err := o.Open(context.Background(), connector.Environment{})
		if err == nil {
			_, err = partitions[0].Next(context.Background())
			partitions[0].Close()
		}
		wantError(t, err, path, want)
	}
}

func TestEndOfFollowing(t *testing.T) {
	path := writeFile(t, "a", "1\n")
	o := source(path)
	o.Follow = true
	if o.Bounded() || len(o.Missing()) > 0 {
		t.Error("a followed source is taken for one that ends")
	}
	partitions, err := o.Open(context.Background(), connector.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	p := partitions[0]
	if c, err := p.Next(context.Background()); err != nil || string(c.Data) != "1\n" {
		t.Fatalf("%q, %v", c.Data, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := p.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a cancelled Next gives %v", err)
	}
	time.AfterFunc(20*time.Millisecond, func() { p.Close() })
	if _, err := p.Next(context.Background()); !errors.Is(err, os.ErrClosed) || errors.Is(err, io.EOF) {
		t.Errorf("Next of a closed partition gives %v", err)
	}
	p.Close()
}
