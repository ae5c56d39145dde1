package aside_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tidemark/io/internal/aside"
	"tidemark/io/internal/aside/asidetest"
)

// writeParts writes one part for each folder, whose text is the folder's name.
func writeParts(p *aside.Parts, folders ...string) error {
	for _, folder := range folders {
		part, err := p.Next(folder)
		if err != nil {
			return err
		}
		part.Write([]byte(folder + "\n"))
		if err := part.Finish(); err != nil {
			return err
		}
	}
	return nil
}

func TestOrderOfOperationsOnParts(t *testing.T) {
	folder := t.TempDir()
	r := &asidetest.Recorder{}
	p, err := aside.OpenParts(r, aside.SetOptions{Naming: aside.Hive(filepath.Join(folder, "out"), ".txt", []string{"day"})})
	if err != nil {
		t.Fatal(err)
	}
	if err := writeParts(p, "day=1", "day=2", "day=1"); err != nil {
		t.Fatal(err)
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		"mkdir out", "stage HIDDEN",
		"create HIDDEN/1", "write HIDDEN/1 6", "sync HIDDEN/1",
		"create HIDDEN/2", "write HIDDEN/2 6", "sync HIDDEN/2",
		"create HIDDEN/3", "write HIDDEN/3 6", "sync HIDDEN/3",
		"mkdir out/day=1", "rename HIDDEN/1 out/day=1/part-00001.txt",
		"mkdir out/day=2", "rename HIDDEN/2 out/day=2/part-00001.txt",
		"rename HIDDEN/3 out/day=1/part-00002.txt",
		"syncdir .", "syncdir out", "syncdir out/day=1", "syncdir out/day=2", "clear HIDDEN",
	}, "\n")
	if got := r.Story(folder); got != want {
		t.Errorf("operations:\n%s\nwant:\n%s", got, want)
	}
}

func TestNoCrashLeavesHalfAPart(t *testing.T) {
	for _, early := range []bool{false, true} {
		folder := t.TempDir()
		r := &asidetest.Recorder{}
		p, err := aside.OpenParts(r, aside.SetOptions{Naming: aside.Beside(filepath.Join(folder, "out.txt")), Early: early})
		if err != nil {
			t.Fatal(err)
		}
		if err := writeParts(p, "", "", ""); err != nil {
			t.Fatal(err)
		}
		if err := p.Commit(); err != nil {
			t.Fatal(err)
		}
		for n := range len(r.Operations) + 1 {
			w := asidetest.CrashAfter(r.Operations[:n])
			visible := w.Visible(folder)
			for name, file := range visible {
				if w.Synced[file] == 0 || w.Synced[file] != w.Written[file] {
					t.Errorf("early %v: after %d operations %s may hold %d bytes of %d", early, n, name, w.Synced[file], w.Written[file])
				}
			}
			if n == len(r.Operations) && len(w.Durable) != 3 {
				t.Errorf("early %v: after Commit only %v are sure", early, w.Durable)
			}
		}
	}
}

func TestNames(t *testing.T) {
	for path, want := range map[string]string{
		"out/uv.jsonl": "out/uv-00012.jsonl", "uv": "uv-00012", "a.b/uv.jsonl.gz": "a.b/uv-00012.jsonl.gz", "x/.uv": "x/.uv-00012",
	} {
		if got := aside.Beside(path).Name("", 12); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	for value, want := range map[string]string{
		"": aside.NullPartition, "a b": "a b", "a/b=c%": "a%2Fb%3Dc%25", "2024-01-02 03:04": "2024-01-02 03%3A04",
		"..": "%2E.", "é\n": "é%0A", "[x]": "%5Bx%5D", "x.y": "x.y",
	} {
		if got := aside.Escape(value); got != want {
			t.Errorf("%q: %s, want %s", value, got, want)
		}
	}
}

func TestOverwriteReplacesOnlyItsOwn(t *testing.T) {
	folder := t.TempDir()
	hive := aside.Hive(folder, ".txt", []string{"day"})
	old := map[string]string{
		"day=1/part-00001.txt": "old", "day=1/part-00002.txt": "old", "day=9/part-00001.txt": "old",
		"day=1/part-1.txt": "theirs", "day=1/notes.txt": "theirs", "part-00001.txt": "theirs", "hour=1/part-00001.txt": "theirs",
		"day=1/x/part-00001.txt": "theirs",
	}
	want := map[string]string{"day=1/part-00001.txt": "day=1\n", "day=2/part-00001.txt": "day=2\n"}
	for name, text := range old {
		os.MkdirAll(filepath.Join(folder, filepath.Dir(name)), 0o777)
		os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666)
		if text == "theirs" {
			want[name] = text
		}
	}
	if err := hive.Check(false); err == nil || !strings.Contains(err.Error(), "part-00001.txt exists") {
		t.Errorf("%v", err)
	}
	if err := hive.Check(true); err != nil {
		t.Error(err)
	}
	p, err := aside.OpenParts(aside.Disk{}, aside.SetOptions{Naming: hive, Overwrite: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := writeParts(p, "day=1", "day=2"); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, folder)["day=1/part-00001.txt"]; got != "old" {
		t.Errorf("replaced before the commit: %q", got)
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := tree(t, folder); !maps.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestPartsAndOtherRuns(t *testing.T) {
	folder := t.TempDir()
	beside := aside.Beside(filepath.Join(folder, "uv.txt"))
	set := aside.SetOptions{Naming: beside}
	leftover := fmt.Sprintf("%s/.uv.txt.tidemark-1-0123abcd", folder)
	os.Mkdir(leftover, 0o777)
	os.WriteFile(leftover+"/1", []byte("half"), 0o666)
	os.Mkdir(folder+"/.other.txt.tidemark-1-0123abcd", 0o777)
	first, err := aside.OpenParts(aside.Disk{}, set)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(leftover); !os.IsNotExist(err) {
		t.Errorf("the leftover stayed: %v", err)
	}
	if _, err := aside.OpenParts(aside.Disk{}, set); err == nil || !strings.Contains(err.Error(), "two sinks write to") {
		t.Errorf("a second run of the same set: %v", err)
	}
	writeParts(first, "", "")
	os.WriteFile(beside.Name("", 2), []byte("theirs"), 0o666)
	if err := first.Commit(); err == nil || !strings.Contains(err.Error(), "uv-00002.txt came into being") {
		t.Errorf("%v", err)
	}
	first.Abort()
	if got := tree(t, folder); !maps.Equal(got, map[string]string{"uv-00002.txt": "theirs"}) {
		t.Errorf("%q", got)
	}
	if _, err := os.Stat(folder + "/.other.txt.tidemark-1-0123abcd"); err != nil {
		t.Errorf("somebody else's: %v", err)
	}
}

func TestAbortOfParts(t *testing.T) {
	folder := t.TempDir()
	p, err := aside.OpenParts(aside.Disk{}, aside.SetOptions{Naming: aside.Hive(folder+"/out", ".txt", []string{"day"})})
	if err != nil {
		t.Fatal(err)
	}
	writeParts(p, "day=1")
	if _, err := p.Next("day=" + strings.Repeat("x", 300)); err == nil || !strings.Contains(err.Error(), "the name has 304 bytes") {
		t.Errorf("%v", err)
	}
	if err := p.Abort(); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 0 {
		t.Errorf("%v", entries)
	}
}
