package aside

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// mark stands in the names of unfinished files between the target's name and the process that writes it.
const mark = ".tidemark-"

// hiddenName gives a new name for the unfinished file of a target, in the same folder.
func hiddenName(target string) string {
	var random [4]byte
	rand.Read(random[:])
	return filepath.Join(filepath.Dir(target),
		fmt.Sprintf(".%s%s%d-%s", filepath.Base(target), mark, os.Getpid(), hex.EncodeToString(random[:])))
}

// writerOf gives the process in the name of an unfinished file of exactly this target.
func writerOf(name, target string) (pid int, ok bool) {
	rest, ok := strings.CutPrefix(name, "."+filepath.Base(target)+mark)
	if !ok {
		return 0, false
	}
	process, random, ok := strings.Cut(rest, "-")
	if !ok || len(random) != 8 || strings.Trim(random, "0123456789abcdef") != "" {
		return 0, false
	}
	pid, err := strconv.Atoi(process)
	return pid, err == nil && pid > 0
}

// sweep removes the files and folders that dead runs have left of a target. It fails if a run that lives, other than the one that
// writes own, is writing the target. Which runs live is told by the locks of their files.
func sweep(l Layer, target, own string) error {
	folder := filepath.Dir(target)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return WriteError(target, err)
	}
	for _, e := range entries {
		pid, ours := writerOf(e.Name(), target)
		path := filepath.Join(folder, e.Name())
		if !ours || path == own || !e.Type().IsRegular() && !e.IsDir() {
			continue
		}
		if err := sweepOne(l, path, e.IsDir(), target, pid); err != nil {
			return err
		}
	}
	return nil
}

func sweepOne(l Layer, path string, folder bool, target string, pid int) error {
	how := os.O_RDWR
	if folder {
		how = os.O_RDONLY
	}
	f, err := os.OpenFile(path, how, 0)
	if err != nil {
		return nil // gone already, or another user's
	}
	defer f.Close()
	switch free, err := lock(f); {
	case err != nil:
		return nil // nobody knows whose it is
	case free:
		if err := l.Clear(path); !errors.Is(err, fs.ErrPermission) {
			return err
		}
		return nil
	case pid == os.Getpid():
		return fmt.Errorf("two sinks write to %s; give each a file of its own", target)
	}
	return fmt.Errorf("%s is being written by another run (process %d); wait for its end or write to another file", target, pid)
}
