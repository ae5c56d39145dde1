package fileio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"tidemark/io/connector"
)

// TestReusedIdentity deletes files and makes new ones, which file systems such as ext4 give the identities of the former.
func TestReusedIdentity(t *testing.T) {
	same := strings.Repeat("x", 300)
	rotate := func(text string) func(*testing.T) {
		return both(remove("a.1"), move("a", "a.1"), add("a", text))
	}
	header := "id,a very long header " + same
	for _, s := range []scene{
		{name: "of an empty file", path: "a", steps: []func(*testing.T){add("a", ""), both(move("a", "a.1"), add("a", "1\n")), rotate("2\n"), rotate("3\n"), add("a", "4\n")},
			want: []string{"a:1:1", "a:1:2", "a:1:3", "a:2:4"}},
		{name: "of a header", path: "a", csv: true, steps: []func(*testing.T){add("a", "i\n"), both(move("a", "a.1"), add("a", "i\n1\n")), rotate("i\n2\n"), rotate("i\n3\n")},
			want: []string{"a:1:i", "a:1:i", "a:2:1", "a:1:i", "a:2:2", "a:1:i", "a:2:3"}},
		{name: "of a file that begins in the same way", path: "a", steps: []func(*testing.T){add("a", same+"\n"), both(move("a", "a.1"), add("a", same+"\n1\n")), rotate(same + "\n2\n")},
			want: []string{"a:1:" + same, "a:1:" + same, "a:2:1", "a:1:" + same, "a:2:2"}},
		{name: "of a file with a long header", path: "a*", csv: true, steps: []func(*testing.T){add("a", header+"\n1\n"), both(move("a", "a.1"), add("a", header+"\n2\n")), rotate(header + "\n3\n")},
			want: []string{"a:1:" + header, "a:2:1", "a:1:" + header, "a:2:2", "a:1:" + header, "a:2:3"}, names: []string{"a"}},
		{name: "of a match that was deleted", path: "*.log", steps: []func(*testing.T){add("a.log", "1\n"), both(move("a.log", "b.log"), add("a.log", "2\n")),
			both(remove("b.log"), add("c.log", "1\n3\n"))}, want: []string{"a.log:1:1", "a.log:1:2", "c.log:1:1", "c.log:2:3"}, names: []string{"a.log", "c.log"}},
		{name: "where the new file is made before the oldest is deleted", path: "a", steps: func() (steps []func(*testing.T)) {
			for i := range 9 {
				if i > 0 {
					steps = append(steps, func(t *testing.T) {
						os.Rename("a.1", "a.2")
						both(move("a", "a.1"), add("a", ""))(t)
						os.Remove("a.2")
					})
				}
				steps = append(steps, add("a", fmt.Sprintf("%d\n", i)))
			}
			return steps
		}(), want: []string{"a:1:0", "a:1:1", "a:1:2", "a:1:3", "a:1:4", "a:1:5", "a:1:6", "a:1:7", "a:1:8"}},
		{name: "of files in a chain", path: "a*", partitions: "one", steps: []func(*testing.T){add("a1", ""), add("a2", "1\n"), both(remove("a1"), add("a3", "2\n")), both(remove("a2"), add("a4", "1\n3\n"))},
			want: []string{"a2:1:1", "a3:1:2", "a4:1:1", "a4:2:3"}},
	} {
		s.play(t)
	}
}

// TestRenamedAndDeleted has what becomes of files when they have lost their names.
func TestRenamedAndDeleted(t *testing.T) {
	open := func(want int) func(*testing.T) {
		return func(t *testing.T) {
			t.Helper()
			folder, _ := os.Getwd()
			if n := openFiles(t, folder+"/"); n != want {
				t.Errorf("%d files are open, want %d", n, want)
			}
		}
	}
	for _, s := range []scene{
		{name: "a renamed file that still matches is read on", path: "*.log", steps: []func(*testing.T){add("3.log", "1\n"), both(move("3.log", "4.log"), add("3.log", "2\n")), add("4.log", "3\n"),
			add("3.log", "4\n"), pass(2 * patience), both(move("4.log", "5.log"), move("3.log", "4.log"), add("3.log", "5\n")), add("5.log", "6\n"), add("4.log", "7\n"), add("3.log", "8\n")},
			want:  []string{"3.log:1:1", "3.log:1:2", "4.log:2:3", "3.log:2:4", "3.log:1:5", "5.log:3:6", "4.log:3:7", "3.log:2:8"},
			names: []string{"3.log"}},
		{name: "a renamed file that is written late", path: "a", steps: []func(*testing.T){add("a", "1\n"), both(move("a", "b"), add("a", "2\n")), pass(patience / 2), add("b", "3\n"),
			pass(patience / 2), add("b", "4\nopen"), open(2), pass(2 * patience), open(1), add("a", "5\n")},
			want: []string{"a:1:1", "a:1:2", "a:2:3", "a:3:4", "a:4:open", "a:2:5"}},
		{name: "a file that was renamed long before the next one comes", path: "a", steps: []func(*testing.T){add("a", "1\n"), move("a", "b"), pass(3 * patience), add("a", "2\n"), add("b", "3\n")},
			want: []string{"a:1:1", "a:1:2", "a:2:3"}},
		{name: "a header of its own", path: "*.log", csv: true, steps: []func(*testing.T){add("3.log", "i\n1\n"), both(move("3.log", "4.log"), add("3.log", "k\n2\n")), add("4.log", "3\n")},
			want: []string{"3.log:1:i", "3.log:2:1", "3.log:1:k", "3.log:2:2", "4.log:3:3"}},
		{name: "a header that comes when the next file has", path: "a", csv: true, steps: []func(*testing.T){add("a", ""), both(move("a", "b"), add("a", "i\n2\n")), add("b", "k\n3\n4\n")},
			want: []string{"a:1:i", "a:2:2", "a:1:k", "a:2:3", "a:3:4"}},
		{name: "a line that grows for ever", path: "a", steps: []func(*testing.T){add("a", "1\n2"), both(move("a", "b"), add("a", "3\n"), func(t *testing.T) {
			for range 40 {
				add("b", ".")(t)
				time.Sleep(grace / 2)
			}
		})}, want: []string{"a:1:1", "a:2:2" + strings.Repeat(".", 21), "a:1:3"}},
		{name: "a line that is written in pieces while the next file has come", path: "a", steps: []func(*testing.T){add("a", "1\n2"),
			both(move("a", "b"), add("a", "3\n"), pass(grace/2), add("b", "2"), pass(grace*3/4), add("b", "2\n"))}, want: []string{"a:1:1", "a:2:222", "a:1:3"}},
		{name: "several files come while one is read on", path: "a", steps: []func(*testing.T){add("a", "1\n2"),
			both(move("a", "b"), add("a", "3\n"), pass(grace/4), move("a", "c"), add("a", "4\n"), pass(grace/4), remove("c"), add("b", "2\n"))}, want: []string{"a:1:1", "a:2:22", "a:1:3", "a:1:4"}},
		{name: "a deleted match is closed", path: "*.log", steps: []func(*testing.T){add("a.log", "1\nopen"), add("b.log", "2\n"), remove("a.log"), open(2), pass(2 * patience), open(1),
			add("a.log", "3\n"), remove("b.log"), pass(2 * patience), open(1), remove("a.log"), pass(2 * patience), open(0), add("a.log", "4\n"), add("c.log", "5\n")},
			want: []string{"a.log:1:1", "b.log:1:2", "a.log:2:open", "a.log:1:3", "a.log:1:4", "c.log:1:5"}, names: []string{"a.log", "b.log", "a.log", "c.log"}},
		{name: "the last match that is deleted goes when another one has come", path: "*.log", steps: []func(*testing.T){add("a.log", "1\n"), remove("a.log"), pass(2 * patience), add("b.log", "2\n"), add("a.log", "3\n")},
			want: []string{"a.log:1:1", "b.log:1:2", "a.log:1:3"}, names: []string{"a.log", "b.log", "a.log"}},
		{name: "a match that is renamed out of the pattern is closed", path: "*.log", steps: []func(*testing.T){add("a.log", "1\n"), move("a.log", "a"), add("a", "2\n"), pass(2 * patience), open(0), add("a.log", "3\n")},
			want: []string{"a.log:1:1", "a.log:2:2", "a.log:1:3"}},
		{name: "a path waits for its next file", path: "a", steps: []func(*testing.T){add("a", "1\n"), move("a", "b"), pass(3 * patience), add("b", "2\n"), add("a", "3\n")},
			want: []string{"a:1:1", "a:2:2", "a:1:3"}},
		{name: "files swap their names", path: "*.log", steps: []func(*testing.T){add("a.log", "1\n"), add("b.log", "2\n"), both(move("a.log", "c"), move("b.log", "a.log"), move("c", "b.log")), add("b.log", "3\n"), add("a.log", "4\n")},
			want: []string{"a.log:1:1", "b.log:1:2", "a.log:2:3", "b.log:2:4"}, names: []string{"a.log", "b.log"}},
	} {
		s.play(t)
	}
}

func TestFollowedChain(t *testing.T) {
	order := func(late, former string) []string {
		return []string{late + " sorts before " + former + " and has lines that came after it: they are read now, out of the order of the names; " +
			"let each new file sort behind the others, or leave out partitions: one"}
	}
	for _, s := range []scene{
		{name: "a new file that sorts before the others", path: "a-*", before: []func(*testing.T){add("a-8.log", "1\n"), add("a-9.log", "2\n")}, steps: []func(*testing.T){add("a-10.log", "3\n"), add("a-9.log", "4\n"), add("a-10.log", "5\n")},
			want: []string{"a-8.log:1:1", "a-9.log:1:2", "a-10.log:1:3", "a-9.log:2:4", "a-10.log:2:5"}, warnings: order("a-10.log", "a-9.log")},
		{name: "the one that is written sorts first", path: "b.log*", before: []func(*testing.T){add("b.log.1", "1\n"), add("b.log", "2\n")}, steps: []func(*testing.T){add("b.log", "3\n"),
			both(move("b.log.1", "b.log.2"), move("b.log", "b.log.1"), add("b.log.1", "4\n"), add("b.log", "5\n")), add("b.log", "6\n")},
			want: []string{"b.log:1:2", "b.log.1:1:1", "b.log:2:3", "b.log:3:4", "b.log:1:5", "b.log:2:6"}, warnings: order("b.log", "b.log.1")},
		{name: "an empty file is not gone on to", path: "a-*", steps: []func(*testing.T){add("a-1.log", "1\nop"), both(add("a-2.log", ""), pass(3*time.Second/2), add("a-1.log", "en\n2\n")), add("a-2.log", "3\n")},
			want: []string{"a-1.log:1:1", "a-1.log:2:open", "a-1.log:3:2", "a-2.log:1:3"}},
		{name: "a header that comes late", path: "*.csv", partitions: "one", csv: true, before: []func(*testing.T){add("a.csv", "i\n1\n"), add("b.csv", "i\n2\n")}, steps: []func(*testing.T){
			both(truncate("b.csv"), pass(grace/2), add("a.csv", "3\n"), pass(grace/2), add("b.csv", "i\n4\n5\n"))},
			want:     []string{"a.csv:1:i", "a.csv:2:1", "b.csv:1:i", "b.csv:2:2", "a.csv:3:3", "b.csv:1:i", "b.csv:2:4", "b.csv:3:5"},
			warnings: append([]string{"b.csv was truncated from 4 to 0 bytes: it is read from its start again"}, order("a.csv", "b.csv")...)},
		{name: "a file that is renamed before its turn", path: "*.log", partitions: "one", steps: []func(*testing.T){add("a.log", "1\npar"), both(add("b.log", "2\n"), pass(grace/2), move("b.log", "b.log.1"), add("b.log", "3\n"),
			pass(grace/4), add("a.log", "tial\n"))}, want: []string{"a.log:1:1", "a.log:2:partial", "b.log:1:2", "b.log:1:3"}},
		{name: "the first file comes empty", path: "a-*", steps: []func(*testing.T){add("a-2.log", ""), add("a-1.log", "1\n"), add("a-2.log", "2\n")}, want: []string{"a-1.log:1:1", "a-2.log:1:2"}},
		{name: "a line of a former file", path: "a-*", before: []func(*testing.T){add("a-1", "1\n"), add("a-2", "2\n"), add("a-3", "3\n")}, steps: []func(*testing.T){both(add("a-1", "5\n"), add("a-2", "4\n"))},
			want: []string{"a-1:1:1", "a-2:1:2", "a-3:1:3", "a-1:2:5", "a-2:2:4"}, warnings: order("a-1", "a-3")},
		{name: "a former file that was renamed out of the pattern", path: "a-*", before: []func(*testing.T){add("a-1", "1\n"), add("a-2", "2\n")}, steps: []func(*testing.T){move("a-1", "b"), add("b", "3\n")},
			want: []string{"a-1:1:1", "a-2:1:2", "a-1:2:3"}, warnings: order("a-1", "a-2")},
		{name: "rotation of one path", path: "a", steps: []func(*testing.T){add("a", "1\n"), both(move("a", "b"), add("a", "2\n"), add("b", "3\n")), add("a", "4\n")},
			want: []string{"a:1:1", "a:2:3", "a:1:2", "a:2:4"}},
		{name: "a former file that is truncated", path: "a-*", before: []func(*testing.T){add("a-1", "1\n"), add("a-2", "2\n")}, steps: []func(*testing.T){truncate("a-1"), add("a-1", "3\n")},
			want: []string{"a-1:1:1", "a-2:1:2", "a-1:1:3"}, warnings: append(order("a-1", "a-2"), "a-1 was truncated from 2 to 0 bytes: it is read from its start again")},
	} {
		s.partitions, s.names = "one", []string{s.path}
		s.play(t)
	}
}

// TestSlowTaker lets files come and go while nobody takes lines, as behind a sink that stands still.
func TestSlowTaker(t *testing.T) {
	for path, partitions := range map[string]string{"a.log": "file", "*.log": "file", "[ab].log": "one"} {
		t.Run(path+" "+partitions, func(t *testing.T) {
			t.Chdir(t.TempDir())
			synctest.Test(t, func(t *testing.T) {
				appendTo(t, "a.log", "1\n")
				o := source(path)
				o.Follow, o.Partitions = true, partitions
				reader, err := o.OpenGrowing(t.Context(), connector.Environment{})
				if err != nil {
					t.Fatal(err)
				}
				defer reader.Close()
				want := 1
				for i := range 5 {
					time.Sleep(time.Second)
					rename(t, "a.log", fmt.Sprintf("a.log.%d", i))
					appendTo(t, "a.log", "1\n")
					want++
				}
				if path != "a.log" {
					appendTo(t, "b.log", "1\n")
					time.Sleep(time.Second)
					rename(t, "b.log", "b.log.1")
					want++
				}
				time.Sleep(time.Second)
				got := 0
				for _, p := range reader.Partitions() {
					for range 20 {
						c, err := p.Next(t.Context())
						if err != nil {
							t.Fatal(err)
						}
						got += strings.Count(string(c.Data), "\n")
					}
				}
				if got != want {
					t.Errorf("%d lines, want %d", got, want)
				}
			})
		})
	}
}

// TestNothingWhileFilesCome has the set open what comes while the reader says that it has nothing; it is for the race detector.
func TestNothingWhileFilesCome(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	synctest.Test(t, func(t *testing.T) {
		appendTo(t, path, "1\n")
		o := source(path)
		o.Follow = true
		reader, err := o.OpenGrowing(t.Context(), connector.Environment{})
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		p := reader.Partitions()[0].(*followed)
		for i := range 10 {
			rename(t, path, fmt.Sprintf("%s.%d", path, i))
			appendTo(t, path, "2\n")
			time.Sleep(poll)
			if c := p.nothing(); c.Offset != 0 || len(c.Data) > 0 {
				t.Errorf("%+v", c)
			}
		}
	})
}

// TestFormerFileOfABusyOne writes to a renamed file while the one in its place has more at every look.
func TestFormerFileOfABusyOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	synctest.Test(t, func(t *testing.T) {
		appendTo(t, path, "1\n")
		o := source(path)
		o.Follow = true
		reader, err := o.OpenGrowing(t.Context(), connector.Environment{})
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		p := reader.Partitions()[0]
		next := func() string {
			c, err := p.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return string(c.Data)
		}
		next()
		rename(t, path, path+".1")
		appendTo(t, path, "2\n")
		next()
		appendTo(t, path+".1", "late\n")
		for n := 0; n < 1000; n++ {
			appendTo(t, path, "2\n")
			if next() == "late\n" {
				return
			}
			time.Sleep(time.Millisecond)
		}
		t.Error("the renamed file was not looked at")
	})
}

// TestLongFollowedChain has more files than may be open at once.
func TestLongFollowedChain(t *testing.T) {
	t.Chdir(t.TempDir())
	synctest.Test(t, func(t *testing.T) {
		const n = maxOpen + 50
		var want []string
		for i := range n {
			appendTo(t, fmt.Sprintf("a-%03d", i), fmt.Sprintf("%d\n", i))
			want = append(want, fmt.Sprintf("a-%03d:1:%d", i, i))
		}
		f := startFollowing(t, 0, "one", "a-*")
		time.Sleep(5 * time.Second)
		folder, _ := os.Getwd()
		if n := openFiles(t, folder+"/"); n > maxOpen {
			t.Errorf("%d files are open", n)
		}
		rename(t, "a-001", "a-999")
		time.Sleep(5 * time.Second)
		appendTo(t, "a-000", "new\n")
		time.Sleep(5 * time.Second)
		want = append(want, "a-000:1:0", "a-000:2:new")
		if got := f.stop(t); !slices.Equal(got, want) {
			t.Errorf("got %d lines, the last %q; want %d", len(got), got[len(got)-2:], len(want))
		}
		if len(f.warnings) != 2 || f.warnings[0] != "a-000 was written again long after it was read: it is read from its start again" {
			t.Errorf("warnings: %q", f.warnings)
		}
	})
}

func TestFollowingWhatCannotBeSearched(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"x", "y"} {
		os.MkdirAll(filepath.Join(folder, "sub", name), 0o777)
	}
	var warnings []string
	o := source(filepath.Join(folder, "sub/*/*.jsonl"))
	s := &followedSet{options: o, env: connector.Environment{Warn: func(m string) { warnings = append(warnings, m) }}, known: map[string]bool{}, patterns: map[string]bool{o.Path[0]: true}}
	s.opening = func(name string) (*os.File, error) {
		if filepath.Base(name) == "y" {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
		}
		return os.Open(name)
	}
	s.search()
	s.search()
	if len(warnings) != 1 {
		t.Fatalf("warnings: %q", warnings)
	}
	wantError(t, errors.New(warnings[0]), "sub/y can't be read; give this user the right to read it", "the files in it are not followed")
}

// shuffle is a writer that appends, renames and deletes at any moment.
type shuffle struct {
	t     *testing.T
	lines []string // those that were written
	files []string // those that there are
	head  string   // what each file begins with
	late  bool     // a line was written to a file that had been renamed
}

func (s *shuffle) write(path, text string) {
	if _, err := os.Stat(path); err != nil {
		appendTo(s.t, path, s.head)
	}
	line := fmt.Sprintf("%d-%s", len(s.lines), text)
	appendTo(s.t, path, line+"\n")
	s.lines = append(s.lines, line)
}

// compare looks for each line exactly once, in the order in which they were written where that is defined.
func (s *shuffle) compare(t *rapid.T, read []string, ordered bool) {
	var got []string
	for _, line := range read {
		if line = line[strings.LastIndexByte(line, ':')+1:]; line+"\n" != s.head {
			got = append(got, line)
		}
	}
	want := slices.Clone(s.lines)
	if !ordered {
		slices.Sort(got)
		slices.Sort(want)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("got  %q\nwant %q", got, want)
	}
}

var (
	pauses = rapid.SampledFrom([]time.Duration{0, time.Millisecond, 60 * time.Millisecond, 700 * time.Millisecond})
	heads  = rapid.SampledFrom([]string{"", "head\n", strings.Repeat("x", 300) + "\n"})
)

// TestAnyRotationLosesNoLine lets a writer append and rotate, and keeps some of the former files.
func TestAnyRotationLosesNoLine(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		path := filepath.Join(t.TempDir(), "log")
		chunk := rapid.SampledFrom([]int64{1, 10, 1000}).Draw(rt, "chunk")
		pattern := rapid.SampledFrom([]string{path, path + "*"}).Draw(rt, "path")
		keep := rapid.IntRange(1, 3).Draw(rt, "keep")
		s := &shuffle{t: t, head: heads.Draw(rt, "head")}
		synctest.Test(t, func(t *testing.T) {
			appendTo(t, path, s.head)
			f := startFollowing(t, chunk, "file", pattern)
			for i := range rapid.IntRange(1, 40).Draw(rt, "steps") {
				switch step := rapid.IntRange(0, 9).Draw(rt, "step"); {
				case step == 0:
					// Who rotates by names does it slower than the reader looks, or a file could be gone before it was seen.
					time.Sleep(2 * time.Second)
					s.rotate(path, i, keep)
				case step == 1 && len(s.files) > 0:
					s.late = true
					s.write(rapid.SampledFrom(s.files).Draw(rt, "former"), "late")
				default:
					s.write(path, strings.Repeat("x", step*3))
				}
				time.Sleep(pauses.Draw(rt, "pause"))
			}
			time.Sleep(3 * time.Second)
			s.compare(rt, f.stop(t), !s.late)
		})
	})
}

// rotate renames a file, deletes the oldest of those that were renamed, and makes a new one.
func (s *shuffle) rotate(path string, number, keep int) {
	name := fmt.Sprintf("%s.%03d", path, number)
	rename(s.t, path, name)
	if s.files = append(s.files, name); len(s.files) > keep {
		os.Remove(s.files[0])
		s.files = s.files[1:]
	}
	appendTo(s.t, path, s.head)
}

// TestAnyFilesLoseNoLine lets files of any names come, grow, be renamed and deleted.
func TestAnyFilesLoseNoLine(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		folder := t.TempDir()
		name := func() string {
			return filepath.Join(folder, fmt.Sprintf("log.%d", rapid.IntRange(0, 12).Draw(rt, "name")))
		}
		chunk := rapid.SampledFrom([]int64{1, 10, 1000}).Draw(rt, "chunk")
		partitions := rapid.SampledFrom([]string{"file", "one"}).Draw(rt, "partitions")
		s := &shuffle{t: t, head: heads.Draw(rt, "head")}
		synctest.Test(t, func(t *testing.T) {
			f := startFollowing(t, chunk, partitions, filepath.Join(folder, "log*"))
			for range rapid.IntRange(1, 40).Draw(rt, "steps") {
				switch step, path := rapid.IntRange(0, 9).Draw(rt, "step"), name(); step {
				case 0:
					time.Sleep(2 * time.Second)
					os.Remove(path)
				case 1:
					time.Sleep(2 * time.Second)
					to := name()
					os.Rename(path, to) // in the place of another one, if there is one
				default:
					s.write(path, strings.Repeat("x", step*3))
				}
				time.Sleep(pauses.Draw(rt, "pause"))
			}
			time.Sleep(3 * time.Second)
			s.compare(rt, f.stop(t), false)
		})
	})
}
